import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { describe, it } from 'node:test'

import type { Json } from '../../src/core/index.ts'
import { ServiceUnavailableException } from '../../src/http/index.ts'
import { RequestSession } from '../../src/session/internal.ts'
import { SessionPolicy } from '../../src/session/index.ts'
import { FrozenClock } from '../../src/testing/index.ts'
import { SpyStore } from './spy-store.ts'

/** Requests of one browser: each has a session, and the cookie is what the last response said. */
class Browser {
  readonly clock = new FrozenClock()
  readonly store = new SpyStore(this.clock)
  readonly services: { store: SpyStore; policy: SessionPolicy; clock: FrozenClock }
  cookie: string | undefined

  constructor(policy: ConstructorParameters<typeof SessionPolicy>[0] = {}) {
    this.services = { store: this.store, policy: new SessionPolicy(policy), clock: this.clock }
  }

  /** A request with the cookie of this moment. */
  request(cookie: string | undefined = this.cookie): RequestSession {
    return new RequestSession(this.services, cookie)
  }

  /** Ends a request as the application does, and takes the cookie of its response. */
  async end(session: RequestSession): Promise<string | null> {
    const change = session.seal() ? await session.commit() : null
    if (change !== null) this.cookie = change === '' ? undefined : change
    return change
  }

  /** A whole request that sets entries; forgets the store's calls. */
  async with(entries: Record<string, Json>): Promise<this> {
    const session = this.request()
    for (const [key, value] of Object.entries(entries)) await session.set(key, value)
    await this.end(session)
    this.store.reset()
    return this
  }

  /** What a new request reads. */
  read(key: string, cookie?: string): Promise<unknown> {
    return this.request(cookie ?? this.cookie).get(key)
  }
}

describe('Session without a cookie', () => {
  it('makes no store call and sends nothing while it is read, removed from, rotated and destroyed', async () => {
    const browser = new Browser()
    const session = browser.request()

    assert.equal(await session.get('a'), undefined)
    assert.equal(await session.has('a'), false)
    await session.remove('a')
    await session.regenerateId()
    await session.destroy()

    assert.equal(await browser.end(session), null)
    assert.deepEqual(browser.store.calls, [])
  })

  it('starts with the first write: one call, one new identifier', async () => {
    const browser = new Browser()
    const session = browser.request()

    await session.set('cart', ['x'])

    assert.match((await browser.end(session)) ?? '', /^[A-Za-z0-9_-]{43}$/)
    assert.deepEqual(browser.store.calls, ['create'])
    assert.deepEqual(await browser.read('cart'), ['x'])
  })

  it('sends nothing when what was set is removed again', async () => {
    const browser = new Browser()
    const session = browser.request()

    await session.set('a', 1)
    await session.remove('a')

    assert.equal(await browser.end(session), null)
    assert.deepEqual(browser.store.calls, [])
  })
})

function idOf(cookie: string): string {
  return cookie.slice(0, 2) + hash('sha256', cookie, 'base64url')
}

describe('the identifier', () => {
  it('has 256 random bits, of which the store sees the first two characters and the SHA-256', async () => {
    const browser = await new Browser().with({ a: 1 })
    const session = browser.request()
    await session.regenerateId()
    const before = browser.cookie ?? ''
    await browser.end(session)

    const cookies = [before, browser.cookie ?? '']
    assert.ok(cookies.every((cookie) => Buffer.from(cookie, 'base64url').byteLength === 32))
    assert.deepEqual(browser.store.ids, new Set(cookies.map(idOf)))
    assert.ok(cookies.every((cookie) => !browser.store.ids.has(cookie)))
  })

  it('is never the digest: what a leaked store holds signs nobody in', async () => {
    const browser = await new Browser().with({ _auth: 'u1' })
    const [leaked = ''] = browser.store.ids

    assert.equal(await browser.read('_auth', leaked), undefined)
  })

  it('is not adopted when the store does not know it: the first write creates a new one', async () => {
    const browser = new Browser()
    const planted = 'A'.repeat(43)
    const session = browser.request(planted)

    await session.set('a', 1)
    const change = await browser.end(session)

    assert.notEqual(change, planted)
    assert.match(change ?? '', /^[A-Za-z0-9_-]{43}$/)
    assert.equal(await browser.read('a', planted), undefined)
    assert.equal(await browser.read('a'), 1)
  })

  it('is not adopted after it has expired', async () => {
    const browser = await new Browser({ idleSeconds: 60 }).with({ a: 1 })
    const old = browser.cookie
    browser.clock.advance(60)
    const session = browser.request()

    assert.equal(await session.get('a'), undefined)
    await session.set('b', 2)
    await browser.end(session)

    assert.notEqual(browser.cookie, old)
    assert.equal(await browser.read('a'), undefined)
  })

  for (const malformed of [
    '',
    'short',
    'a'.repeat(42),
    'a'.repeat(44),
    `${'a'.repeat(42)}=`,
    `${'a'.repeat(42)} `,
    '../../etc/passwd',
    `${'a'.repeat(42)}é`,
  ]) {
    it(`costs no store call when it is ${JSON.stringify(malformed)}`, async () => {
      const browser = new Browser()
      const session = browser.request(malformed)

      assert.equal(await session.get('a'), undefined)
      assert.equal(await browser.end(session), null)
      assert.deepEqual(browser.store.calls, [])
    })
  }
})

describe('Session with a cookie', () => {
  it('costs no call while it is not used', async () => {
    const browser = await new Browser().with({ a: 1 })

    assert.equal(await browser.end(browser.request()), null)
    assert.deepEqual(browser.store.calls, [])
  })

  it('costs one read, however often it is read, even concurrently', async () => {
    const browser = await new Browser().with({ a: 1, b: 2 })
    const session = browser.request()

    const values = await Promise.all([session.get('a'), session.get('b'), session.has('c'), session.get('a')])
    await browser.end(session)

    assert.deepEqual(values, [1, 2, false, 1])
    assert.deepEqual(browser.store.calls, ['read'])
  })

  it('costs one read and one write when it is changed, and sends no cookie', async () => {
    const browser = await new Browser().with({ a: 1 })
    const session = browser.request()

    await session.set('b', 2)
    await session.set('c', 3)
    await session.remove('a')

    assert.equal(await browser.end(session), null)
    assert.deepEqual(browser.store.calls, ['read', 'update'])
  })

  it('accepts null as a value [OPEN-16]', async () => {
    const browser = await new Browser().with({ a: null })
    const session = browser.request()

    assert.equal(await session.has('a'), true)
    assert.equal(await session.get('a'), null)
    assert.equal(await session.has('b'), false)
    assert.equal(await session.get('b'), undefined)
  })

  it('shows a request its own changes', async () => {
    const browser = await new Browser().with({ a: 1, b: 2 })
    const session = browser.request()

    await session.set('a', 10)
    await session.remove('b')
    await session.set('c', 3)

    assert.deepEqual([await session.get('a'), await session.has('b'), await session.get('c')], [10, false, 3])
    await session.set('b', 20)
    assert.equal(await session.get('b'), 20)
  })

  for (const key of ['__proto__', 'constructor', 'hasOwnProperty', '', '0']) {
    it(`keeps an entry under the key ${JSON.stringify(key)}`, async () => {
      const browser = await new Browser().with({ other: 1 })
      const session = browser.request()

      assert.equal(await session.get(key), undefined)
      await session.set(key, { polluted: true })
      await browser.end(session)

      assert.deepEqual(await browser.read(key), { polluted: true })
      assert.equal('polluted' in {}, false)
    })
  }

  it('copies a value when it is set, and at each reading', async () => {
    const browser = new Browser()
    const session = browser.request()
    const cart = ['x']

    await session.set('cart', cart)
    cart.push('y')
    const read = (await session.get<string[]>('cart')) ?? []
    read.push('z')

    assert.deepEqual(await session.get('cart'), ['x'])
  })

  for (const [what, value] of [
    ['undefined', undefined],
    ['a function', () => 1],
    ['a symbol', Symbol('x')],
    ['a bigint', 5n],
  ] as const) {
    it(`refuses ${what}, which JSON cannot represent`, async () => {
      const browser = new Browser()
      const session = browser.request()

      await assert.rejects(session.set('a', value as unknown as Json), TypeError)
      assert.equal(await browser.end(session), null)
    })
  }

  it('refuses a value that contains itself', async () => {
    const loop: Record<string, unknown> = {}
    loop['self'] = loop

    await assert.rejects(new Browser().request().set('a', loop as Json), TypeError)
  })

  it('refuses changes after the response was made', async () => {
    const browser = await new Browser().with({ a: 1 })
    const session = browser.request()
    await session.set('b', 2)
    await browser.end(session)

    for (const late of [
      () => session.set('c', 3),
      () => session.remove('a'),
      () => session.regenerateId(),
      () => session.destroy(),
    ]) {
      await assert.rejects(late(), /response has been made/)
    }
    assert.equal(await browser.read('c'), undefined)
  })

  it('refuses a late change, even when the read was pending', async () => {
    const browser = await new Browser().with({ a: 1 })
    const session = browser.request()
    const read = Promise.withResolvers<void>()
    browser.store.before = () => read.promise

    const reading = session.get('a')
    const ending = browser.end(session)
    const late = session.set('b', 2)
    read.resolve()

    assert.equal(await reading, 1)
    await ending
    await assert.rejects(late, /response has been made/)
    browser.store.before = () => undefined
    assert.equal(await browser.read('b'), undefined)
  })

  it('waits for a write that was not awaited before it commits', async () => {
    const browser = await new Browser().with({ a: 1 })
    const session = browser.request()

    const writing = session.set('b', 2)
    await browser.end(session)
    await writing

    assert.equal(await browser.read('b'), 2)
  })

  it('refuses more than the policy allows, and writes nothing then', async () => {
    const browser = await new Browser({ maxBytes: 100 }).with({ a: 'x'.repeat(50) })
    const session = browser.request()

    await session.set('b', 'y'.repeat(50))

    await assert.rejects(
      browser.end(session),
      new RangeError(
        'Cannot keep "b" of 53 bytes in the session: it would hold 106 bytes, and maxBytes of its policy allows 100',
      ),
    )
    assert.equal(await browser.read('b'), undefined)
    assert.equal((await browser.read('a')) !== undefined, true)
  })

  it('counts what is replaced and removed out', async () => {
    const browser = await new Browser({ maxBytes: 100 }).with({ a: 'x'.repeat(50), b: 'x'.repeat(30) })
    const session = browser.request()

    await session.set('a', 'y'.repeat(60))
    await session.remove('b')
    await browser.end(session)

    assert.equal(await browser.read('a'), 'y'.repeat(60))
  })
})

describe('two concurrent requests', () => {
  it('keep the changes of both when they write different keys', async () => {
    const browser = await new Browser().with({ a: 1 })
    const [one, two] = [browser.request(), browser.request()]

    await one.set('b', 2)
    await two.set('c', 3)
    await two.remove('a')
    await Promise.all([browser.end(one), browser.end(two)])

    assert.deepEqual(
      [await browser.read('a'), await browser.read('b'), await browser.read('c')],
      [undefined, 2, 3],
    )
  })

  it('keep a key that one removed although the other had read it', async () => {
    const browser = await new Browser().with({ token: 'x', other: 1 })
    const [one, two] = [browser.request(), browser.request()]

    assert.equal(await two.get('token'), 'x')
    await one.remove('token')
    await browser.end(one)
    await two.set('other', 2)
    await browser.end(two)

    assert.equal(await browser.read('token'), undefined)
    assert.equal(await browser.read('other'), 2)
  })

  it('removes a key that another request set after it had been read', async () => {
    const browser = await new Browser().with({ a: 1 })
    const [logout, other] = [browser.request(), browser.request()]

    await logout.has('_auth')
    await other.set('_auth', 'u1')
    await browser.end(other)
    await logout.remove('_auth')
    await browser.end(logout)

    assert.equal(await browser.read('_auth'), undefined)
  })

  it('a write never restores a session that the other destroyed, and sends no cookie [R-05]', async () => {
    const browser = await new Browser().with({ _auth: 'u1' })
    const [writer, ender] = [browser.request(), browser.request()]
    const cookie = browser.cookie

    await writer.set('cart', 1)
    await ender.destroy()
    assert.equal(await browser.end(ender), '')
    assert.equal(await browser.end(writer), null)

    assert.equal(await browser.read('_auth', cookie), undefined)
    assert.equal(await browser.read('cart', cookie), undefined)
  })

  it('a write never restores an identifier that the other rotated, and sends no cookie [R-06]', async () => {
    const browser = await new Browser().with({ cart: 1 })
    const old = browser.cookie
    const [writer, rotator] = [browser.request(), browser.request()]

    await writer.set('late', 1)
    await rotator.regenerateId()
    await rotator.set('_auth', 'u1')
    await browser.end(rotator)
    assert.equal(await browser.end(writer), null)

    assert.equal(await browser.read('_auth', old), undefined)
    assert.equal(await browser.read('late', old), undefined)
    assert.deepEqual(
      [await browser.read('_auth'), await browser.read('cart'), await browser.read('late')],
      ['u1', 1, undefined],
    )
  })

  it('of two rotations one wins, and only its response sets a cookie', async () => {
    const browser = await new Browser().with({ cart: 1 })
    const [one, two] = [browser.request(), browser.request()]
    await one.regenerateId()
    await two.regenerateId()

    const changes = await Promise.all([browser.end(one), browser.end(two)])

    assert.equal(changes.filter((change) => change !== null).length, 1)
    assert.equal(await browser.read('cart'), 1)
  })

  it('a request with a recently rotated identifier is anonymous and sets no cookie', async () => {
    const browser = await new Browser().with({ _auth: 'u1', cart: 1 })
    const old = browser.cookie
    const login = browser.request()
    await login.regenerateId()
    await browser.end(login)
    browser.store.reset()

    const late = browser.request(old)
    assert.equal(await late.get('_auth'), undefined)
    assert.equal(await late.has('cart'), false)
    await late.set('_csrf', 'x')
    await late.regenerateId()
    assert.equal(await late.get('_csrf'), 'x')
    const change = await browser.end(late)

    assert.equal(change, null)
    assert.deepEqual(browser.store.calls, ['read'])
    assert.equal(await browser.read('_auth'), 'u1')
  })

  it('a request with a destroyed identifier sends no cookie either, nor when it destroys', async () => {
    const browser = await new Browser().with({ _auth: 'u1' })
    const old = browser.cookie
    const ender = browser.request()
    await ender.destroy()
    await browser.end(ender)

    const late = browser.request(old)
    await late.set('a', 1)
    await late.destroy()

    assert.equal(await browser.end(late), null)
  })

  it('an old identifier starts over once its tombstone is gone', async () => {
    const browser = await new Browser().with({ a: 1 })
    const old = browser.cookie
    const rotator = browser.request()
    await rotator.regenerateId()
    await browser.end(rotator)
    browser.clock.advance(60)

    const late = browser.request(old)
    await late.set('b', 2)
    const change = await browser.end(late)

    assert.match(change ?? '', /^[A-Za-z0-9_-]{43}$/)
    assert.equal(await browser.read('a'), undefined)
  })

  it('any order of reads, writes, rotations and ends leaves one live session at most [R-06]', async () => {
    for (let seed = 1; seed <= 300; seed++) {
      const browser = await new Browser().with({ base: 0 })
      const issued = [browser.cookie ?? '']
      let state = seed
      const pick = (below: number): number => {
        state = (state * 1_103_515_245 + 12_345) & 0x7fffffff
        return (state >> 16) % below
      }
      const sessions = Array.from({ length: 3 }, () => browser.request())
      let destroyed = false

      for (let step = 0; step < 12; step++) {
        const session = sessions[pick(3)] ?? browser.request()
        const act = [
          () => session.set(`k${step}`, step),
          () => session.regenerateId(),
          () => session.get('base'),
          () => session.remove('base'),
          () => session.destroy(),
        ][pick(seed % 3 === 0 ? 5 : 4)]
        await act?.()
      }
      for (const session of sessions) {
        const change = session.seal() ? await session.commit() : null
        if (change === '') destroyed = true
        else if (change !== null) issued.push(change)
      }

      const alive: string[] = []
      for (const cookie of issued)
        if ((await browser.services.store.read(idOf(cookie)))?.ended === false) alive.push(cookie)
      // One that was rotated may live on beside one that a request made after destroying it, never two of one origin.
      assert.ok(
        alive.length <= (destroyed || seed % 3 === 0 ? 2 : 1),
        `seed ${seed}: ${alive.length} live sessions`,
      )
    }
  })
})

describe('Session.regenerateId()', () => {
  it('changes the identifier and keeps the data [SESS-15]', async () => {
    const browser = await new Browser().with({ cart: [1, 2], name: 'x' })
    const old = browser.cookie
    const session = browser.request()

    await session.regenerateId()
    await browser.end(session)

    assert.notEqual(browser.cookie, old)
    assert.deepEqual([await browser.read('cart'), await browser.read('name')], [[1, 2], 'x'])
    assert.equal(await browser.read('cart', old), undefined)
  })

  it('alone signs nobody out: the reference is still there [SESS-16]', async () => {
    const browser = await new Browser().with({ _auth: 'u1' })
    const session = browser.request()

    await session.regenerateId()

    assert.equal(await session.get('_auth'), 'u1')
    await browser.end(session)
    assert.equal(await browser.read('_auth'), 'u1')
  })

  it('is one rotation of the store, with the changes of the request', async () => {
    const browser = await new Browser().with({ a: 1 })
    const session = browser.request()

    await session.set('b', 2)
    await session.regenerateId()
    await session.regenerateId()
    await session.remove('a')
    await browser.end(session)

    assert.deepEqual(browser.store.calls, ['read', 'rotate'])
    assert.deepEqual([await browser.read('a'), await browser.read('b')], [undefined, 2])
  })
})

describe('Session.destroy()', () => {
  it('removes everything and expires the cookie', async () => {
    const browser = await new Browser().with({ a: 1, b: 2 })
    const old = browser.cookie
    const session = browser.request()

    await session.set('c', 3)
    await session.destroy()

    assert.equal(await session.has('a'), false)
    assert.equal(await session.has('c'), false)
    assert.equal(await browser.end(session), '')
    assert.equal(await browser.read('a', old), undefined)
  })

  it('leaves room for a new session in the same request, under an identifier of its own', async () => {
    const browser = await new Browser().with({ a: 1 })
    const old = browser.cookie
    const session = browser.request()

    await session.destroy()
    await session.set('notice', 'bye')
    await browser.end(session)

    assert.notEqual(browser.cookie, old)
    assert.deepEqual([await browser.read('a'), await browser.read('notice')], [undefined, 'bye'])
  })
})

describe('lifetimes', () => {
  it('end a session that is not used', async () => {
    const browser = await new Browser({ idleSeconds: 600, absoluteSeconds: 3600 }).with({ a: 1 })

    browser.clock.advance(599)
    assert.equal(await browser.read('a'), 1)
    browser.clock.advance(1)
    assert.equal(await browser.read('a'), undefined)
  })

  it('move on with each request, written at most once a minute', async () => {
    const browser = await new Browser({ idleSeconds: 600, absoluteSeconds: 36_000 }).with({ a: 1 })

    for (let minute = 0; minute < 30; minute++) {
      browser.clock.advance(30)
      const session = browser.request()
      assert.equal(await session.get('a'), 1)
      await browser.end(session)
    }

    assert.equal(browser.store.calls.filter((call) => call === 'read').length, 30)
    assert.equal(browser.store.calls.filter((call) => call === 'update').length, 15)
  })

  it('end a busy session when its absolute lifetime is over', async () => {
    const browser = await new Browser({ idleSeconds: 600, absoluteSeconds: 3600 }).with({ a: 1 })

    for (let step = 0; step < 11; step++) {
      browser.clock.advance(300)
      const session = browser.request()
      await session.set('step', step)
      await browser.end(session)
    }
    browser.clock.advance(299)
    assert.equal(await browser.read('a'), 1)
    browser.clock.advance(1)
    assert.equal(await browser.read('a'), undefined)
  })

  it('go on when only the identifier is new [SESS-15]', async () => {
    const browser = await new Browser({ idleSeconds: 600, absoluteSeconds: 3600 }).with({ a: 1 })

    for (let step = 0; step < 11; step++) {
      browser.clock.advance(300)
      const session = browser.request()
      await session.regenerateId()
      await browser.end(session)
    }
    browser.clock.advance(299)
    assert.equal(await browser.read('a'), 1)
    browser.clock.advance(1)
    assert.equal(await browser.read('a'), undefined)
  })

  it('restart when the new identifier belongs to another identity', async () => {
    const browser = await new Browser({ idleSeconds: 3600, absoluteSeconds: 3600 }).with({ a: 1 })

    browser.clock.advance(3000)
    const session = browser.request()
    session.renew()
    await session.regenerateId()
    await browser.end(session)
    browser.clock.advance(3599)
    assert.equal(await browser.read('a'), 1)
    browser.clock.advance(1)
    assert.equal(await browser.read('a'), undefined)
  })

  it('hold even if the store does not check them', async () => {
    const browser = await new Browser({ idleSeconds: 60 }).with({ a: 1 })
    const stale = await browser.store.read([...browser.store.ids][0] ?? '')
    browser.store.read = () => Promise.resolve(stale)
    browser.clock.advance(61)

    assert.equal(await browser.read('a'), undefined)
  })
})

describe('a store that fails', () => {
  it('a read that fails is a 503, never an anonymous session; even if the application swallows it [R-22]', async () => {
    const browser = await new Browser().with({ _auth: 'u1' })
    browser.store.failing.add('read')
    const session = browser.request()

    await assert.rejects(session.get('_auth'), ServiceUnavailableException)
    await assert.rejects(session.set('a', 1), ServiceUnavailableException)
    assert.equal(session.seal(), true)
    await assert.rejects(session.commit(), ServiceUnavailableException)
    assert.deepEqual(browser.store.calls, ['read'])
  })

  for (const operation of ['create', 'update', 'rotate', 'destroy'] as const) {
    it(`a ${operation} that fails is a 503, and the cookie stays unchanged [R-23]`, async () => {
      const browser = operation === 'create' ? new Browser() : await new Browser().with({ a: 1 })
      const cookie = browser.cookie
      browser.store.failing.add(operation)
      const session = browser.request()

      if (operation === 'rotate') await session.regenerateId()
      if (operation === 'destroy') await session.destroy()
      else await session.set('b', 2)

      await assert.rejects(browser.end(session), (error: unknown) => {
        assert.ok(error instanceof ServiceUnavailableException)
        assert.match(String(error.cause), /connection refused/)
        assert.doesNotMatch(error.message, /refused/)
        return true
      })
      assert.equal(browser.cookie, cookie)
      browser.store.failing.clear()
      if (operation !== 'create') assert.equal(await browser.read('a'), 1)
      assert.equal(await browser.read('b'), undefined)
    })
  }
})
