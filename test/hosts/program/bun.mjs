import { announce } from './announce.mjs'
import { createSite } from './site.mjs'

const app = createSite(process.argv[2] ?? '')
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: (request) => app.fetch(request, { clientAddress: server.requestIP(request).address }),
})
announce(server.port)
