import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { RequestSession } from '../../src/session/internal.ts'
import { SessionPolicy, SessionStoreException } from '../../src/session/index.ts'
import { isIdentifier } from '../../src/session/session-identifier.ts'
import { listen } from './events.ts'
import { Site } from './site.ts'

describe('RequestSession.keysFrom()', () => {
  it('returns the keys with the prefix, in order and each once, as the request has left them', async () => {
    const site = new Site()
    const beginning = site.request()
    for (const key of ['x.c', 'x.a', 'x.gone', 'y', 'a.x.']) await beginning.set(key, 1)
    const session = site.request((await beginning.commit()) ?? '')
    await session.set('x.b', 2)
    await session.set('x.a', 2)
    await session.set('z', 2)
    await session.remove('x.gone')

    assert.deepEqual(await session.keysFrom('x.'), ['x.a', 'x.b', 'x.c'])
    assert.deepEqual(await session.keysFrom('X'), [])
    await session.destroy()
    assert.deepEqual(await session.keysFrom(''), [])
    await session.set('w', 1)
    assert.deepEqual(await session.keysFrom(''), ['w'])
  })

  it('returns none for an anonymous client, and makes no store call', async () => {
    const site = new Site()

    assert.deepEqual(await site.request().keysFrom(''), [])
    assert.deepEqual(site.store.calls, [])
  })
})

describe('a session whose stored form is malformed', () => {
  it('continues without an entry that is not JSON, and reports its key', async (t) => {
    const site = new Site()
    const cookie = await site.live()
    const { store } = site
    const read = store.read.bind(store)
    store.read = async (id) => {
      const record = await read(id)
      return record && { ...record, data: new Map([...record.data, ['odd', '{"a":']]) }
    }
    const heard = listen(t, 'session-malformed')
    const session = site.request(cookie)

    assert.deepEqual([await session.get('odd'), await session.has('odd')], [undefined, false])
    assert.equal(await session.get('a'), 1)

    assert.deepEqual(heard, [
      { part: 'entry', key: 'odd' },
      { part: 'entry', key: 'odd' },
    ])
  })

  it('is anonymous when the whole record is invalid, and reports it: the first write creates a new one', async (t) => {
    const site = new Site()
    const cookie = await site.live()
    const { store } = site
    const read = store.read.bind(store)
    store.read = () => Promise.reject(new SessionStoreException('ERR_SESSION_STORE_MALFORMED', 'A store'))
    const [malformed, failed] = [listen(t, 'session-malformed'), listen(t, 'store-failed')]
    const session = site.request(cookie)

    assert.equal(await session.get('a'), undefined)
    assert.equal(session.isEnded, false)
    await session.set('b', 2)
    store.read = read
    const next = (await session.commit()) ?? ''

    assert.notEqual(next, cookie)
    assert.equal(await site.request(next).get('b'), 2)
    assert.deepEqual([malformed, failed], [[{ part: 'record', key: null }], []])
  })

  it('is a 503 when a store fails for any other reason of its own [R-22]', async () => {
    const site = new Site()
    const cookie = await site.live()
    site.store.read = () => Promise.reject(new SessionStoreException('ERR_SESSION_STORE_TIMEOUT', 'A store'))

    await assert.rejects(site.request(cookie).get('a'), { status: 503 })
  })
})

describe('refused changes of a session', () => {
  it('make the response an error when nobody awaited them, once [HOLD-24]', async () => {
    const session = new Site().request()
    void session.set('a', new Date() as never)

    assert.throws(() => session.seal(), /Cannot keep "a"/)
    assert.equal(session.seal(), false)
  })

  it('report the first that nobody awaited [HOLD-24]', async () => {
    const session = new Site().request()
    await assert.rejects(session.set('a', new Date() as never))
    void session.set('b', new Date() as never)
    void session.set('c', new Date() as never)

    assert.throws(() => session.seal(), /Cannot keep "b"/)
  })

  it('report nothing when someone awaited them, even by a listener for both outcomes', async () => {
    const session = new Site().request()
    await assert.rejects(session.set('a', new Date() as never))
    session.set('b', new Date() as never).then(
      () => undefined,
      () => undefined,
    )
    await session.set('c', new Date() as never).catch(() => undefined)
    await session
      .set('d', new Date() as never)
      .finally(() => undefined)
      .catch(() => undefined)

    assert.equal(session.seal(), false)
  })

  it('report nothing when the response is already an error', () => {
    const session = new Site().request()
    void session.set('a', new Date() as never)

    session.withdraw()

    assert.equal(session.seal(), false)
  })

  it('are a warning after the response, only when nobody awaited them [HOLD-54]', async (t) => {
    const warnings: string[] = []
    const warn = (warning: Error): void => void warnings.push(warning.message)
    process.on('warning', warn)
    t.after(() => process.off('warning', warn))
    const session = new Site().request()
    session.seal()
    await session.commit()

    void session.set('a', 1)
    await assert.rejects(session.set('b', new Date() as never), /Cannot keep "b"/)
    void session.set('c', new Date() as never)
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)

    assert.equal(warnings.length, 2)
    assert.match(warnings[0] ?? '', /Cannot change the session: the response has been made/)
    assert.match(warnings[1] ?? '', /Cannot keep "c"/)
  })

  it('cost no store call after the response [HOLD-54]', async () => {
    const site = new Site()
    const session = site.request(await site.live())
    session.seal()

    await assert.rejects(session.set('b', 2), /response has been made/)

    assert.deepEqual(site.store.calls, [])
  })
})

describe('a session that is larger than its policy now allows', () => {
  it('may be made smaller, rotated and destroyed, and accepts nothing new [HOLD-28]', async () => {
    const site = new Site()
    const policy = new SessionPolicy({ maxBytes: 10 })
    const large = async (): Promise<string> => {
      const session = site.request()
      for (const key of ['a', 'b', 'c']) await session.set(key, 'x'.repeat(20))
      return (await session.commit()) ?? ''
    }

    for (const change of [
      (session) => session.remove('a'),
      (session) => session.regenerateId(),
      (session) => session.destroy(),
    ] satisfies ((session: RequestSession) => Promise<void>)[]) {
      const session = site.request(await large(), policy)
      await change(session)
      await session.commit()
    }
    const session = site.request(await large(), policy)
    await session.set('d', 1)
    await assert.rejects(session.commit(), RangeError)
  })
})

describe('a session of short lifetimes', () => {
  it('remembers an end for as long as its tombstone, however short it would have lived', async () => {
    const site = new Site()
    const policy = new SessionPolicy({ idleSeconds: 5, absoluteSeconds: 5 })
    const beginning = site.request(undefined, policy)
    await beginning.set('a', 1)
    const cookie = (await beginning.commit()) ?? ''
    const rotating = site.request(cookie, policy)
    await rotating.regenerateId()
    await rotating.commit()

    const ended: boolean[] = []
    for (const seconds of [20, 9.999, 0.001]) {
      site.clock.advance(seconds)
      const session = site.request(cookie, policy)
      await session.get('a')
      ended.push(session.isEnded)
    }

    assert.deepEqual(ended, [true, true, false])
  })

  it('is written again once it is worth a write, by the time of its read', async () => {
    const site = new Site()
    const cookie = await site.live()
    const seals: boolean[] = []
    for (const seconds of [59.999, 0.001]) {
      site.clock.advance(seconds)
      const session = site.request(cookie)
      await session.get('a')
      seals.push(session.seal())
    }

    assert.deepEqual(seals, [false, true])
  })
})

describe('isIdentifier()', () => {
  for (const [sent, isOne] of [
    [undefined, false],
    ['', false],
    ['Az09_-'.repeat(7) + 'a', true],
    ['Az09_-'.repeat(7), false],
    ['Az09_-'.repeat(7) + 'ab', false],
    [`\n${'a'.repeat(43)}`, false],
    [`${'a'.repeat(43)}\n`, false],
    [`${'a'.repeat(42)}+`, false],
  ] as const) {
    it(`is ${isOne} for ${JSON.stringify(sent)}`, () => {
      assert.equal(isIdentifier(sent), isOne)
    })
  }
})
