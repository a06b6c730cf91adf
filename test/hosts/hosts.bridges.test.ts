import assert from 'node:assert/strict'
import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'

import { succeed } from '../cli/packed-package.ts'
import { follow } from '../scripts/followed-guide.ts'
import { extractFiles, read, root, writeFiles } from '../scripts/guide-code.ts'
import { PostgresServer, withoutPostgres } from '../services/postgres-server.ts'
import { Browser, type Seen } from './browser.ts'
import { installHosts } from './installation.ts'
import { createMembers, PASSWORD, run, SECRET } from './members.ts'
import { type Running, start } from './running.ts'
import { Visitor } from './visitor.ts'

// Where a page of orders sends an anonymous visitor.
const SIGN_IN = '/account/sign-in?to=%2Forders'
const CODE = '/account/code?to=%2Forders'
const GUIDE = read('docs/existing-application.md')
const FILES = extractFiles(GUIDE)
// Later the guide shows what changes in it.
const { 'shop.ts': SHOP = '' } = extractFiles(GUIDE.split('## The bridge')[0] ?? '')
const installation = typeof withoutPostgres === 'string' ? withoutPostgres : installHosts(['bridges'])
const skip = typeof installation === 'string' ? installation : false

/** The lines of code that a team writes for the bridge. */
function linesOfBridge(): number {
  const isCode = (line: string): boolean => line.trim() !== '' && !/^\s*(\/\/|\/\*\*)/.test(line)
  const added = [...GUIDE.matchAll(/^\+(.*)$/gm)].map(([, line = '']) => line)
  return [...(FILES['old-sessions.ts'] ?? '').split('\n'), ...added].filter(isCode).length
}

/** Writes the shop as it was and as the guide changes it. */
function writeShops(folder: string): void {
  for (const name of ['before', 'after']) rmSync(join(folder, name), { recursive: true, force: true })
  for (const name of ['before', 'after']) writeFiles(join(folder, name), { 'shop.ts': SHOP })
  follow(join(folder, 'after'), GUIDE)
  // Each version is a process with a Passport of its own elsewhere.
  const passport = join('node_modules', 'passport')
  cpSync(join(folder, passport), join(folder, 'before', passport), { recursive: true })
}

describe('an application beside one that exists, as the guide shows it', { skip }, () => {
  let server: PostgresServer
  let running: Running
  let origin: string

  before(async () => {
    assert.ok(typeof installation !== 'string')
    writeShops(installation.folder)
    server = await PostgresServer.start()
    const sessions = readFileSync(
      join(installation.folder, 'node_modules/connect-pg-simple/table.sql'),
      'utf8',
    )
    await createMembers(server.url, join(installation.folder, 'after'))
    await query(sessions)
    const env = { DATABASE_URL: server.url }
    running = await start([process.execPath, 'server.mjs'], { folder: installation.folder, env })
    origin = `http://127.0.0.1:${running.port}`
  })

  after(async () => {
    await running?.stop()
    await server?.[Symbol.asyncDispose]()
  })

  const control = async (what: string): Promise<string> => (await fetch(`${origin}/-/${what}`)).text()
  const deploy = control
  const browser = (): Browser => new Browser(new Visitor(origin, ''))
  const signIn = (user: Browser, name: string): Promise<Seen> =>
    user.submit(SIGN_IN, { name, password: PASSWORD })
  const query = (text: string, ...values: string[]): Promise<void> => run(server.url, text, values)
  /** A browser that Passport has signed in. */
  const oldUser = async (name: string): Promise<Browser> => {
    const user = browser()
    await deploy('before')
    assert.equal((await user.post('/login', { name, password: PASSWORD })).location, '/orders')
    return user
  }

  it('type-checks, and the guide counts its lines', () => {
    assert.ok(typeof installation !== 'string')
    const compilerOptions = { declaration: false, isolatedDeclarations: false, customConditions: [] }
    const settings = { extends: join(root, 'tsconfig.json'), compilerOptions, include: ['before', 'after'] }
    writeFiles(installation.folder, { 'tsconfig.json': JSON.stringify(settings) })

    succeed(process.execPath, [join(root, 'node_modules/typescript/bin/tsc')], installation.folder)
    assert.equal(/are the bridge: (\d+) lines\./.exec(GUIDE)?.[1], String(linesOfBridge()))
  })

  for (const shop of ['express', 'fastify'] as const) {
    it(`signs in and out with pages of the host, on ${shop} [HOST-02 CSRF-02 SESS-09]`, async () => {
      await deploy(shop)
      const user = browser()
      assert.equal((await user.get('/orders')).location, SIGN_IN)
      assert.equal((await user.submit(SIGN_IN, { name: 'ada', password: 'wrong' })).status, 422)
      assert.equal((await user.submit(SIGN_IN, { name: 'ada', password: PASSWORD })).location, '/orders')

      const { name, csrfToken } = await user.orders()

      assert.equal(name, 'ada')
      assert.equal((await user.post('/account/sign-out')).status, 403)
      assert.equal((await user.post('/account/sign-out', { _csrf: csrfToken })).location, '/')
      assert.equal((await user.get('/orders')).location, SIGN_IN)
      assert.equal((await user.press('/logout')).location, '/')
    })
  }

  it('asks for the second factor, whose codes work once, in any process [HOST-02]', async () => {
    await deploy('express')
    const [user, thief] = [browser(), browser()]
    const code = await control(`code/${SECRET}`)
    for (const each of [user, thief])
      assert.equal((await each.submit(SIGN_IN, { name: 'eve', password: PASSWORD })).location, CODE)

    assert.equal((await user.get('/orders')).location, SIGN_IN)
    assert.equal((await user.submit(CODE, { code: '000000' })).status, 422)
    assert.equal((await user.submit(CODE, { code })).location, '/orders')
    assert.equal((await thief.submit(CODE, { code })).status, 422)
    assert.equal((await user.get('/orders')).status, 200)
    assert.equal((await user.get(CODE)).location, SIGN_IN, 'nothing waits for a code')
  })

  it('signs in with an old session once, and keeps its cart [HOST-02]', async () => {
    const user = await oldUser('ada')
    await user.post('/cart')
    const copy = user.clone()
    await deploy('express')

    assert.equal((await user.open('/orders?page=2')).path, '/orders?page=2')

    const { name, maySend } = await user.orders()
    assert.deepEqual([name, maySend], ['ada', true])
    assert.equal((await user.get('/cart')).text, '["tea"]')
    assert.equal((await copy.open('/orders')).path, SIGN_IN)
  })

  it('signs in with an old session of Fastify once [HOST-02]', async () => {
    const user = browser()
    await deploy('old-fastify')
    await user.post('/login', { name: 'ada' })
    const copy = user.clone()
    await deploy('fastify')

    assert.equal((await user.open('/orders?page=2')).path, '/orders?page=2')

    assert.equal((await user.orders()).name, 'ada')
    assert.equal((await copy.open('/orders')).path, SIGN_IN)
  })

  const endings: Record<string, (user: Browser) => Promise<unknown>> = {
    'a sign-out': async (user) => {
      await user.open('/orders')
      const { csrfToken } = await user.orders()
      return user.post('/account/sign-out', { _csrf: csrfToken })
    },
    'the sign-in of another user': (user) => signIn(user, 'eve'),
    'a sign-out after which another user signs in': async (user) => {
      await user.press('/logout')
      return signIn(user, 'ada')
    },
  }
  for (const [ending, end] of Object.entries(endings))
    it(`ends an old session, and all that is in it, with ${ending} [HOST-02 SESS-09]`, async () => {
      const user = await oldUser('ben')
      await user.post('/cart')
      const copy = user.clone()
      await deploy('express')

      await end(user)

      for (const each of [user, copy]) assert.equal((await each.get('/cart')).text, '[]')
      assert.equal((await copy.open('/orders')).path, SIGN_IN)
    })

  it('accepts forms without a token from pages of this site only [HOST-02 CSRF-02]', async () => {
    await deploy('express')
    const statuses = (headers: Record<string, string>): Promise<number[]> =>
      Promise.all(
        ['sign-in', 'code', 'old-sign-out'].map(async (name) => {
          const url = `${origin}/account/${name}`
          return (await fetch(url, { method: 'POST', headers, redirect: 'manual' })).status
        }),
      )
    const others: readonly Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site', origin },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.test' },
      {},
    ]

    for (const headers of others)
      assert.deepEqual(await statuses(headers), [403, 403, 403], JSON.stringify(headers))
    for (const headers of [{ origin }, { 'sec-fetch-site': 'same-origin' }])
      assert.deepEqual(await statuses(headers), [422, 303, 303], JSON.stringify(headers))
  })

  it('signs out with links that are older than the deployment [HOST-02 CSRF-02]', async () => {
    const [old, moved] = [await oldUser('ada'), await oldUser('ben')]
    await deploy('express')
    await moved.open('/orders')

    for (const user of [old, moved]) {
      const { path, text } = await user.open('/logout')
      assert.match(text, /^<form method="post"><button>Sign out</)
      assert.equal((await user.open('/orders')).path, '/orders', 'a link signs nobody out')
      assert.equal((await user.post(path)).location, '/')
      assert.equal((await user.get('/orders')).location, SIGN_IN)
    }
  })

  it('moves no old session whose user is not the id of a member [HOST-02]', async () => {
    for (const id of ['nobody', '99999999999', '1'.repeat(30)]) {
      const user = await oldUser('ada')
      await query(
        `UPDATE session SET sess = jsonb_set(sess::jsonb, '{passport,user}', to_jsonb($1::text))`,
        id,
      )
      await deploy('express')

      const { location, cookies } = await user.get('/account/continue')

      assert.deepEqual({ location, cookies }, { location: '/', cookies: [] }, id)
    }
  })

  it('does not bring a user back whom an old request writes into its session later [HOST-02 SESS-09]', async () => {
    const user = await oldUser('ada')
    await deploy('express')
    const copy = user.clone()
    const slow = copy.post('/slow')
    await control('begun')
    await user.open('/orders')
    const { csrfToken } = await user.orders()
    await user.post('/account/sign-out', { _csrf: csrfToken })

    await control('finish')
    await slow

    assert.equal((await user.get('/cart')).text, '[]')
    assert.equal(
      (await copy.get('/cart')).location,
      '/account/continue?to=%2Fcart',
      'the user was written back',
    )
    for (const each of [user, copy]) assert.equal((await each.open('/orders')).path, SIGN_IN)
  })

  const notMoved = {
    'whose time is over': "UPDATE old_session SET expire = now() - interval '1 second'",
    'that began after the list was made': 'DELETE FROM old_session',
  }
  for (const [which, change] of Object.entries(notMoved))
    it(`moves no old session ${which} [HOST-02 SESS-09]`, async () => {
      const user = await oldUser('ada')
      await deploy('express')
      await query(change)

      assert.equal((await user.open('/orders')).path, SIGN_IN)
      assert.equal((await user.get('/cart')).status, 200, 'pages for everyone')
    })

  it('ends all old sessions of a user, and no other [HOST-02 SESS-09]', async () => {
    const [one, two, other] = [await oldUser('ada'), await oldUser('ada'), await oldUser('ben')]
    await deploy('express')

    await control('end/ada')

    for (const user of [one, two]) assert.equal((await user.open('/orders')).path, SIGN_IN)
    assert.equal((await other.open('/orders')).path, '/orders')
  })

  it('lets one of several requests have the old session [HOST-02]', async () => {
    const user = await oldUser('ben')
    await deploy('express')

    const all = await Promise.all(
      Array.from({ length: 5 }, () => user.clone().get('/account/continue?to=/orders')),
    )

    assert.equal(all.filter(({ cookies }) => cookies.length > 0).length, 1)
    assert.deepEqual(new Set(all.map(({ location }) => location)), new Set(['/orders']))
  })

  it('stays signed in when several tabs are opened at once with an old session [HOST-02]', async () => {
    const user = await oldUser('ada')
    await deploy('express')

    await Promise.all(Array.from({ length: 5 }, () => user.open('/orders')))

    assert.equal((await user.orders()).name, 'ada')
  })

  it('sends a tab on when another has signed in, whatever is sent in it, but to no other site [HOST-02 CSRF-02]', async () => {
    const user = await oldUser('ada')
    await deploy('express')
    const late = await user.clone().get(SIGN_IN)
    await user.open('/orders?page=2')

    assert.deepEqual(late.cookies, [], 'no cookie replaces that of the tab that signs in')
    assert.equal((await user.post(SIGN_IN, { name: 'ben' })).location, '/orders')
    assert.equal((await user.get(SIGN_IN)).location, '/orders')
    assert.equal((await user.post(CODE, { code: '000000' })).location, SIGN_IN)
    assert.equal((await user.get('/account/sign-in?to=//evil.test/')).location, '/')
  })

  it('forgets the attempts to sign in when their time is over [HOST-02]', async () => {
    await deploy('express')
    const count = async (): Promise<number> => Number(await control('attempts'))
    for (const name of ['nobody', 'no one']) await browser().submit(SIGN_IN, { name, password: 'wrong' })
    assert.ok((await count()) >= 2)

    await control('expire')
    await browser().submit(SIGN_IN, { name: 'nobody', password: 'wrong' })

    assert.equal(await count(), 1)
  })

  it('says when a user with too many attempts can try again [HOST-02]', async () => {
    await deploy('express')
    const text = `INSERT INTO sign_in_attempt VALUES ('password:' || $1, 10, now() + interval '90 seconds')`
    await query(text, 'late')

    const { status, retryAfter } = await signIn(browser(), 'late')

    assert.equal(status, 429)
    assert.ok(retryAfter > 0 && retryAfter <= 90, String(retryAfter))
  })

  it('forgets the attempts of a user who has signed in [HOST-02]', async () => {
    await deploy('express')
    const before = await control('attempts')
    await browser().submit(SIGN_IN, { name: 'ben', password: 'wrong' })

    await signIn(browser(), 'ben')

    assert.equal(await control('attempts'), before)
  })

  it('asks for the second factor after an old session, too [HOST-02]', async () => {
    const user = await oldUser('eve')
    await deploy('express')

    assert.equal((await user.post('/orders')).text, 'null')
    assert.equal((await user.open('/orders')).path, CODE)
    assert.equal((await user.get('/orders')).location, SIGN_IN)
  })

  it('ends the old session with the new one [HOST-02 SESS-09]', async () => {
    const user = await oldUser('ben')
    await deploy('express')
    await user.open('/orders')
    await deploy('before')
    await user.post('/login', { name: 'ben', password: PASSWORD })
    await deploy('express')
    const { csrfToken } = await user.orders()

    await user.post('/account/sign-out', { _csrf: csrfToken })

    assert.equal((await user.open('/orders')).path, SIGN_IN)
    await deploy('before')
    assert.equal((await user.get('/orders')).location, '/login')
  })

  it('leaves the hashes to the old application, for a rollback [HOST-02]', async () => {
    await deploy('express')
    await browser().submit(SIGN_IN, { name: 'ada', password: PASSWORD })

    const user = await oldUser('ada')

    assert.equal((await user.orders()).name, 'ada')
  })

  it('asks PostgreSQL nothing that reads a whole table [HOST-02]', async () => {
    await deploy('express')

    const plans = JSON.parse(await control('plans')) as Record<string, string>

    assert.deepEqual(
      Object.entries(plans).filter(([, plan]) => plan.includes('Seq Scan')),
      [],
    )
    assert.ok(Object.keys(plans).length >= 9, String(Object.keys(plans)))
  })

  it('knows the session of a browser behind a proxy that speaks HTTPS [HOST-03]', async () => {
    const user = await oldUser('ada')
    await deploy('express')
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'shop.test' }

    const { cookies } = await user.get('/account/continue?to=/orders', headers)

    assert.match(cookies[0] ?? '', /^__Host-.*; Secure$/)
    assert.equal((await user.get('/orders', headers)).status, 200)
    assert.equal((await user.get('/orders')).status, 302)
  })
})
