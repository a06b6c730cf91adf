import { Elysia } from 'elysia'
import { announce } from './announce.mjs'
import { createSite } from './site.mjs'

const mount = process.argv[2] ?? ''
const app = createSite(mount)
const host = new Elysia()
const answer = ({ request, server }) =>
  app.fetch(request, { clientAddress: server.requestIP(request).address })
// The bodies are the application's to read.
for (const path of [`${mount}/`, `${mount}/*`]) host.all(path, answer, { parse: 'none' })
host.listen({ port: 0, hostname: '127.0.0.1' }, ({ port }) => announce(port))
