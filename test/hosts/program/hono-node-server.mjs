import { serve } from '@hono/node-server'
import { announce } from './announce.mjs'
import { createSite } from './site.mjs'

const app = createSite(process.argv[2] ?? '')
const fetch = (request, { incoming }) => app.fetch(request, { clientAddress: incoming.socket.remoteAddress })
serve({ fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => announce(port))
