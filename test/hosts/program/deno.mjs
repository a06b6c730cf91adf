import { announce } from './announce.mjs'
import { createSite } from './site.mjs'

const app = createSite(Deno.args[0] ?? '')
Deno.serve(
  { port: 0, hostname: '127.0.0.1', onListen: ({ port }) => announce(port) },
  (request, { remoteAddr }) => app.fetch(request, { clientAddress: remoteAddr.hostname }),
)
