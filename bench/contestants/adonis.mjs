// The account page of the starter on AdonisJS 7: sessions in the database, the session guard, models of Lucid, Edge and Shield,
// assembled in one file. Its database is the starter's, with the same account. PORT, HOST and COOKIE are those of starter.ts.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { defineConfig as authConfig } from '@adonisjs/auth'
import { sessionGuard, sessionUserProvider } from '@adonisjs/auth/session'
import { Ignitor } from '@adonisjs/core'
import { defineConfig as bodyparserConfig } from '@adonisjs/core/bodyparser'
import { defineConfig as encryptionConfig, drivers } from '@adonisjs/core/encryption'
import { defineConfig as hashConfig, drivers as hashDrivers } from '@adonisjs/core/hash'
import { defineConfig as httpConfig } from '@adonisjs/core/http'
import { defineConfig as loggerConfig } from '@adonisjs/core/logger'
import { BaseModel, column, hasMany } from '@adonisjs/lucid/orm'
import { defineConfig as databaseConfig } from '@adonisjs/lucid'
import { defineConfig as sessionConfig, stores } from '@adonisjs/session'
import { defineConfig as shieldConfig } from '@adonisjs/shield'

import { createAccountDatabase } from '../lib/account.ts'

const folder = mkdtempSync(join(tmpdir(), 'sallyport-bench-adonis-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const accounts = join(folder, 'accounts.sqlite')
const accountId = await createAccountDatabase(accounts)
const KEY = 'a5'.repeat(16)
const SHOWN_LINES = 8

// As durable as the starter: a write-ahead log, and each commit waits for the disk.
const connection = (filename) => ({
  client: 'better-sqlite3',
  connection: { filename },
  useNullAsDefault: true,
  pool: {
    afterCreate(raw, done) {
      raw.pragma('journal_mode = WAL')
      raw.pragma('synchronous = FULL')
      done(null, raw)
    },
  },
})

class Permission extends BaseModel {
  static table = 'account_permission'
}
column({ isPrimary: true })(Permission.prototype, 'permission')
column({ columnName: 'account_id' })(Permission.prototype, 'accountId')

class Factor extends BaseModel {
  static table = 'factor'
}
column({ isPrimary: true })(Factor.prototype, 'id')
for (const [name, columnName] of [
  ['accountId', 'account_id'],
  ['label', 'label'],
  ['state', 'state'],
  ['enabledAt', 'enabled_at'],
  ['usedAt', 'used_at'],
])
  column({ columnName })(Factor.prototype, name)

class Account extends BaseModel {
  static table = 'account'
}
column({ isPrimary: true })(Account.prototype, 'id')
for (const name of ['name', 'email', 'state']) column()(Account.prototype, name)
hasMany(() => Permission, { foreignKey: 'accountId' })(Account.prototype, 'permissions')
hasMany(() => Factor, { foreignKey: 'accountId' })(Account.prototype, 'factors')

class Event extends BaseModel {
  static table = 'event'
}
column({ isPrimary: true })(Event.prototype, 'id')
for (const [name, columnName] of [
  ['at', 'at'],
  ['kind', 'kind'],
  ['accountId', 'account_id'],
  ['clientAddress', 'client_address'],
])
  column({ columnName })(Event.prototype, name)

const SENTENCES = {
  'password-refused': 'Wrong password',
  'password-accepted': 'Password accepted, waiting for the code',
  'logged-in': 'Signed in',
  'logged-out': 'Signed out',
}
const FORMAT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
})

const providers = [
  () => import('@adonisjs/core/providers/app_provider'),
  () => import('@adonisjs/core/providers/hash_provider'),
  () => import('@adonisjs/core/providers/edge_provider'),
  () => import('@adonisjs/lucid/database_provider'),
  () => import('@adonisjs/session/session_provider'),
  () => import('@adonisjs/auth/auth_provider'),
  () => import('@adonisjs/shield/shield_provider'),
]
const config = {
  app: { appKey: KEY, http: httpConfig({}) },
  logger: loggerConfig({
    default: 'app',
    loggers: { app: { enabled: true, name: 'bench', level: 'error' } },
  }),
  hash: hashConfig({ default: 'scrypt', list: { scrypt: hashDrivers.scrypt({}) } }),
  encryption: encryptionConfig({
    default: 'gcm',
    list: { gcm: drivers.aes256gcm({ id: 'gcm', keys: [KEY] }) },
  }),
  bodyparser: bodyparserConfig({}),
  database: databaseConfig({
    connection: 'accounts',
    connections: { accounts: connection(accounts), sessions: connection(join(folder, 'sessions.sqlite')) },
  }),
  session: sessionConfig({
    age: '30m',
    cookie: { path: '/', httpOnly: true, secure: false, sameSite: 'lax' },
    store: 'database',
    stores: { database: stores.database({ connectionName: 'sessions' }) },
  }),
  auth: authConfig({
    default: 'web',
    guards: {
      web: sessionGuard({
        useRememberMeTokens: false,
        provider: sessionUserProvider({ model: async () => ({ default: Account }) }),
      }),
    },
  }),
  shield: shieldConfig({
    csp: {
      enabled: true,
      directives: { defaultSrc: ["'none'"], styleSrc: ["'self'"], imgSrc: ["'self'"], scriptSrc: ["'self'"] },
      reportOnly: false,
    },
    csrf: {
      enabled: true,
      exceptRoutes: [],
      enableXsrfCookie: false,
      methods: ['POST', 'PUT', 'PATCH', 'DELETE'],
    },
    xFrame: { enabled: true, action: 'DENY' },
    hsts: { enabled: true, maxAge: '180 days' },
    contentTypeSniffing: { enabled: true },
  }),
}

const ignitor = new Ignitor(new URL('./', import.meta.url), { importer: (path) => import(path) })
ignitor.tap((app) => {
  app.rcContents({ typescript: false, providers })
  app.useConfig(config)
  void app.booted(() => start(app))
})
await ignitor.httpServer().start()
await signIn()

async function start(app) {
  const database = await app.container.make('lucid.db')
  await database.connection('sessions').schema.createTable('sessions', (table) => {
    table.string('id').primary()
    table.text('data').notNullable()
    table.string('user_id').nullable().index()
    table.timestamp('expires_at').notNullable().index()
  })
  const { default: edge } = await import('edge.js')
  edge.mount(new URL('../views/adonis', import.meta.url))
  const server = await app.container.make('server')
  server.use([])
  const router = await app.container.make('router')
  router.use([
    () => import('@adonisjs/core/bodyparser_middleware'),
    () => import('@adonisjs/session/session_middleware'),
    () => import('@adonisjs/shield/shield_middleware'),
    () => import('@adonisjs/auth/initialize_auth_middleware'),
  ])
  router.get('/', () => 'home').as('home')
  router.get('/admin', () => 'admin').as('admin')
  router.post('/logout', () => '').as('logout')
  // Stands for both doors.
  router.get('/sign-in', async ({ auth, response }) => {
    await auth.use('web').login(await Account.findOrFail(accountId))
    return response.noContent()
  })
  router.get('/account', showAccount).as('account').use(requireLogin)
}

async function requireLogin({ auth, response }, next) {
  if (!(await auth.check())) return response.redirect('/login')
  return next()
}

async function showAccount({ auth, view }) {
  const account = auth.user
  await account.load('permissions')
  await account.load('factors', (query) =>
    query.where('state', 'enabled').orderBy('created_at').orderBy('id'),
  )
  const events = await Event.query().where('accountId', account.id).orderBy('id', 'desc').limit(SHOWN_LINES)
  return view.render('account', {
    account,
    isAdmin: account.permissions.some(({ permission }) => permission === 'admin.access'),
    factors: account.factors.map(({ label, enabledAt, usedAt }) => ({
      label,
      enabled: toMoment(enabledAt),
      used: toMoment(usedAt),
    })),
    events: events.map(({ kind, clientAddress, at }) => ({
      text: SENTENCES[kind],
      clientAddress,
      time: toMoment(at),
    })),
  })
}

function toMoment(timestamp) {
  if (timestamp === null) return null
  const date = new Date(timestamp * 1000)
  const iso = date.toISOString().slice(0, 19)
  return { iso: `${iso}Z`, exact: `${iso.replace('T', ' ')} UTC`, text: `${FORMAT.format(date)} UTC` }
}

async function signIn() {
  const { headers, status } = await fetch(`http://${process.env.HOST}:${process.env.PORT}/sign-in`)
  if (status !== 204) throw new Error(`The account could not sign in: ${status}`)
  const cookies = headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .filter((pair) => !pair.endsWith('='))
  writeFileSync(process.env.COOKIE ?? join(folder, 'cookie'), cookies.join('; '))
}
