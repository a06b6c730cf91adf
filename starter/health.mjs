// Asks the running application whether it lives, for the health check of a container: `node health.mjs`, or with /readyz behind it.
import { request } from 'node:http'

const { PORT = '3000', HOST = '127.0.0.1', ORIGIN = '', BASE_PATH = '' } = process.env
const isEverywhere = HOST === '0.0.0.0' || HOST === '::'
const asked = request(
  {
    host: isEverywhere ? '127.0.0.1' : HOST,
    port: PORT || 3000,
    path: `${BASE_PATH}${process.argv[2] ?? '/healthz'}`,
    // The application answers for its own host only.
    headers: ORIGIN === '' ? {} : { host: new URL(ORIGIN).host },
    timeout: 3000,
  },
  (response) => {
    response.resume()
    process.exitCode = response.statusCode === 200 ? 0 : 1
  },
)
asked.on('timeout', () => asked.destroy(new Error('no answer within 3 seconds')))
asked.on('error', ({ message }) => {
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
})
asked.end()
