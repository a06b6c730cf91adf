import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { PASSWORD_BCRYPT, PasswordHasher } from 'sallyport/auth'
import { openDatabase } from '../../core/database/open.ts'
import { PARTS } from '../../parts.ts'
import { freePort } from '../free-port.ts'
import { temporary } from '../support.ts'
import { codeNow, Program, Visitor } from './process.ts'

const PASSWORD = 'two-doors-one-gate'
const KEY = `${'ab'.repeat(31)}01`
const OTHER_KEY = `${'cd'.repeat(31)}01`

function start(test: TestContext, variables: Readonly<Record<string, string>>): Program {
  return new Program(test, { PORT: '0', ...variables })
}

describe('npm start', () => {
  it('prints the address, the demo account and how to get its code, and a user gets through both doors', async (test) => {
    const directory = join(temporary(test), 'data')
    const program = start(test, { DATA_DIR: directory })
    const banner = await program.banner()
    const secret = await program.secret()
    const visitor = new Visitor(await program.url())

    const login = await visitor.password(PASSWORD)
    const between = await visitor.open('/account')
    const code = await visitor.code(await codeNow(secret))
    const admin = await visitor.open('/admin')
    const out = await visitor.submit('/logout')
    const after = await visitor.open('/account')

    for (const text of ['demo@sallyport.test', PASSWORD, secret, directory, '█▀'])
      assert.ok(banner.includes(text), text)
    assert.deepEqual([login.location, between.location, code.location], ['/login/2fa', '/login', '/account'])
    assert.match(admin.html, /<h1>Administration<\/h1>/)
    assert.deepEqual([out.location, after.location], ['/login', '/login'])
    assert.equal(statSync(directory).mode & 0o777, 0o700)
    assert.equal(statSync(join(directory, 'factor.key')).mode & 0o777, 0o600)
    for (const file of ['accounts.sqlite', 'sessions.sqlite'])
      assert.equal(statSync(join(directory, file)).mode & 0o777, 0o600, file)
    const ended = await program.ended('SIGTERM')
    assert.deepEqual([ended.code, ended.signal, ended.errors], [0, null, ''])
  })

  it('loses nothing by kill -9: the session lives, the used code stays used [FACTOR-07]', async (test) => {
    const variables = { DATA_DIR: temporary(test), PORT: String(await freePort()) }
    const first = start(test, variables)
    const secret = await first.secret()
    const signedIn = new Visitor(await first.url())
    await signedIn.password(PASSWORD)
    const code = await codeNow(secret)
    assert.equal((await signedIn.code(code)).location, '/account')

    await first.ended('SIGKILL')
    const second = start(test, variables)
    const url = await second.url()

    assert.equal(await second.secret(), secret)
    assert.equal((await new Visitor(url, signedIn).open('/account')).status, 200)
    const other = new Visitor(url)
    await other.password(PASSWORD)
    assert.equal((await other.code(code)).status, 422)
  })

  it('of one code sent to two processes at the same time, one is accepted [FACTOR-05 FACTOR-06]', async (test) => {
    const directory = temporary(test)
    const programs = [start(test, { DATA_DIR: directory }), start(test, { DATA_DIR: directory })]
    const urls = await Promise.all(programs.map((program) => program.url()))
    const visitors = [...urls, ...urls, ...urls].map((url) => new Visitor(url))
    for (const visitor of visitors) {
      assert.equal((await visitor.password(PASSWORD)).location, '/login/2fa')
      await visitor.open('/login/2fa')
    }

    const code = await codeNow((await programs[0]?.secret()) ?? '')
    await Promise.all(visitors.map((visitor) => visitor.submit('/login/2fa', { code })))

    const pages = await Promise.all(visitors.map((visitor) => visitor.open('/account')))
    assert.equal(pages.filter((page) => page.status === 200).length, 1)
  })

  it('of two codes sent to two processes at the same time for one challenge, one signs in [A-121]', async (test) => {
    const directory = temporary(test)
    const programs = [start(test, { DATA_DIR: directory }), start(test, { DATA_DIR: directory })]
    const urls = await Promise.all(programs.map((program) => program.url()))
    const pending = new Visitor(urls[0] ?? '')
    await pending.password(PASSWORD)
    const visitors = [...urls, ...urls].map((url) => new Visitor(url, pending))
    for (const visitor of visitors) await visitor.open('/login/2fa')

    const secret = (await programs[0]?.secret()) ?? ''
    const codes = [await codeNow(secret, -1), await codeNow(secret)]
    const answers = await Promise.all(
      visitors.map((visitor, index) => visitor.submit('/login/2fa', { code: codes[index % 2] ?? '' })),
    )

    assert.equal(answers.filter(({ location }) => location === '/account').length, 1)
    const pages = await Promise.all(visitors.map((visitor) => visitor.open('/account')))
    assert.equal(pages.filter((page) => page.status === 200).length, 1)
  })

  it('of correct logins at two processes at the same time, with an outdated hash, none is refused [HOLD-60]', async (test) => {
    const directory = temporary(test)
    const programs = [start(test, { DATA_DIR: directory }), start(test, { DATA_DIR: directory })]
    const [one = '', other = ''] = await Promise.all(programs.map((program) => program.url()))
    const accounts = new DatabaseSync(join(directory, 'accounts.sqlite'))
    test.after(() => accounts.close())
    const old = await new PasswordHasher(PASSWORD_BCRYPT, { cost: 4 }).hash(PASSWORD)
    accounts.prepare('UPDATE account SET password_hash = ?').run(old)
    const counted = (): unknown => accounts.prepare('SELECT count(*) AS count FROM attempt').get()?.['count']
    const open = async (url: string): Promise<Visitor> => {
      const visitor = new Visitor(url)
      await visitor.open('/login')
      return visitor
    }
    // Five in each queue of hashes: more could wait too long on a slow machine.
    const ten = await Promise.all([one, other].flatMap((url) => Array.from({ length: 5 }, () => open(url))))
    const late = await Promise.all([one, other].map(open))

    const logIn = (visitors: readonly Visitor[]) =>
      Promise.all(
        visitors.map((visitor) =>
          visitor.submit('/login', { email: 'demo@sallyport.test', password: PASSWORD }),
        ),
      )
    const run = { isOver: false }
    const over = logIn(ten).finally(() => (run.isOver = true))
    // As many are checked as the limit allows; it is full for later ones.
    while (counted() !== 10 && !run.isOver) await pause(1)
    const answers = [...(await logIn(late)), ...(await over)]

    assert.deepEqual(
      answers.map(({ status, location }) => `${status} ${location}`),
      answers.map(() => '303 /login/2fa'),
    )
    assert.equal(counted(), 0)
  })

  it('prints the current code with "npm start -- code", even while it runs', async (test) => {
    const directory = temporary(test)
    const program = start(test, { DATA_DIR: directory })
    const visitor = new Visitor(await program.url())
    await visitor.password(PASSWORD)

    const { code, output } = await new Program(test, { DATA_DIR: directory }, ['code']).ended()

    assert.equal(code, 0)
    assert.equal((await visitor.code(/^\d{6}/.exec(output)?.[0] ?? '')).location, '/account')
  })

  it('suggests nothing in production that production refuses', async (test) => {
    const variables = { DATA_DIR: temporary(test), NODE_ENV: 'production', FACTOR_KEY: KEY, DEMO: '1' }

    const banner = await start(test, variables).banner()

    assert.match(banner, /shown once/)
    assert.equal(banner.includes('-- code'), false)
  })

  it('creates one factor when two processes start for the first time at once', async (test) => {
    const directory = temporary(test)
    const programs = [1, 2].map(() => start(test, { DATA_DIR: directory }))

    const secrets = await Promise.all(programs.map((program) => program.secret()))

    assert.equal(secrets[0], secrets[1])
    const accounts = new DatabaseSync(join(directory, 'accounts.sqlite'))
    assert.equal(accounts.prepare('SELECT count(*) AS count FROM factor').get()?.['count'], 1)
    accounts.close()
  })

  it('serves the origin and the HOSTS, so that a health check by address is not a 421 [HOLD-09]', async (test) => {
    const variables = { DATA_DIR: temporary(test), ORIGIN: 'https://app.example' }
    const ask = async (program: Program, host: string): Promise<number | undefined> => {
      const [, port = ''] = /Listening on: http:\/\/127\.0\.0\.1:(\d+)/.exec(await program.banner()) ?? []
      const request = get({ host: '127.0.0.1', port, path: '/login', headers: { host } })
      const [response] = (await once(request, 'response')) as [IncomingMessage]
      response.resume()
      return response.statusCode
    }
    const without = start(test, variables)
    const named = start(test, { ...variables, HOSTS: '127.0.0.1, www.app.example' })

    const statuses = { without: [] as unknown[], named: [] as unknown[] }
    for (const host of ['app.example', '127.0.0.1:8080', 'www.app.example', 'other.example']) {
      statuses.without.push(await ask(without, host))
      statuses.named.push(await ask(named, host))
    }

    assert.deepEqual(statuses, { without: [200, 421, 421, 421], named: [200, 200, 200, 421] })
  })

  it('has no demo account and no key of its own in production', async (test) => {
    const directory = temporary(test)
    const program = start(test, { DATA_DIR: directory, NODE_ENV: 'production', FACTOR_KEY: KEY })

    const banner = await program.banner()

    assert.equal(/Demo|Secret|Password/.test(banner), false)
    assert.equal(existsSync(join(directory, 'factor.key')), false)
  })

  it('has a mailbox at /dev/mail on a development machine, and none in production, with or without a mail server', async (test) => {
    const statuses: unknown[] = []
    const mail = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'accounts@app.test' }
    const production = { NODE_ENV: 'production', FACTOR_KEY: KEY }
    const published = { ...production, ...mail, ORIGIN: 'https://app.test', HOSTS: '127.0.0.1' }
    for (const variables of [{}, production, published, mail]) {
      const program = start(test, { DATA_DIR: temporary(test), ...variables })
      const url = await program.url()
      const ask = async (path: string): Promise<number> => (await fetch(new URL(path, url))).status
      statuses.push([await ask('/dev/mail'), await ask('/sign-up')])
    }

    assert.deepEqual(statuses, [
      [200, 200],
      [404, 404],
      [404, 200],
      [404, 200],
    ])
  })
})

describe('npm start that fails', () => {
  async function assertRefused(program: Program, text: RegExp): Promise<void> {
    const { code, output, errors } = await program.ended()
    assert.equal(code, 1)
    assert.equal(output, '')
    assert.match(errors, /^Cannot start: [^\n]+[^.\n]\.\n$/)
    assert.match(errors, text)
  }

  it('reports in one line that the port is in use', async (test) => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    test.after(() => other.close())
    const address = other.address()
    assert.ok(typeof address === 'object' && address !== null)

    await assertRefused(start(test, { DATA_DIR: temporary(test), PORT: String(address.port) }), /in use/)
  })

  it('reports in one line that the data folder is not writable', async (test) => {
    await assertRefused(
      start(test, { DATA_DIR: '/proc/sallyport' }),
      /data folder \/proc\/sallyport cannot be written/,
    )
  })

  it('reports in one line that production lacks its key', async (test) => {
    await assertRefused(
      start(test, { DATA_DIR: temporary(test), NODE_ENV: 'production' }),
      /FACTOR_KEY is missing/,
    )
  })

  it('reports in one line that production lacks its origin, or that the cookie would go out without Secure [RA-3203]', async (test) => {
    const production = { DATA_DIR: temporary(test), NODE_ENV: 'production', FACTOR_KEY: KEY }

    await assertRefused(start(test, { ...production, HOST: '0.0.0.0' }), /ORIGIN is missing/)
    await assertRefused(
      start(test, { ...production, ORIGIN: 'http://app.example' }),
      /ORIGIN must begin with https/,
    )
  })

  it('starts with a warning when every client has one address, and check shows it [RA-3203]', async (test) => {
    const variables = {
      DATA_DIR: temporary(test),
      NODE_ENV: 'production',
      FACTOR_KEY: KEY,
      ORIGIN: 'https://app.example',
    }
    const program = start(test, variables)
    await program.banner()
    const { code, output, errors } = await program.ended('SIGTERM')
    const check = await new Program(test, variables, ['check']).ended()

    assert.equal(code, 0)
    assert.match(output + errors, /TRUSTED_PROXIES is not set: every client has the address of the proxy/)
    assert.match(check.output, /Warning: TRUSTED_PROXIES is not set/)
    assert.equal((output + errors + check.output).includes(KEY), false)
  })

  for (const file of ['accounts.sqlite', 'sessions.sqlite']) {
    it(`reports in one line that ${file} is not a database`, async (test) => {
      const directory = temporary(test)
      writeFileSync(join(directory, file), 'not a database, but long enough to be taken for one'.repeat(100))

      await assertRefused(
        start(test, { DATA_DIR: directory }),
        new RegExp(`${file} is damaged or not a database`),
      )
    })
  }

  it('a command that does not exist ends with 2 and names the way to the list [RA-3201]', async (test) => {
    const ended = await new Program(test, { DATA_DIR: temporary(test), PORT: '0' }, ['cdoe']).ended()

    assert.deepEqual([ended.code, ended.output], [2, ''])
    assert.match(
      ended.errors,
      /^Cannot run "cdoe": there is no such command\. "npm start -- help" [^\n]+[^.\n]\.\n$/,
    )
  })

  it('reports in one line that the database belongs to another program', async (test) => {
    const directory = temporary(test)
    const other = new DatabaseSync(join(directory, 'accounts.sqlite'))
    other.exec('CREATE TABLE account (number)')
    other.close()

    await assertRefused(
      start(test, { DATA_DIR: directory }),
      /accounts\.sqlite does not belong to this application: move it away/,
    )
  })

  it('reports in one line that a table of the database is missing', async (test) => {
    const directory = temporary(test)
    const path = join(directory, 'accounts.sqlite')
    await (await openDatabase(path, { parts: PARTS })).destroy()
    const other = new DatabaseSync(path)
    other.exec('DROP TABLE used_step')
    other.close()

    await assertRefused(
      start(test, { DATA_DIR: directory }),
      /accounts\.sqlite has no used_step: restore it from a copy, or move it away/,
    )
  })

  it('reports in one line that the database is locked, damaged inside, or of a newer version', async (test) => {
    const directory = temporary(test)
    const path = join(directory, 'accounts.sqlite')
    await (await openDatabase(path, { parts: PARTS })).destroy()
    const other = new DatabaseSync(path)

    other.exec('BEGIN EXCLUSIVE')
    await assertRefused(start(test, { DATA_DIR: directory }), /accounts\.sqlite is locked by another program/)
    other.exec('ROLLBACK')
    other.exec("INSERT INTO kysely_migration VALUES ('999_later', '2090-01-01T00:00:00.000Z')")
    other.close()
    await assertRefused(start(test, { DATA_DIR: directory }), /made by another version/)
    const bytes = readFileSync(path)
    bytes.fill(0xff, 4096)
    writeFileSync(path, bytes)
    await assertRefused(start(test, { DATA_DIR: directory }), /accounts\.sqlite is damaged/)
  })

  it('deletes old entries of the trail on request, and refuses a short time', async (test) => {
    const directory = temporary(test)
    const done = await new Program(test, { DATA_DIR: directory }, ['trim', '400']).ended()

    assert.deepEqual([done.code, done.output, done.errors], [0, '0 entries over 400 days deleted.\n', ''])
    for (const [line, text] of [
      [['trim', '3'], /older than 3 days: use a whole number of days, 90 or more: "npm start -- trim 400"/],
      [['trim'], /an argument is missing/],
    ] as const) {
      const refused = await new Program(test, { DATA_DIR: directory }, line).ended()
      assert.deepEqual([refused.code, refused.output], [2, ''])
      assert.match(refused.errors, text)
    }
  })

  it('reports in one line that the key has changed', async (test) => {
    const directory = temporary(test)
    const first = start(test, { DATA_DIR: directory, FACTOR_KEY: KEY })
    await first.banner()
    await first.ended('SIGTERM')

    await assertRefused(start(test, { DATA_DIR: directory, FACTOR_KEY: OTHER_KEY }), /has FACTOR_KEY changed/)
  })

  it('starts with another key without the demo account, and writes an error that names the remedy [RA-3203]', async (test) => {
    const directory = temporary(test)
    const first = start(test, { DATA_DIR: directory, FACTOR_KEY: KEY })
    await first.banner()
    await first.ended('SIGTERM')

    const program = start(test, { DATA_DIR: directory, FACTOR_KEY: OTHER_KEY, DEMO: '0' })
    const banner = await program.banner()
    const { code, output, errors } = await program.ended('SIGTERM')

    assert.equal(code, 0)
    assert.doesNotMatch(banner, /demo@sallyport\.test/)
    assert.match(output + errors, /no key opens the secrets of some factors \(1\)/)
  })
})
