import assert from 'node:assert/strict'
import { request } from 'node:http'
import { describe, it, type TestContext } from 'node:test'
import { TestClient } from 'sallyport/testing'
import { OPS_CLIENT_LIMIT } from '../limit.ts'
import { OpsCredentials } from '../ops-credentials.ts'
import { World } from '../../../test/support.ts'

const { password, hash } = OpsCredentials.create()
const RIGHT = basic('ops', password.reveal())
const CHALLENGE = 'Basic realm="Operations", charset="UTF-8"'
const DAY = 86_400

function basic(username: string, secret: string): string {
  return `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}`
}

function operated(test: TestContext, options: { readonly allowsLoopback?: boolean } = {}): Promise<World> {
  const { allowsLoopback = false } = options
  return World.create(test, { operations: { hash, allowsLoopback } })
}

/** A browser of an operator. */
class Desk {
  readonly client: TestClient
  #token = ''

  constructor(world: World) {
    this.client = new TestClient(world.app, { origin: 'https://app.test' })
  }

  async open(authorization = RIGHT): Promise<{ readonly status: number; readonly html: string }> {
    const response = await this.client.get('/ops', { headers: { authorization } })
    const html = await response.text()
    this.#token = /name="_csrf" value="([^"]+)"/.exec(html)?.[1] ?? this.#token
    return { status: response.status, html }
  }

  trim(age: string, headers: Readonly<Record<string, string>> = {}, token = this.#token): Promise<Response> {
    const form = { _csrf: token, age }
    return this.client.post('/ops/trim', { form, headers: { authorization: RIGHT, ...headers } })
  }
}

async function entries(world: World): Promise<number> {
  return (await world.database.selectFrom('event').select('id').execute()).length
}

// The database itself keeps younger entries, by its own clock.
async function oldEntry(world: World): Promise<void> {
  await world.database
    .insertInto('event')
    .values({
      at: world.clock.timestamp() - 500 * DAY,
      account_id: null,
      kind: 'logged-in',
      client_address: '',
    })
    .execute()
}

describe('/ops', () => {
  it('does not exist without credentials in the environment', async (test) => {
    const world = await World.create(test)

    const response = await new TestClient(world.app).get('/ops', { headers: { authorization: RIGHT } })

    assert.equal(response.status, 404)
    assert.equal(response.headers.has('www-authenticate'), false)
  })

  it('shows the status to an operator, and opens no account', async (test) => {
    const world = await operated(test)
    await world.person('ada', { factor: 'enabled' })
    const desk = new Desk(world)

    const { status, html } = await desk.open()

    assert.equal(status, 200)
    assert.match(html, /1 active, 0 disabled, 1 with a second step/)
    assert.match(html, /The store answers/)
    assert.match(html, /<code>part_\w+<\/code>/)
    assert.equal((await desk.client.get('/account', { headers: { authorization: RIGHT } })).status, 302)
  })

  it('is refused over plain HTTP without being asked for credentials, and says what to do [BASIC-15]', async (test) => {
    const world = await operated(test)
    const client = new TestClient(world.app, { origin: 'http://app.test' })

    const answers = [
      await client.get('/ops', { headers: { authorization: RIGHT } }),
      await client.get('/ops'),
      await client.post('/ops/trim', { form: { age: '400' }, headers: { authorization: RIGHT } }),
    ]

    for (const answer of answers) {
      assert.equal(answer.status, 403)
      assert.equal(answer.headers.has('www-authenticate'), false)
      assert.match(await answer.text(), /^These pages are served over HTTPS only\. Open them with https:\/\//)
    }
  })

  it('tells a program in problem details why it is closed [RA-0007 BASIC-15]', async (test) => {
    const world = await operated(test)
    const headers = { accept: 'application/json' }

    const answers = [
      await new TestClient(world.app, { origin: 'https://app.test' }).get('/ops', { headers }),
      await new TestClient(world.app, { origin: 'http://app.test' }).get('/ops', { headers }),
    ]

    const problems = []
    for (const answer of answers) {
      assert.equal(answer.headers.get('content-type'), 'application/problem+json')
      const { code } = (await answer.json()) as { code: string }
      problems.push([answer.status, code, answer.headers.get('www-authenticate')])
    }
    assert.deepEqual(problems, [
      [401, 'ERR_AUTH_UNAUTHORIZED', CHALLENGE],
      [403, 'ERR_OPS_INSECURE', null],
    ])
  })

  it('is refused when a proxy says that the browser came over plain HTTP [BASIC-15]', async (test) => {
    const world = await operated(test)
    const client = new TestClient(world.app, { origin: 'https://app.test' })
    const ask = async (headers: Readonly<Record<string, string>>): Promise<Response> =>
      client.get('/ops', { headers: { authorization: RIGHT, ...headers } })

    const plain = ['http', 'HTTP', 'http, https'].map((value) => ({ 'x-forwarded-proto': value }))
    const forwarded = ['for=192.0.2.1;proto=http', 'proto="http";by=_a, proto=https', 'Proto=http'].map(
      (value) => ({ forwarded: value }),
    )
    for (const headers of [...plain, ...forwarded]) {
      const answer = await ask(headers)
      assert.equal(answer.status, 403, JSON.stringify(headers))
      assert.equal(answer.headers.has('www-authenticate'), false)
    }
    for (const headers of [
      { 'x-forwarded-proto': 'https' },
      { 'x-forwarded-proto': 'https, http' },
      { forwarded: 'for=192.0.2.1;proto=https, proto=http' },
    ])
      assert.equal((await ask(headers)).status, 200, JSON.stringify(headers))
  })

  it('is served over plain HTTP to the same machine only, and only where that is allowed [BASIC-15]', async (test) => {
    const allowed = await operated(test, { allowsLoopback: true })
    const refused = await operated(test)
    const headers = { authorization: RIGHT }

    const statuses = []
    for (const world of [allowed, refused])
      statuses.push((await fetch(`${await world.listen(test)}/ops`, { headers })).status)
    const far = new Request('http://app.test/ops', { headers })
    statuses.push((await allowed.app.fetch(far, { clientAddress: '192.0.2.1' })).status)

    assert.deepEqual(statuses, [200, 403, 403])
  })

  it('believes no client that claims to come by HTTPS or from this machine [BASIC-15]', async (test) => {
    const world = await operated(test, { allowsLoopback: false })
    const url = `${await world.listen(test)}/ops`

    for (const claim of [
      { 'x-forwarded-proto': 'https' },
      { forwarded: 'proto=https;for=127.0.0.1' },
      { 'x-forwarded-for': '127.0.0.1' },
      { 'x-forwarded-ssl': 'on' },
      { host: 'localhost' },
    ])
      assert.equal(await statusOf(url, { authorization: RIGHT, ...claim }), 403)
  })

  const wrong: readonly (readonly [name: string, value: string])[] = [
    ['nothing', ''],
    ['empty parts', basic('', '')],
    ['an empty password', basic('ops', '')],
    ['an empty name', basic('', password.reveal())],
    ['another name', basic('Ops', password.reveal())],
    ['another password', basic('ops', `${password.reveal()}x`)],
    ['the hash', basic('ops', hash)],
    ['shifted parts', basic('', `ops:${password.reveal()}`)],
    ['the name in the password', basic(`ops:${password.reveal()}`, '')],
    ['no colon', `Basic ${btoa('ops')}`],
    ['no Base64', 'Basic !!!'],
    ['blanks at the end', basic('ops', `${password.reveal()} `)],
    ['a Bearer token', `Bearer ${password.reveal()}`],
    ['two credentials', `${RIGHT}, ${RIGHT}`],
  ]
  for (const [name, authorization] of wrong) {
    it(`refuses ${name}`, async (test) => {
      const world = await operated(test)
      const headers: Record<string, string> = authorization === '' ? {} : { authorization }

      const response = await new TestClient(world.app, { origin: 'https://app.test' }).get('/ops', {
        headers,
      })

      assert.deepEqual([response.status, response.headers.get('www-authenticate')], [401, CHALLENGE])
      assert.match(await response.text(), /name and the password for operators/)
    })
  }

  it('asks for credentials at every spelling of its paths that answers', async (test) => {
    const world = await operated(test)
    const client = new TestClient(world.app, { origin: 'https://app.test' })

    for (const path of ['/ops', '/%6Fps', '/OPS', '/ops/', '/ops?x', '/ops/trim']) {
      const response = await client.get(path, { follow: true })
      assert.ok([401, 405].includes(response.status), `${path}: ${response.status}`)
      assert.equal((await response.text()).includes('Migrations'), false)
    }
    assert.equal((await client.post('/ops/trim', { form: { age: '400' } })).status, 401)
  })

  it('answers a client that guesses with 429 after many wrong passwords, and lets the right one in', async (test) => {
    const world = await operated(test)
    const url = `${await world.listen(test)}/ops`
    const secure = new TestClient(world.app, { origin: 'https://app.test' })
    const from = { clientAddress: '192.0.2.1' }
    const send = async (authorization: string): Promise<number> => {
      const sent = new Request('https://app.test/ops', { headers: { authorization } })
      return (await world.app.fetch(sent, from)).status
    }

    const statuses = []
    for (let times = 0; times <= OPS_CLIENT_LIMIT.failures; times += 1)
      statuses.push(await send(basic('ops', String(times))))

    assert.ok(url.startsWith('http:'))
    assert.deepEqual([statuses.at(0), statuses.at(-2), statuses.at(-1)], [401, 401, 429])
    assert.equal(await send(RIGHT), 200)
    assert.equal((await secure.get('/ops')).status, 401)
    const refused = await world.database.selectFrom('event').select('kind').execute()
    assert.equal(refused.filter(({ kind }) => kind === 'ops-refused').length, 20)
  })

  it('deletes old entries by a form with a CSRF token, and records it [BASIC-16]', async (test) => {
    const world = await operated(test)
    await oldEntry(world)
    const desk = new Desk(world)
    await desk.open()

    const response = await desk.trim('400')

    assert.deepEqual([response.status, response.headers.get('location')], [303, '/ops'])
    const left = await world.database.selectFrom('event').select(['kind', 'actor', 'detail']).execute()
    assert.deepEqual(left, [{ kind: 'trail-trimmed', actor: 'ops', detail: '1 entries over 400 days' }])
    assert.match((await desk.open()).html, /Old entries were deleted/)
  })

  it('refuses the form without a token, with one of another session, and from another origin [BASIC-16]', async (test) => {
    const world = await operated(test)
    await oldEntry(world)
    const desk = new Desk(world)
    const stranger = new Desk(world)
    await desk.open()
    await stranger.open()

    const answers = [
      await desk.trim('400', {}, ''),
      await desk.trim('400', {}, 'x'.repeat(40)),
      await desk.trim('400', { 'sec-fetch-site': 'cross-site' }),
      await desk.trim('400', { origin: 'https://evil.test' }),
      await stranger.client
        .clone()
        .post('/ops/trim', { form: { age: '400' }, headers: { authorization: RIGHT } }),
      await new TestClient(world.app, { origin: 'https://app.test' }).post('/ops/trim', {
        form: { age: '400' },
        headers: { authorization: RIGHT },
      }),
    ]

    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map(() => 403),
    )
    assert.equal(await entries(world), 1)
    for (const method of ['GET', 'HEAD'])
      assert.equal(
        (await desk.client.request(method, '/ops/trim?age=400', { headers: { authorization: RIGHT } }))
          .status,
        405,
      )
    assert.equal(await entries(world), 1)
  })

  for (const days of ['89', '-400', '4e2', '', '400 ', '999999', 'x', '0x190'])
    it(`refuses to delete what is over ${JSON.stringify(days)} days old`, async (test) => {
      const world = await operated(test)
      await oldEntry(world)
      const desk = new Desk(world)
      await desk.open()

      const response = await desk.trim(days)

      assert.equal(response.status, 422)
      assert.match(await response.text(), /id="age-error"/)
      assert.equal(await entries(world), 1)
    })
})

// Unlike fetch(), it sends any header.
function statusOf(url: string, headers: Readonly<Record<string, string>>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })
}
