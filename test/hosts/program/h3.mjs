import { H3, serve } from 'h3'
import { announce } from './announce.mjs'
import { createSite } from './site.mjs'

const mount = process.argv[2] ?? ''
const app = createSite(mount)
const host = new H3()
host.all(`${mount}/**`, (event) => app.fetch(event.req, { clientAddress: event.req.ip }))
const server = serve(host, { port: 0, hostname: '127.0.0.1', silent: true })
await server.ready()
announce(new URL(server.url).port)
