import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'

import type { HttpContext } from 'sallyport'
import { MemorySessionStore, SessionPolicy, SessionStore } from 'sallyport/session'
import { SqliteSessionStore } from 'sallyport/session/sqlite'
import { Gates, TestClient } from 'sallyport/testing'

import { browser, Faults, site } from '../app/fixture.ts'

const ANSWERS = {
  'POST /both': async (context: HttpContext) => {
    await context.flash().add('notice', 'saved')
    await context.flash().add('error', '<b>')
  },
  'POST /add': (context: HttpContext) => context.flash().add('notice', textOf(context)),
  'POST /many': async (context: HttpContext) => {
    const count = Number(textOf(context))
    await Promise.all(Array.from({ length: count }, (_, i) => context.flash().add('notice', `m${i + 1}`)))
  },
  'POST /bound': (context: HttpContext) =>
    context.flash().add('notice', textOf(context), { path: '/take?sorted=1#top' }),
  'GET /other': (context: HttpContext) => context.flash().take(),
  'POST /long': (context: HttpContext) => context.flash().add('notice', '\0'.repeat(Number(textOf(context)))),
  'POST /fill': (context: HttpContext) => context.session().set('cart', 'x'.repeat(Number(textOf(context)))),
  'POST /break': (context: HttpContext) => context.session().set('_flash.1.x', 'no message'),
  'POST /spoil': (context: HttpContext) => context.session().set('_flash.0.x', { kind: 'a', text: 5 }),
  'GET /take': (context: HttpContext) => context.flash().take(),
  'GET /cart': async (context: HttpContext) => [String(await context.session().get('cart')).length],
}

function textOf(context: HttpContext): string {
  return decodeURIComponent(context.query())
}

async function taken(client: TestClient): Promise<string[]> {
  const messages = (await (await client.get('/take')).json()) as { text: string }[]
  return messages.map(({ text }) => text)
}

function numbered(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, i) => `m${from + i}`)
}

describe('Flash', () => {
  it('keeps messages for the next page, in order, and removes them when it is shown', async () => {
    const client = browser(ANSWERS)
    await client.post('/both')

    assert.deepEqual(await (await client.get('/take')).json(), [
      { kind: 'notice', text: 'saved' },
      { kind: 'error', text: '<b>' },
    ])
    assert.deepEqual(await (await client.get('/take')).json(), [])
  })

  for (const [what, method, headers] of [
    ['HEAD', 'HEAD', {}],
    ['a prefetch', 'GET', { 'sec-purpose': 'prefetch', 'sec-fetch-dest': 'document' }],
    ['a prefetch over a proxy', 'GET', { 'sec-purpose': 'prefetch;anonymous-client-ip' }],
    ['a prerender', 'GET', { 'sec-purpose': 'prefetch;prerender', 'sec-fetch-dest': 'document' }],
    ['a prefetch of an older browser', 'GET', { purpose: 'prefetch' }],
    ...['image', 'style', 'script', 'font', 'manifest', 'video', 'track', 'object', 'worker', 'report'].map(
      (part) => [`${part} of a page`, 'GET', { 'sec-fetch-dest': part }] as const,
    ),
  ] as const)
    it(`keeps messages for a response that a person sees: not ${what} [MEND-08]`, async () => {
      const client = browser(ANSWERS)
      await client.post('/add?saved')
      await client.post('/bound?here')

      for (const path of ['/take', '/other']) {
        const unseen = await client.request(method, path, { headers })
        assert.equal(await unseen.text(), method === 'HEAD' ? '' : '[]')
      }

      assert.deepEqual(await taken(client), ['saved', 'here'])
    })

  for (const headers of [
    {},
    { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' },
    { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' },
    { 'sec-fetch-dest': 'iframe' },
  ])
    it(`shows and removes messages with ${JSON.stringify(headers)} [MEND-08]`, async () => {
      const client = browser(ANSWERS)
      await client.post('/add?saved')

      const seen = await client.get('/take', { headers })

      assert.deepEqual(await seen.json(), [{ kind: 'notice', text: 'saved' }])
      assert.deepEqual(await taken(client), [])
    })

  it('shows a message that names a page there only, and any other page drops it', async () => {
    const client = browser(ANSWERS)
    await client.post('/bound?here')
    assert.deepEqual(await (await client.get('/take')).json(), [{ kind: 'notice', text: 'here' }])
    await client.post('/bound?gone')
    await client.post('/add?anywhere')

    assert.deepEqual(await (await client.get('/other')).json(), [{ kind: 'notice', text: 'anywhere' }])

    assert.deepEqual(await taken(client), [])
  })

  for (const [kind, text, sentence] of [
    ['notice', 5, 'its text is a value of type number'],
    ['notice', undefined, 'its text is a value of type undefined'],
    ['notice', null, 'its text is a value of type object'],
    ['notice', { toString: () => 'saved' }, 'its text is a value of type object'],
    [1, 'saved', 'its kind is a value of type number'],
    [undefined, undefined, 'its kind is a value of type undefined'],
  ] as const) {
    it(`refuses a message of kind ${kind} and text ${String(text)} [HOLD-24]`, async () => {
      const refused: unknown[] = []
      const client = browser({
        ...ANSWERS,
        'POST /odd': async (context: HttpContext) => {
          await context
            .flash()
            .add(kind as never, text as never)
            .catch((error: unknown) => refused.push(error))
        },
      })

      assert.equal((await client.post('/odd')).status, 204)

      const [error] = refused
      assert.ok(error instanceof TypeError)
      assert.equal(error.message, `Cannot keep a flash message: ${sentence}, not a string`)
      assert.deepEqual(await taken(client), [])
    })
  }

  for (const options of [{ page: '/take' }, { path: 5 }, { path: null }, null, 'take'])
    it(`refuses ${JSON.stringify(options)} in place of options, and keeps nothing`, async () => {
      const refused: unknown[] = []
      const client = browser({
        ...ANSWERS,
        'POST /odd': (context: HttpContext) =>
          context
            .flash()
            .add('notice', 'saved', options as never)
            .catch((error: unknown) => void refused.push(error)),
      })

      await client.post('/odd')

      assert.ok(refused[0] instanceof TypeError)
      assert.deepEqual(await taken(client), [])
    })

  it('keeps the order of messages of several requests', async () => {
    const client = browser(ANSWERS)
    for (const text of numbered(1, 12)) await client.post(`/add?${text}`)

    assert.deepEqual(await taken(client), numbered(1, 12))
  })

  it('opens no session for a visitor without messages', async () => {
    assert.deepEqual((await browser(ANSWERS).get('/take')).headers.getSetCookie(), [])
  })

  it('ignores entries that are not messages', async () => {
    const client = browser(ANSWERS)

    await client.post('/break')
    await client.post('/spoil')
    assert.deepEqual(await (await client.get('/take')).json(), [])
    await client.post('/add?kept')
    assert.deepEqual(await taken(client), ['kept'])
  })
})

describe('the bounds of flash messages', () => {
  it('the oldest of more than twenty are dropped, whether one request adds them or many [HOLD-28]', async () => {
    const client = browser(ANSWERS)
    await client.post('/many?25')
    assert.deepEqual(await taken(client), numbered(6, 25))

    for (const text of numbered(1, 22)) await client.post(`/add?${text}`)
    assert.deepEqual(await taken(client), numbered(3, 22))
  })

  it('a thousand refused requests add messages without an error [HOLD-28]', async () => {
    const store = new MemorySessionStore()
    let largest = 0
    const update = store.update.bind(store)
    store.update = async (id, changes, lifetime) => {
      const isLive = await update(id, changes, lifetime)
      largest = Math.max(largest, sizeOf((await store.read(id))?.data))
      return isLive
    }
    const client = clientOver(store)

    for (let i = 0; i < 1000; i++) assert.equal((await client.post(`/long?${(i % 7) * 300}`)).status, 204)

    assert.ok(largest > 8000 && largest <= 16_384, `${largest} bytes`)
  })

  it('a message larger than the limit is cut without an error [HOLD-28]', async () => {
    const client = browser(ANSWERS)
    await client.post('/add?small')

    assert.equal((await client.post('/long?100000')).status, 204)

    const [first, ...others] = await taken(client)
    assert.deepEqual([first, others.length], ['small', 1])
    assert.equal(others[0], `${'\0'.repeat(999)}…`)
  })

  it('messages are dropped for other entries, and never make a session too large [HOLD-28]', async () => {
    const faults = new Faults()
    const policy = new SessionPolicy({ maxBytes: 2000 })
    const client = browser(ANSWERS, {
      configure: (app) => {
        app.configure((definitions) => definitions.set(SessionPolicy, policy))
        faults.listen(app)
      },
    })
    for (const text of numbered(1, 20)) await client.post(`/add?${text}`)

    assert.equal((await client.post('/fill?1600')).status, 204)

    const left = await taken(client)
    assert.deepEqual(left, numbered(21 - left.length, 20))
    assert.ok(left.length >= 2 && left.length <= 6, String(left.length))
    assert.deepEqual(await (await client.get('/cart')).json(), [1600])

    await client.post('/fill?1990')
    assert.equal((await client.post('/add?none')).status, 204)
    assert.equal((await client.post('/long?200')).status, 204)
    assert.deepEqual(await taken(client), [])
    assert.deepEqual(faults.messages, [])
    assert.equal((await client.post('/fill?3000')).status, 500)
  })
})

const stores: Readonly<Record<string, (t: TestContext) => SessionStore>> = {
  memory: () => new MemorySessionStore(),
  SQLite: (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-flash-'))
    const store = new SqliteSessionStore({ path: join(folder, 'sessions.sqlite') })
    t.after(() => {
      store.close()
      rmSync(folder, { recursive: true })
    })
    return store
  },
}

for (const [name, open] of Object.entries(stores)) {
  describe(`flash messages of concurrent requests, in ${name}`, () => {
    it('messages that two concurrent requests add are both kept [HOLD-46]', async (t) => {
      const gates = new Gates<SessionStore>(open(t))
      const client = clientOver(gates.target)
      await client.post('/add?first')

      const gate = gates.hold('update')
      const late = client.clone().post('/add?late')
      await gate.reached()
      await client.post('/add?early')
      gate.release()

      assert.equal((await late).status, 204)
      const [first, ...others] = await taken(client)
      assert.equal(first, 'first')
      assert.deepEqual(others.sort(), ['early', 'late'])
    })

    it('a message that is added while a page takes the others is kept for the next page [HOLD-46]', async (t) => {
      const gates = new Gates<SessionStore>(open(t))
      const client = clientOver(gates.target)
      await client.post('/add?first')

      const gate = gates.hold('update')
      const page = taken(client.clone())
      await gate.reached()
      await client.post('/add?second')
      gate.release()

      assert.deepEqual(await page, ['first'])
      assert.deepEqual(await taken(client), ['second'])
    })

    it('two pages that are made at the same time show a message both, and no later one does [HOLD-46]', async (t) => {
      const gates = new Gates<SessionStore>(open(t))
      const client = clientOver(gates.target)
      await client.post('/add?first')

      const gate = gates.hold('update')
      const page = taken(client.clone())
      await gate.reached()
      const meanwhile = await taken(client.clone())
      gate.release()

      assert.deepEqual([await page, meanwhile], [['first'], ['first']])
      assert.deepEqual(await taken(client), [])
    })

    it('many concurrent ones are all kept, and the next one restores the limit [HOLD-28 HOLD-46]', async (t) => {
      const store = open(t)
      const client = clientOver(store)
      await client.post('/many?20')

      const texts = Array.from({ length: 10 }, (_, i) => `at once ${i}`)
      await Promise.all(texts.map((text) => client.clone().post(`/add?${encodeURIComponent(text)}`)))
      const last = await client.clone().post('/add?last')

      assert.equal(last.status, 204)
      const shown = await taken(client)
      assert.equal(shown.length, 20)
      assert.equal(shown.at(-1), 'last')
      assert.deepEqual(new Set(shown.slice(-11, -1)), new Set(texts))
    })
  })
}

function clientOver(store: SessionStore): TestClient {
  return new TestClient(
    site(ANSWERS, {
      configure: (app) => app.configure((definitions) => definitions.set(SessionStore, store)),
    }),
  )
}

function sizeOf(data: ReadonlyMap<string, string> | undefined): number {
  let size = 0
  for (const [key, text] of data ?? []) size += Buffer.byteLength(key) + Buffer.byteLength(text)
  return size
}
