import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { FrozenClock, TestClient } from 'sallyport/testing'
import { StartupError } from 'sallyport-app/settings'
import { statusOf } from 'sallyport-app/testing'
import { readEnvironment } from '../../../core/boot/environment.ts'
import { runPrinted } from '../../../test/commands/printed.ts'
import { temporary, World } from '../../../test/support.ts'
import { OpsCredentials } from '../ops-credentials.ts'
import { OPS_CLIENT_LIMIT } from '../ops-gate.ts'
import { ops } from '../part.ts'
import { giveMailUp } from './facts.ts'

const { password, hash } = OpsCredentials.create()
const RIGHT = basic('ops', password.reveal())
const CHALLENGE = 'Basic realm="Operations", charset="UTF-8"'
const SECURE = { origin: 'https://app.test' }

type Sent = Readonly<Record<string, string>>

function basic(username: string, secret: string): string {
  return `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}`
}

function operated(test: TestContext, allowsLoopback = false): Promise<World> {
  return World.create(test, { operations: { hash, allowsLoopback } })
}

async function shown(world: World): Promise<string> {
  const client = new TestClient(world.app, SECURE)
  const response = await client.get('/ops', { headers: { authorization: RIGHT } })
  assert.equal(response.status, 200)
  return response.text()
}

describe('/ops', () => {
  it('does not exist without credentials in the environment', async (test) => {
    const world = await World.create(test)

    const response = await new TestClient(world.app).get('/ops', { headers: { authorization: RIGHT } })

    assert.deepEqual([response.status, response.headers.has('www-authenticate')], [404, false])
  })

  it('shows the status to an operator, and opens no account', async (test) => {
    const world = await operated(test)
    await world.person('ada', { factor: 'enabled' })
    const client = new TestClient(world.app, SECURE)

    const html = await shown(world)

    assert.match(html, /1 active, 0 disabled, 1 with a second step/)
    assert.match(html, /The store answers/)
    assert.equal((await client.get('/account', { headers: { authorization: RIGHT } })).status, 302)
  })

  it('lists the emails that could not be sent without naming a person, and tries them again by a form with a CSRF token [RA-3205 BASIC-16]', async (test) => {
    const world = await operated(test)
    const client = new TestClient(world.app, SECURE)
    const headers = { authorization: RIGHT }
    await giveMailUp(world)
    const html = await (await client.get('/ops', { headers })).text()
    const [, token = ''] = /name="_csrf" value="([^"]+)"/.exec(html) ?? []
    const retry = (form: Sent): Promise<Response> => client.post('/ops/mails/retry', { form, headers })

    assert.equal((await retry({})).status, 403)
    assert.match(html, /<code>confirm<\/code> · 550/)
    assert.doesNotMatch(html, /a@b\.test/)
    assert.deepEqual(await world.database.selectFrom('event').select('kind').execute(), [])
    assert.equal((await retry({ _csrf: token })).status, 303)
    assert.match(await shown(world), /Waiting to be sent<\/dt><dd>1</)
    const events = await world.database.selectFrom('event').select(['kind', 'actor']).execute()
    assert.deepEqual(events, [{ kind: 'mails-retried', actor: 'ops' }])
  })

  it('is refused over plain HTTP, whoever says that it is, without being asked for credentials, and says what to do [RA-0007 BASIC-15]', async (test) => {
    const world = await operated(test)
    const open = async (origin: string, headers: Sent): Promise<Response> =>
      new TestClient(world.app, { origin }).get('/ops', { headers })

    for (const [origin, headers, status] of [
      ['http://app.test', {}, 403],
      [SECURE.origin, { 'x-forwarded-proto': 'HTTP' }, 403],
      [SECURE.origin, { 'x-forwarded-proto': 'http, https' }, 403],
      [SECURE.origin, { forwarded: 'for=192.0.2.1;proto=http' }, 403],
      [SECURE.origin, { forwarded: 'proto="http";by=_a, proto=https' }, 403],
      [SECURE.origin, { 'x-forwarded-proto': 'https, http' }, 200],
      [SECURE.origin, { forwarded: 'for=192.0.2.1;proto=https, proto=http' }, 200],
    ] as const) {
      const answer = await open(origin, { authorization: RIGHT, ...headers })
      assert.deepEqual([answer.status, answer.headers.has('www-authenticate')], [status, false])
      if (status === 403) assert.match(await answer.text(), /^These pages are served over HTTPS only\. Open/)
    }
    for (const [origin, code] of Object.entries({
      [SECURE.origin]: 'ERR_AUTH_UNAUTHORIZED',
      'http://app.test': 'ERR_OPS_INSECURE',
    })) {
      const problem = (await (await open(origin, { accept: 'application/json' })).json()) as object
      assert.deepEqual({ ...problem, code }, problem)
    }
  })

  it('is served over plain HTTP to the same machine only, where that is allowed, whatever a client claims [BASIC-15]', async (test) => {
    const [allowed, refused] = [await operated(test, true), await operated(test)]
    const headers = { authorization: RIGHT }
    const url = `${await refused.listen(test)}/ops`

    assert.equal(await statusOf(`${await allowed.listen(test)}/ops`, headers), 200)
    const far = new Request('http://app.test/ops', { headers })
    assert.equal((await allowed.app.fetch(far, { clientAddress: '192.0.2.1' })).status, 403)
    const claims = { 'x-forwarded-proto': 'https', forwarded: 'proto=https;for=127.0.0.1', host: 'localhost' }
    for (const claim of [{}, claims]) assert.equal(await statusOf(url, { ...headers, ...claim }), 403)
  })

  it('refuses wrong credentials of any kind, and asks for them at every spelling of its paths', async (test) => {
    const world = await operated(test)
    const client = new TestClient(world.app, SECURE)
    const secret = password.reveal()
    const wrong = [basic('', secret), basic('Ops', secret), basic('ops', hash), `Bearer ${secret}`]
    for (const authorization of wrong) {
      const answer = await client.get('/ops', { headers: { authorization } })
      assert.deepEqual([answer.status, answer.headers.get('www-authenticate')], [401, CHALLENGE])
    }

    for (const path of ['/ops', '/%6Fps', '/OPS', '/ops/', '/ops?x']) {
      const answer = await client.get(path, { follow: true })
      assert.ok([401, 405].includes(answer.status), `${path}: ${answer.status}`)
    }
  })

  it('answers a client that guesses with 429 after many wrong passwords, and lets the right one in', async (test) => {
    const world = await operated(test)
    const send = async (authorization: string): Promise<number> => {
      const sent = new Request('https://app.test/ops', { headers: { authorization } })
      return (await world.app.fetch(sent, { clientAddress: '192.0.2.1' })).status
    }

    const statuses = []
    for (let times = 0; times <= OPS_CLIENT_LIMIT.failures; times += 1)
      statuses.push(await send(basic('ops', String(times))))

    assert.deepEqual([statuses.at(0), statuses.at(-2), statuses.at(-1)], [401, 401, 429])
    assert.equal(await send(RIGHT), 200)
    const refused = await world.database.selectFrom('event').select('kind').execute()
    assert.equal(refused.filter(({ kind }) => kind === 'ops-refused').length, 20)
  })
})

describe('ops-password', () => {
  const clock = new FrozenClock('2026-01-01T00:00:00Z')

  it('prints what to configure, and the password that it opens for; check names it [RA-3201]', async (test) => {
    const DATA_DIR = temporary(test)
    const { exitCode, text } = await runPrinted(['ops-password'], { DATA_DIR }, clock)
    const [, printed = ''] = /OPS_HASH=(\S+)/.exec(text) ?? []
    const [username = '', secret = ''] = text.trimEnd().split(/\n\s*/).slice(-2)
    const [read] = readEnvironment({ OPS_HASH: printed }, [ops]).ofParts
    const credentials = new OpsCredentials(read?.settings.operations?.hash ?? '')

    const check = await runPrinted(['check'], { DATA_DIR, OPS_HASH: printed }, clock)

    assert.equal(exitCode, 0)
    assert.equal(credentials.match({ username, password: secret }), true)
    assert.ok(secret.length >= 32 && !printed.includes(secret))
    assert.match(check.text, /^Switched on: .*\/ops \(OPS_HASH\)/m)
  })

  it('is all that OPS_HASH takes: what else it holds is refused without being told', () => {
    for (const value of ['ops:password', `sha256-${'A'.repeat(42)}`, ' '])
      assert.throws(
        () => readEnvironment({ OPS_HASH: value }, [ops]),
        (error) =>
          error instanceof StartupError &&
          error.message.startsWith('OPS_HASH must be') &&
          !/password:|AAA/.test(error.message),
      )
  })
})
