/**
 * The load generator, in a process of its own: sends the requests of its first argument and prints the results.
 *
 * @module
 */
import autocannon from 'autocannon'

const { port, requests, connections, seconds } = JSON.parse(process.argv[2])

const result = await autocannon({
  url: `http://127.0.0.1:${port}`,
  connections,
  duration: seconds,
  requests: requests.map(({ method = 'GET', ...request }) => ({ method, ...request })),
})
const statuses = Object.fromEntries(
  Object.entries(result.statusCodeStats).map(([code, { count }]) => [code, count]),
)

process.stdout.write(
  JSON.stringify({
    answers: Object.values(statuses).reduce((sum, count) => sum + count, 0),
    statuses,
    errors: result.errors + result.timeouts,
    seconds: result.duration,
    p99Milliseconds: result.latency.p99,
  }),
)
