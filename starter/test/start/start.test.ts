import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { PASSWORD_BCRYPT, PasswordHasher } from 'sallyport/auth'
import { freePort } from 'sallyport-app/testing'
import { missing } from '../facts-of-parts.ts'
import { temporary } from '../support.ts'
import { codeNow, Program, Visitor } from './process.ts'

const PASSWORD = 'two-doors-one-gate'
const PRODUCTION = { NODE_ENV: 'production', FACTOR_KEY: `${'ab'.repeat(31)}01` }

/** Two processes with the same folder, and where they listen. */
async function startTwo(test: TestContext, directory: string) {
  const programs = [1, 2].map(() => new Program(test, { DATA_DIR: directory }))
  const secrets = await Promise.all(programs.map((program) => program.secret()))
  const urls = await Promise.all(programs.map((program) => program.url()))
  const accounts = new DatabaseSync(join(directory, 'accounts.sqlite'))
  test.after(() => accounts.close())
  const count = (rows: string): unknown =>
    accounts.prepare(`SELECT count(*) AS count FROM ${rows}`).get()?.['count']
  return { secrets, urls, accounts, count }
}

describe('npm start', () => {
  it('prints the address, the demo account and how to get its code, and a user gets through both doors', async (test) => {
    const directory = join(temporary(test), 'data')
    const program = new Program(test, { DATA_DIR: directory })
    const banner = await program.banner()
    const secret = await program.secret()
    const visitor = new Visitor(await program.url())
    const printed = await new Program(test, { DATA_DIR: directory }, ['code']).ended()

    const login = await visitor.password(PASSWORD)
    const between = await visitor.open('/account')
    const code = await visitor.code(/^\d{6}/.exec(printed.output)?.[0] ?? '')
    const admin = await visitor.open('/admin')
    const out = await visitor.submit('/logout')
    const after = await visitor.open('/account')

    for (const text of ['demo@sallyport.test', PASSWORD, secret, directory, '█▀'])
      assert.ok(banner.includes(text), text)
    assert.deepEqual([login.location, between.location, code.location], ['/login/2fa', '/login', '/account'])
    if (!missing('administration')) assert.match(admin.html, /<h1>Administration<\/h1>/)
    assert.deepEqual([out.location, after.location], ['/login', '/login'])
    assert.equal(statSync(directory).mode & 0o777, 0o700)
    const ended = await program.ended('SIGTERM')
    assert.deepEqual([ended.code, ended.signal, ended.errors], [0, null, ''])
  })

  it('loses nothing by kill -9: the session lives, the used code stays used [FACTOR-07]', async (test) => {
    const variables = { DATA_DIR: temporary(test), PORT: String(await freePort()) }
    const first = new Program(test, variables)
    const secret = await first.secret()
    const signedIn = new Visitor(await first.url())
    await signedIn.password(PASSWORD)
    const code = await codeNow(secret)
    assert.equal((await signedIn.code(code)).location, '/account')

    await first.ended('SIGKILL')
    const second = new Program(test, variables)
    const url = await second.url()

    assert.equal(await second.secret(), secret)
    assert.equal((await new Visitor(url, { before: signedIn }).open('/account')).status, 200)
    const other = new Visitor(url)
    await other.password(PASSWORD)
    assert.equal((await other.code(code)).status, 422)
  })

  it('that is killed during the first start leaves nothing that blocks the next one', async (test) => {
    const variables = { DATA_DIR: join(temporary(test), 'data'), PORT: String(await freePort()) }
    for (let round = 0; round < 4; round += 1) {
      const killed = new Program(test, variables)
      await pause(100 + Math.random() * 1100)
      assert.equal((await killed.ended('SIGKILL')).errors, '', 'nothing was wrong until then')
    }
    const first = new Program(test, variables)
    const secret = await first.secret()
    await first.ended('SIGKILL')

    const again = new Program(test, variables)

    assert.equal(await again.secret(), secret, 'the account that was shown is the account that is there')
    const visitor = new Visitor(await again.url())
    await visitor.password(PASSWORD)
    assert.equal((await visitor.code(await codeNow(secret))).location, '/account')
  })

  it('of two processes that start at once, one makes the factor; of one code sent to both, one is accepted [FACTOR-05 FACTOR-06]', async (test) => {
    const { urls, secrets, count } = await startTwo(test, temporary(test))
    const visitors = [...urls, ...urls, ...urls].map((url) => new Visitor(url))
    for (const visitor of visitors) {
      assert.equal((await visitor.password(PASSWORD)).location, '/login/2fa')
      await visitor.open('/login/2fa')
    }

    const code = await codeNow(secrets[0] ?? '')
    await Promise.all(visitors.map((visitor) => visitor.submit('/login/2fa', { code })))

    const pages = await Promise.all(visitors.map((visitor) => visitor.open('/account')))
    assert.equal(pages.filter((page) => page.status === 200).length, 1)
    assert.equal(secrets[0], secrets[1])
    assert.equal(count('factor'), 1)
  })

  it('of correct logins at two processes at the same time, with an outdated hash, none is refused [HOLD-60]', async (test) => {
    const { urls, accounts, count } = await startTwo(test, temporary(test))
    const old = await new PasswordHasher(PASSWORD_BCRYPT, { cost: 4 }).hash(PASSWORD)
    accounts.prepare('UPDATE account SET password_hash = ?').run(old)
    const open = async (url: string): Promise<Visitor> => {
      const visitor = new Visitor(url)
      await visitor.open('/login')
      return visitor
    }
    // Five in each queue of hashes: more could wait too long on a slow machine.
    const ten = await Promise.all(urls.flatMap((url) => Array.from({ length: 5 }, () => open(url))))
    const late = await Promise.all(urls.map(open))
    const logIn = (visitors: readonly Visitor[]) =>
      Promise.all(
        visitors.map((visitor) =>
          visitor.submit('/login', { email: 'demo@sallyport.test', password: PASSWORD }),
        ),
      )

    const run = { isOver: false }
    const over = logIn(ten).finally(() => (run.isOver = true))
    // As many are checked as the limit allows; it is full for later ones.
    while (count('attempt') !== 10 && !run.isOver) await pause(1)
    const answers = [...(await logIn(late)), ...(await over)]

    for (const { status, location } of answers) assert.equal(`${status} ${location}`, '303 /login/2fa')
    assert.equal(count('attempt'), 0)
  })

  it('serves the origin and the HOSTS, so that a health check by address is not a 421 [HOLD-09]', async (test) => {
    const variables = { DATA_DIR: temporary(test), ORIGIN: 'https://app.example' }
    const program = new Program(test, { ...variables, HOSTS: '127.0.0.1, www.app.example' })
    const [, port = ''] = /Listening on: http:\/\/127\.0\.0\.1:(\d+)/.exec(await program.banner()) ?? []
    const ask = async (host: string): Promise<unknown> => {
      const request = get({ host: '127.0.0.1', port, path: '/login', headers: { host } })
      const [response] = (await once(request, 'response')) as [IncomingMessage]
      response.resume()
      return response.statusCode
    }

    for (const host of ['app.example', '127.0.0.1:8080', 'www.app.example'])
      assert.equal(await ask(host), 200, host)
    assert.equal(await ask('other.example'), 421)
  })

  it('has a mailbox, a demo account and a key of its own on a development machine, and none of them in production', async (test) => {
    const mail = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'accounts@app.test' }
    const published = { ...PRODUCTION, ...mail, ORIGIN: 'https://app.test', HOSTS: '127.0.0.1' }
    for (const [variables, mailbox, signUp] of [
      [{}, 200, 200],
      [PRODUCTION, 404, 404],
      [published, 404, 200],
    ] as const) {
      const directory = temporary(test)
      const program = new Program(test, { DATA_DIR: directory, ...variables })
      const isProduction = 'NODE_ENV' in variables
      assert.equal(/Demo|Secret|Password/.test(await program.banner()), !isProduction)
      const url = new URL(await program.url())
      if (url.hostname === 'app.test') url.href = /on: (\S+)/.exec(await program.banner())?.[1] ?? ''
      const ask = async (path: string): Promise<number> => (await fetch(new URL(path, url))).status

      assert.deepEqual([await ask('/dev/mail'), await ask('/sign-up')], [mailbox, signUp])
      assert.equal(existsSync(join(directory, 'factor.key')), !isProduction)
    }
  })

  it('prints addresses below BASE_PATH, serves there, and gives it to links of commands [MEND-12]', async (test) => {
    const variables = { DATA_DIR: temporary(test), BASE_PATH: '/accounts', DEMO: '0' }
    const program = new Program(test, variables)
    const banner = await program.banner()
    const url = await program.url()
    const adding = ['add', 'eve@example.test', '--name', 'Eve', '--reason', 'ticket 4711']

    const page = await new Visitor(url).open('/login')
    const added = await new Program(test, variables, adding).ended()
    const checked = await new Program(test, variables, ['check']).ended()

    assert.match(url, /^http:\/\/[^/]+\/accounts$/)
    assert.match(banner, /http:\/\/[^/]+\/accounts\/sign-up,.*: http:\/\/[^/]+\/accounts\/dev\/mail/)
    assert.equal(page.status, 200)
    if (!missing('administration')) assert.match(added.output, /http:\/\/[^/]+\/accounts\/set-up\/[\w-]+/)
    assert.match(checked.output, /^Base path: \/accounts$/m)
  })
})
