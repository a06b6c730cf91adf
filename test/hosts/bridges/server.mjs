/**
 * The shop of the guide on one port, before and after its sign-in moves: `/-/before`, `/-/express` and `/-/fastify` choose which
 * shop answers from then on, as a deployment does. `/-/code/<secret>` is the authenticator app of a user, `/-/end/<name>` ends a
 * user's old sessions, and `/-/begun` and `/-/finish` wait for a slow request and let it end. `/-/attempts` counts the
 * attempts to sign in that are stored, and `/-/expire` lets the time of all of them pass.
 *
 * @module
 */
import { createServer } from 'node:http'
import { generate } from 'otplib/functional'
import passport from 'passport'
import { Strategy } from 'passport-local'
import { compare } from 'bcryptjs'
import pg from 'pg'
import { createFastifyShop } from './after/fastify-shop.js'
import { OldSessions } from './after/old-sessions.ts'
import { createShop as createAfter } from './after/shop.ts'
import { createShop as createBefore } from './before/shop.ts'

const SECRET = 'a secret of at least thirty-two characters'
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL })

passport.serializeUser((user, done) => done(null, user.id))
passport.use(
  new Strategy({ usernameField: 'name' }, async (name, password, done) => {
    const { rows } = await pool.query('SELECT * FROM member WHERE name = $1', [name])
    done(null, rows.length > 0 && (await compare(password, rows[0].hash)) ? rows[0] : false)
  }),
)

/** What the guide leaves out: signing in with Passport, a cart in the session, and something to send. */
function complete(shop) {
  shop.post('/login', passport.authenticate('local', { successRedirect: '/orders' }))
  shop.post('/cart', (request, response) => {
    request.session.cart = ['tea']
    response.end()
  })
  shop.post('/slow', async (request, response) => {
    request.session.cart = ['coffee']
    begun.resolve()
    await finish.promise
    response.end()
  })
  shop.post('/orders', (request, response) => response.json(request.user?.name ?? null))
  shop.get('/cart', (request, response) => response.json(request.session.cart ?? []))
  return shop
}

const fastifyShop = await createFastifyShop(pool, SECRET)
await fastifyShop.ready()
const shops = {
  before: complete(await createBefore(pool, SECRET)),
  express: complete(await createAfter(pool, SECRET)),
  fastify: (request, response) => fastifyShop.routing(request, response),
}
const [begun, finish] = [Promise.withResolvers(), Promise.withResolvers()]
let current = shops.before

async function endOldSessions(name) {
  const { rows } = await pool.query('SELECT id FROM member WHERE name = $1', [name])
  const path = ['passport', 'user']
  await new OldSessions({ pool, secret: SECRET, cookie: 'connect.sid', path }).endAll(String(rows[0].id))
}

async function storedAttempts() {
  const { rows } = await pool.query('SELECT count(*) FROM sign_in_attempt')
  return rows[0].count
}

async function control(url, response) {
  const [, , name, argument] = url.split('/')
  if (name === 'code') return response.end(await generate({ secret: argument }))
  if (name === 'begun') await begun.promise
  else if (name === 'finish') finish.resolve()
  else if (name === 'end') await endOldSessions(argument)
  else if (name === 'expire')
    await pool.query("UPDATE sign_in_attempt SET until = now() - interval '1 second'")
  else if (name === 'attempts') return response.end(await storedAttempts())
  else current = shops[name]
  response.end()
}

const server = createServer((request, response) =>
  request.url.startsWith('/-/') ? control(request.url, response) : current(request, response),
)
server.listen(0, '127.0.0.1', () => console.log(`listening on ${server.address().port}`))
