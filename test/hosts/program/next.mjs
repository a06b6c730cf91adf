import { createServer } from 'node:http'
import next from 'next'
import { announce } from './announce.mjs'

process.env.MOUNT = process.argv[2] ?? ''
const host = next({ dir: process.env.NEXT_DIR ?? 'next', dev: false })
await host.prepare()
const server = createServer(host.getRequestHandler())
server.listen(Number(process.env.NEXT_PORT ?? 0), '127.0.0.1', () => {
  const { port } = server.address()
  process.env.ORIGIN = `http://127.0.0.1:${port}`
  announce(port)
})
