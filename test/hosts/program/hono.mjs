import { serve } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import { Hono } from 'hono'
import { announce } from './announce.mjs'
import { createSite } from './site.mjs'

const mount = process.argv[2] ?? ''
const app = createSite(mount)
const hono = new Hono()
hono.all(`${mount}/*`, (context) =>
  app.fetch(context.req.raw, { clientAddress: getConnInfo(context).remote.address }),
)
serve({ fetch: hono.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => announce(port))
