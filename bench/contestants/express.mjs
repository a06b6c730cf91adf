/**
 * Express with express-session and csrf-sync, set up as their documentation shows.
 *
 * @module
 */
import { csrfSync } from 'csrf-sync'
import express from 'express'
import expressSession from 'express-session'

import { findUser, neededPermission, publicUser, readTable, secret, settings } from '../application.ts'

const app = express()

const scenarios = {
  1: () => app.get('/hello', (request, response) => response.type('text/plain').send('Hello, world!')),
  2: () =>
    app.get('/users/:id', ({ params }, response) =>
      response.json({ id: params.id, name: `User ${params.id}` }),
    ),
  3: () => {
    for (const { id, method, path } of readTable()) {
      app[method.toLowerCase()](path, ({ params }, response) => response.json({ route: id, params }))
    }
  },
  4: addSession,
  5: addSession,
  6: addForm,
}

await scenarios[settings.scenario]()
app.listen(settings.port, settings.host)

async function addSession() {
  const store = settings.scenario === 5 ? { store: await redisStore() } : {}
  app.use(express.urlencoded({ extended: false }))
  app.use(expressSession({ secret, resave: false, saveUninitialized: false, ...store }))
  app.post('/login', (request, response, next) => {
    request.session.regenerate((error) => {
      if (error) return next(error)
      request.session.user = request.body.user
      response.sendStatus(204)
    })
  })
  app.get('/me', authenticate, authorize, (request, response) => response.json(publicUser(request.user)))
}

async function redisStore() {
  const { RedisStore } = await import('connect-redis')
  const { createClient } = await import('redis')
  return new RedisStore({ client: await createClient({ url: settings.redisUrl }).connect() })
}

async function addForm() {
  await addSession()
  const { generateToken, csrfSynchronisedProtection } = csrfSync({
    getTokenFromRequest: ({ body }) => body._csrf,
  })
  app.get('/form', (request, response) => response.json({ csrf: generateToken(request) }))
  app.post('/form', csrfSynchronisedProtection, ({ session, body }, response) => {
    session.count = (session.count ?? 0) + 1
    session.title = body.title
    response.redirect(303, '/form/done')
  })
  app.get('/form/state', ({ session }, response) =>
    response.json({ count: session.count ?? 0, title: session.title ?? null }),
  )
  // Express recognizes an error handler by its four parameters.
  app.use((error, request, response, next) =>
    error.status ? response.sendStatus(error.status) : next(error),
  )
}

async function authenticate(request, response, next) {
  const { user } = request.session
  request.user = user === undefined ? null : await findUser(user)
  if (request.user === null) return response.status(401).json({})
  next()
}

function authorize(request, response, next) {
  if (!request.user.permissions.includes(neededPermission)) return response.status(403).json({})
  next()
}
