/**
 * Fastify with its own plugins, set up as their documentation shows.
 *
 * @module
 */
import fastifyCookie from '@fastify/cookie'
import fastifyCsrf from '@fastify/csrf-protection'
import fastifyFormbody from '@fastify/formbody'
import fastifySession from '@fastify/session'
import fastify from 'fastify'

import { findUser, neededPermission, publicUser, readTable, secret, settings } from '../application.ts'

const app = fastify()
const text = { type: 'string' }

const scenarios = {
  1: () =>
    app.get('/hello', (request, reply) => reply.type('text/plain; charset=utf-8').send('Hello, world!')),
  2: () => {
    const schema = responseSchema({ id: text, name: text })
    app.get('/users/:id', { schema }, async ({ params }) => ({ id: params.id, name: `User ${params.id}` }))
  },
  3: () => {
    for (const { id, method, path: url } of readTable()) {
      app.route({ method, url, handler: async ({ params }) => ({ route: id, params }) })
    }
  },
  4: addSession,
  5: addSession,
  6: addForm,
}

await scenarios[settings.scenario]()
await app.listen({ port: settings.port, host: settings.host })

async function addSession() {
  await app.register(fastifyFormbody)
  await app.register(fastifyCookie)
  // Without `rolling`, reading a session neither writes it nor sends its cookie again.
  await app.register(fastifySession, {
    secret,
    saveUninitialized: false,
    rolling: false,
    cookie: { secure: false },
    ...(settings.scenario === 5 ? { store: await redisStore() } : {}),
  })
  app.decorateRequest('user', null)
  app.post('/login', async (request, reply) => {
    await request.session.regenerate()
    request.session.user = request.body.user
    return reply.code(204).send()
  })
  const schema = responseSchema({ id: text, name: text, permissions: { type: 'array', items: text } })
  app.get('/me', { schema, preHandler: [authenticate, authorize] }, async ({ user }) => publicUser(user))
}

async function redisStore() {
  const { RedisStore } = await import('connect-redis')
  const { createClient } = await import('redis')
  return new RedisStore({ client: await createClient({ url: settings.redisUrl }).connect() })
}

async function addForm() {
  await addSession()
  await app.register(fastifyCsrf, { sessionPlugin: '@fastify/session' })
  app.get('/form', async (request, reply) => ({ csrf: reply.generateCsrf() }))
  app.post('/form', { preHandler: app.csrfProtection }, async ({ session, body }, reply) => {
    session.count = (session.count ?? 0) + 1
    session.title = body.title
    return reply.redirect('/form/done', 303)
  })
  app.get('/form/state', async ({ session }) => ({ count: session.count ?? 0, title: session.title ?? null }))
}

async function authenticate(request, reply) {
  const { user } = request.session
  request.user = user === undefined ? null : await findUser(user)
  if (request.user === null) return reply.code(401).send({})
}

async function authorize(request, reply) {
  if (!request.user.permissions.includes(neededPermission)) return reply.code(403).send({})
}

function responseSchema(properties) {
  return { response: { 200: { type: 'object', properties } } }
}
