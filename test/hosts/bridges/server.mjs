/**
 * The shop of the guide on one port, before and after its sign-in moves: `/-/before` and `/-/express` choose which
 * shop answers from then on, `/-/old-fastify` and `/-/fastify` too, as a deployment does, which lists the old sessions first. `/-/code/<secret>` is the authenticator app of a user, `/-/end/<name>` ends a
 * user's old sessions, and `/-/begun` and `/-/finish` wait for a slow request and let it end. `/-/attempts` counts the
 * attempts to sign in that are stored, and `/-/expire` lets the time of all of them pass. `/-/plans` tells how PostgreSQL
 * runs the statements of the guide when its tables are large.
 *
 * @module
 */
import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import cookie from '@fastify/cookie'
import fastifySession from '@fastify/session'
import connectPgSimple from 'connect-pg-simple'
import fastify from 'fastify'
import { generate } from 'otplib/functional'
import { Strategy } from 'passport-local'
import { compare } from 'bcryptjs'
import pg from 'pg'
import { createFastifyShop } from './after/fastify-shop.js'
import { Members } from './after/members.ts'
import { oldSessions } from './after/old-sessions.ts'
import { createShop as createAfter } from './after/shop.ts'
// In one process, the two versions of the shop would share one Passport.
import passport from './before/node_modules/passport/lib/index.js'
import { createShop as createBefore } from './before/shop.ts'

const SECRET = 'a secret of at least thirty-two characters'
const TOTP_SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
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

/** Signs in whoever says a name: its password is not what is tested. */
async function createOldFastifyShop() {
  const shop = fastify()
  await shop.register(cookie)
  const store = new (connectPgSimple(fastifySession))({ pool })
  await shop.register(fastifySession, {
    store,
    secret: SECRET,
    saveUninitialized: false,
    cookie: { secure: 'auto' },
  })
  shop.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) =>
    done(null, new URLSearchParams(body)),
  )
  shop.post('/login', async ({ session, body }) => {
    const { rows } = await pool.query('SELECT id FROM member WHERE name = $1', [body.get('name')])
    session.user = rows[0].id
    return {}
  })
  return shop
}

const fastifyShop = await createFastifyShop(pool, SECRET)
const oldFastifyShop = await createOldFastifyShop()
for (const shop of [fastifyShop, oldFastifyShop]) await shop.ready()
const shops = {
  before: complete(await createBefore(pool, SECRET)),
  express: complete(await createAfter(pool, SECRET)),
  'old-fastify': (request, response) => oldFastifyShop.routing(request, response),
  fastify: (request, response) => fastifyShop.routing(request, response),
}
const [begun, finish] = [Promise.withResolvers(), Promise.withResolvers()]
let current = shops.before

async function endOldSessions(name) {
  const { rows } = await pool.query('SELECT id FROM member WHERE name = $1', [name])
  await oldSessions(pool, 'connect.sid', [SECRET]).endAll(String(rows[0].id))
}

/** Chooses the version that answers. The list of old sessions is made right before the new one does. */
async function deploy(name) {
  if (name === 'express' || name === 'fastify') {
    const list = await readFile(new URL('after/old-sessions.sql', import.meta.url), 'utf8')
    const path = name === 'fastify' ? '{user}' : '{passport,user}'
    await pool.query(`DROP TABLE IF EXISTS old_session; ${list.replace('{passport,user}', path)}`)
  }
  current = shops[name]
}

async function storedAttempts() {
  const { rows } = await pool.query('SELECT count(*) FROM sign_in_attempt')
  return rows[0].count
}

/** How PostgreSQL runs what the programs of the guide ask it, by the statement. Nothing is changed. */
async function plans() {
  await pool.query(`
    INSERT INTO member (name, hash, is_clerk) SELECT 'member ' || n, '', false FROM generate_series(1, 20000) n;
    INSERT INTO member_factor SELECT id, '' FROM member WHERE name LIKE 'member %';
    INSERT INTO session SELECT 'sid ' || n, '{}', now() + interval '1 hour' FROM generate_series(1, 20000) n;
    INSERT INTO old_session SELECT 'sid ' || n, n, now() FROM generate_series(1, 20000) n;
    INSERT INTO sign_in_attempt SELECT 'subject ' || n, 1, now() + interval '1 hour' FROM generate_series(1, 20000) n;
    ANALYZE member, member_factor, session, old_session, sign_in_attempt`)
  const seen = {}
  const explaining = {
    async query(text, values) {
      const { rows } = await pool.query(`EXPLAIN ${text}`, values)
      seen[text] = rows.map((row) => row['QUERY PLAN']).join('\n')
      return { rows: [{ id: 1, name: 'ada', made: 1 }], rowCount: 0 }
    },
  }
  const signature = createHmac('sha256', SECRET).update('sid 1').digest('base64').replace('=', '')
  const context = { cookies: () => ({ get: () => `s:sid 1.${signature}`, delete() {} }) }
  const old = oldSessions(explaining, 'connect.sid', [SECRET])
  const members = new Members(explaining)
  const member = await members.find('1')
  await members.findByName('ada')
  await members.useCode({ ...member, secret: TOTP_SECRET }, await generate({ secret: TOTP_SECRET }))
  await members.countAttempt('password:ada')
  await members.forgetAttempts(member)
  await old.takeUser(context)
  await old.end(context)
  await old.endAll('1')
  await pool.query(`
    DELETE FROM sign_in_attempt;
    DELETE FROM session WHERE sid LIKE 'sid %';
    DELETE FROM member_factor WHERE secret = '';
    DELETE FROM member WHERE name LIKE 'member %'`)
  return JSON.stringify(seen)
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
  else if (name === 'plans') return response.end(await plans())
  else await deploy(name)
  response.end()
}

const server = createServer((request, response) =>
  request.url.startsWith('/-/') ? control(request.url, response) : current(request, response),
)
server.listen(0, '127.0.0.1', () => console.log(`listening on ${server.address().port}`))
