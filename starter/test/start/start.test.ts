import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from 'sallyport-app/testing'
import { temporary } from '../support.ts'
import { codeNow, Program, Visitor } from './process.ts'

const PASSWORD = 'two-doors-one-gate'
const PRODUCTION = { NODE_ENV: 'production', FACTOR_KEY: `${'ab'.repeat(31)}01` }

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
    const inside = await visitor.open('/account')
    const out = await visitor.submit('/logout')
    const after = await visitor.open('/account')

    for (const text of ['demo@sallyport.test', PASSWORD, secret, directory, '█▀'])
      assert.ok(banner.includes(text), text)
    assert.deepEqual([login.location, between.location, code.location], ['/login/2fa', '/login', '/account'])
    assert.equal(inside.status, 200)
    assert.deepEqual([out.location, after.location], ['/login', '/login'])
    assert.equal(statSync(directory).mode & 0o777, 0o700)
    const ended = await program.ended('SIGTERM')
    assert.deepEqual([ended.code, ended.signal, ended.errors], [0, null, ''])
  })

  it('loses nothing by kill -9, from the first start on: the account and the session live, the used code stays used [FACTOR-07]', async (test) => {
    const variables = { DATA_DIR: join(temporary(test), 'data'), PORT: String(await freePort()) }
    for (let round = 0; round < 4; round += 1) {
      const killed = new Program(test, variables)
      await pause(100 + Math.random() * 1100)
      assert.equal((await killed.ended('SIGKILL')).errors, '', 'nothing was wrong until then')
    }
    const first = new Program(test, variables)
    const secret = await first.secret()
    const signedIn = new Visitor(await first.url())
    await signedIn.password(PASSWORD)
    const code = await codeNow(secret)
    assert.equal((await signedIn.code(code)).location, '/account')

    await first.ended('SIGKILL')
    const second = new Program(test, variables)
    const url = await second.url()

    assert.equal(await second.secret(), secret, 'the account that was shown is the account that is there')
    assert.equal((await new Visitor(url, { before: signedIn }).open('/account')).status, 200)
    const other = new Visitor(url)
    await other.password(PASSWORD)
    assert.equal((await other.code(code)).status, 422)
  })

  it('has a mailbox, a demo account and a key of its own on a development machine, and none of them in production; an origin is served with its HOSTS and no other [HOLD-09]', async (test) => {
    const mail = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'accounts@app.test' }
    const published = { ...PRODUCTION, ...mail, ORIGIN: 'https://app.test', HOSTS: '127.0.0.1' }
    for (const [variables, mailbox, signUp, otherHost] of [
      [{}, 200, 200, 200],
      [PRODUCTION, 404, 404, 200],
      [published, 404, 200, 421],
    ] as const) {
      const directory = temporary(test)
      const program = new Program(test, { DATA_DIR: directory, ...variables })
      const isProduction = 'NODE_ENV' in variables
      const banner = await program.banner()
      assert.equal(/Demo|Secret|Password/.test(banner), !isProduction)
      const [, port = ''] = /http:\/\/(?:127\.0\.0\.1|localhost):(\d+)/.exec(banner) ?? []
      const ask = async (path: string, host = `127.0.0.1:${port}`): Promise<unknown> => {
        const request = get({ host: '127.0.0.1', port, path, headers: { host } })
        const [response] = (await once(request, 'response')) as [IncomingMessage]
        response.resume()
        return response.statusCode
      }

      assert.deepEqual([await ask('/dev/mail'), await ask('/sign-up')], [mailbox, signUp])
      assert.equal(await ask('/login', 'other.example'), otherHost)
      assert.equal(existsSync(join(directory, 'factor.key')), !isProduction)
    }
  })
})
