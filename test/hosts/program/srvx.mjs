import { serve } from 'srvx'
import { announce } from './announce.mjs'
import { createSite } from './site.mjs'

const app = createSite(process.argv[2] ?? '')
const server = serve({
  port: 0,
  hostname: '127.0.0.1',
  silent: true,
  fetch: (request) => app.fetch(request, { clientAddress: request.ip }),
})
await server.ready()
announce(new URL(server.url).port)
