import { createServer } from 'node:http'
import { announce } from './announce.mjs'

process.env.MOUNT = process.argv[2] ?? ''
const { handler } = await import('./astro/dist/server/entry.mjs')
const server = createServer(handler)
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address()
  process.env.ORIGIN = `http://127.0.0.1:${port}`
  announce(port)
})
