import fastify from 'fastify'
import { toNodeListener } from 'sallyport/node'
import { announce } from './announce.mjs'
import { createSite } from './site.mjs'

const mount = process.argv[2] ?? ''
const listener = toNodeListener(createSite(mount))
const host = fastify()
await host.register(async (part) => {
  // The bodies are the application's to read.
  part.removeAllContentTypeParsers()
  part.addContentTypeParser('*', (_request, _payload, done) => done(null))
  part.all(`${mount}/*`, (request, reply) => {
    reply.hijack()
    listener(request.raw, reply.raw)
  })
})
await host.listen({ port: 0, host: '127.0.0.1' })
announce(host.server.address().port)
