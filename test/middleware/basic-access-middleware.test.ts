import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { PASSWORD_ARGON2ID, PasswordHasher } from 'sallyport/auth'
import { BasicAccessMiddleware } from 'sallyport/middleware'
import type { BasicAccessOptions } from '../../src/middleware/basic-access-middleware.ts'
import { TestClient } from 'sallyport/testing'

import { site } from '../app/fixture.ts'
import { timesAsMuch } from '../reliability/growth.ts'

const OPTIONS: BasicAccessOptions = { username: 'ops', password: 's:e', realm: 'ops' }

function basic(text: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(text).toString('base64')}` }
}

function siteBehind(options: BasicAccessOptions): ReturnType<typeof site> {
  return site(
    { 'GET /': (context) => ({ authenticated: context.auth().isAuthenticated() }) },
    { configure: (app) => app.middleware().incoming(new BasicAccessMiddleware(options)) },
  )
}

function behind(options: BasicAccessOptions = OPTIONS): TestClient {
  return new TestClient(siteBehind(options))
}

describe('BasicAccessMiddleware', () => {
  for (const [title, options, type] of [
    ['an empty username [BASIC-01]', { ...OPTIONS, username: '' }, TypeError],
    ['an empty password [BASIC-02]', { ...OPTIONS, password: '' }, TypeError],
    ['a username with a colon', { ...OPTIONS, username: 'a:b' }, TypeError],
    ['a username that is not a string', { ...OPTIONS, username: undefined as unknown as string }, TypeError],
    ['a password that is not a string', { ...OPTIONS, password: 5 as unknown as string }, TypeError],
  ] as const) {
    it(`${title}: construction fails`, () => {
      assert.throws(() => new BasicAccessMiddleware(options), type)
    })
  }

  for (const realm of [
    'a\r\nb',
    'a\nb',
    'a\rb',
    'a\u0000',
    'a\u007f',
    'a\u001b',
    'a\u0008b',
    '€',
    '\ud800',
  ]) {
    it(`construction fails with the realm ${JSON.stringify(realm)} [BASIC-03]`, () => {
      assert.throws(() => new BasicAccessMiddleware({ ...OPTIONS, realm }), RangeError)
    })
  }

  for (const [title, realm, challenge] of [
    ['an empty realm [BASIC-04]', '', 'Basic realm="", charset="UTF-8"'],
    ['a realm with a tab [BASIC-05]', 'a\tb', 'Basic realm="a\tb", charset="UTF-8"'],
    ['a plain realm [BASIC-11]', 'Ops area', 'Basic realm="Ops area", charset="UTF-8"'],
    ['a realm with quotes and backslashes [OPEN-24]', 'a"b\\c', 'Basic realm="a\\"b\\\\c", charset="UTF-8"'],
    [
      'a realm that looks like more parameters [OPEN-24]',
      'x", error="y',
      'Basic realm="x\\", error=\\"y", charset="UTF-8"',
    ],
  ] as const) {
    it(`${title} is in the challenge`, async () => {
      const response = await behind({ ...OPTIONS, realm }).get('/')

      assert.equal(response.status, 401)
      assert.equal(response.headers.get('www-authenticate'), challenge)
    })
  }

  it('lets matching credentials pass and establishes no identity [BASIC-06 BASIC-12]', async () => {
    const response = await behind().get('/', { headers: basic('ops:s:e') })

    assert.equal(response.status, 200)
    assert.deepEqual(await response.json(), { authenticated: false })
  })

  for (const [title, headers] of [
    ['no credentials [BASIC-07]', {}],
    ['Bearer credentials [BASIC-07]', { authorization: 'Bearer abc' }],
    ['a wrong username [BASIC-08]', basic('eve:s:e')],
    ['the username in another letter case [BASIC-08]', basic('OPS:s:e')],
    ['an empty username [BASIC-08]', basic(':s:e')],
    ['a wrong password [BASIC-09]', basic('ops:wrong')],
    ['an empty password [BASIC-09]', basic('ops:')],
    ['a password with more behind it [BASIC-09]', basic('ops:s:e ')],
    ['bad Base64 [BASIC-10]', { authorization: 'Basic ***' }],
    ['no colon [BASIC-10]', basic('opsse')],
    ['no Base64 at all [BASIC-10]', { authorization: 'Basic' }],
    [
      'two credentials in one line [BASIC-10]',
      { authorization: `${basic('ops:s:e')['authorization']}, ${basic('ops:s:e')['authorization']}` },
    ],
  ] as const) {
    it(`${title} is answered 401 with the challenge of the realm`, async () => {
      const response = await behind().get('/', { headers })

      assert.equal(response.status, 401)
      assert.match(response.headers.get('www-authenticate') ?? '', /^Basic realm="ops"/)
      assert.equal(response.headers.get('cache-control'), 'no-store')
    })
  }

  it('accepts credentials outside of ASCII [BASIC-06]', async () => {
    const client = behind({ ...OPTIONS, username: 'zoë', password: 'pässwörd€' })

    assert.equal((await client.get('/', { headers: basic('zoë:pässwörd€') })).status, 200)
  })

  it('a wrong username costs what a wrong password costs [BASIC-13 BASIC-14]', async () => {
    // So long that the comparison is what costs.
    const [right, wrong] = ['p'.repeat(100_000), 'q'.repeat(100_000)]
    const middleware = new BasicAccessMiddleware({ ...OPTIONS, password: right })
    const refuse = (username: string, password: string) => (): void => {
      const context = { authorization: () => ({ username, password }) } as unknown as Parameters<
        BasicAccessMiddleware['process']
      >[0]
      assert.throws(() => middleware.process(context, () => Promise.reject(new Error('went on'))))
    }
    const [name, password, both] = [refuse('xxx', right), refuse('ops', wrong), refuse('xxx', wrong)]

    // A gross guard against a comparison that is skipped; both are always made, whatever the other says.
    for (const [one, other] of [
      [name, password],
      [password, name],
      [both, name],
      [name, both],
    ] as const) {
      const factor = await timesAsMuch(one, other, 2)
      assert.ok(factor <= 2, `${factor}`)
    }
  })

  it('compares both even when the first fails, and when nothing was sent [BASIC-13]', async () => {
    const asked: string[] = []
    const watched = {
      get username(): string {
        asked.push('username')
        return 'eve'
      },
      get password(): string {
        asked.push('password')
        return 'x'
      },
    }
    const middleware = new BasicAccessMiddleware(OPTIONS)
    const context = { authorization: () => watched } as unknown as Parameters<
      BasicAccessMiddleware['process']
    >[0]

    assert.throws(() => middleware.process(context, () => Promise.reject(new Error('went on'))))

    assert.deepEqual(asked, ['username', 'password'])
  })
})

describe('BasicAccessMiddleware with a hash', () => {
  const hasher = new PasswordHasher(PASSWORD_ARGON2ID, { memoryCost: 8, timeCost: 1 })
  const gate = { username: 'ops', realm: 'ops', hasher }

  it('BASIC-06 to BASIC-09: lets the right pair pass and answers every other one with 401', async () => {
    const client = behind({ ...gate, passwordHash: await hasher.hash('s:e€') })

    for (const [text, status] of [
      ['ops:s:e€', 200],
      ['ops:s:e', 401],
      ['eve:s:e€', 401],
      ['ops:', 401],
      [':s:e€', 401],
      ['ops:s:e€', 200],
      [`ops:${'x'.repeat(5000)}`, 401],
    ] as const) {
      const response = await client.get('/', { headers: basic(text) })

      assert.equal(response.status, status, text.slice(0, 20))
      if (status === 401) assert.match(response.headers.get('www-authenticate') ?? '', /^Basic realm="ops"/)
    }
    assert.equal((await client.get('/')).status, 401)
    assert.equal((await client.get('/', { headers: { authorization: 'Bearer abc' } })).status, 401)
  })

  it('no number of requests with wrong passwords computes more hashes than the limit [BASIC-14]', async () => {
    let computed = 0
    const counting = { verify: async (): Promise<boolean> => (computed++, false) }
    const client = behind({ ...gate, hasher: counting, passwordHash: '$x' })
    const statuses = new Set<number>()

    for (let i = 0; i < 400; i++)
      statuses.add((await client.get('/', { headers: basic(`${i % 2 === 0 ? 'ops' : 'eve'}:${i}`) })).status)

    assert.deepEqual([...statuses], [401, 429])
    assert.ok(computed >= 10 && computed <= 130, `${computed} hashes`)
  })

  it('a request without credentials computes no hash and has no limit [BASIC-07]', async () => {
    const never = { verify: (): Promise<boolean> => Promise.reject(new Error('asked')) }
    const client = behind({ ...gate, hasher: never, passwordHash: '$x' })

    for (let i = 0; i < 200; i++) assert.equal((await client.get('/')).status, 401)
  })

  it('lets clients take turns at the hasher: a flood of others delays one by at most two hashes of each [MEND-06]', async () => {
    const limits = { inFlight: 1, waiting: 100, waitMilliseconds: 3_600_000 }
    const queued = new PasswordHasher(PASSWORD_ARGON2ID, { memoryCost: 8, timeCost: 1 }, limits)
    const app = siteBehind({ ...gate, hasher: queued, passwordHash: await queued.hash('s:e€') })
    const ask = (clientAddress: string, password: string): Promise<Response> =>
      new TestClient(app, { clientAddress }).get('/', { headers: basic(`ops:${password}`) })
    let done = 0
    const flood = Array.from({ length: 30 }, async (_, i) => {
      await ask(`198.51.100.${i % 3}`, `wrong ${i}`)
      done++
    })

    const right = await ask('203.0.113.5', 's:e€')
    const before = done
    await Promise.all(flood)

    assert.equal(right.status, 200)
    assert.ok(before <= 6, `${before} hashes came first`)
  })

  it('runs once where it is declared twice with the same hasher [PAGE-17]', () => {
    const options = { ...gate, passwordHash: '$argon2id$x' }

    assert.equal(BasicAccessMiddleware.of(options), BasicAccessMiddleware.of({ ...options }))
  })

  for (const [title, options] of [
    ['an empty hash [BASIC-02]', { passwordHash: '' }],
    ['a hash that is none', { passwordHash: 'open sesame' }],
    ['a hash that is no string', { passwordHash: 5 }],
    ['a hash and a password', { passwordHash: '$x', password: 'open sesame' }],
    ['a hash without a hasher', { passwordHash: '$x', hasher: undefined }],
    ['a hasher that cannot verify', { passwordHash: '$x', hasher: {} }],
  ] as const) {
    it(`${title}: construction fails and shows no secret`, () => {
      assert.throws(
        () => new BasicAccessMiddleware({ ...gate, ...options } as never),
        (error) => error instanceof TypeError && !error.message.includes('sesame'),
      )
    })
  }
})
