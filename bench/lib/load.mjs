/**
 * The load generator, in a process of its own: sends the requests of its first argument to the servers on its ports and prints the results.
 *
 * @module
 */
import autocannon from 'autocannon'

const { ports, requests, connections, seconds } = JSON.parse(process.argv[2])

const results = await Promise.all(
  ports.map((port) =>
    autocannon({
      url: `http://127.0.0.1:${port}`,
      connections: connections / ports.length,
      duration: seconds,
      requests: requests.map(({ method = 'GET', ...request }) => ({ method, ...request })),
    }),
  ),
)
const statuses = {}
for (const { statusCodeStats } of results)
  for (const [code, { count }] of Object.entries(statusCodeStats))
    statuses[code] = (statuses[code] ?? 0) + count

process.stdout.write(
  JSON.stringify({
    statuses,
    errors: results.reduce((sum, { errors, timeouts }) => sum + errors + timeouts, 0),
    seconds: Math.max(...results.map(({ duration }) => duration)),
    p99Milliseconds: Math.max(...results.map(({ latency }) => latency.p99)),
  }),
)
