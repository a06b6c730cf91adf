import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { Csrf, InvalidCsrfTokenException } from '../../src/csrf/index.ts'
import { RequestSession } from '../../src/session/internal.ts'
import { type Session, SessionPolicy } from '../../src/session/index.ts'
import { FrozenClock } from '../../src/testing/index.ts'
import { SpyStore } from '../session/spy-store.ts'

function open(
  cookie?: string,
  store: SpyStore = new SpyStore(new FrozenClock()),
): { session: RequestSession; csrf: Csrf; store: SpyStore } {
  const session = new RequestSession({ store, policy: new SessionPolicy(), clock: new FrozenClock() }, cookie)
  return { session, csrf: new Csrf(session), store }
}

/** A session that reads at once and tells later what it read. */
class LateSession extends RequestSession {
  delivery: Promise<null> | null = null

  override async get<T = unknown>(key: string): Promise<T | undefined> {
    const { delivery } = this
    const value = await super.get<T>(key)
    await delivery
    return value
  }
}

function flip(token: string, at: number): string {
  const other = token[at] === 'A' ? 'B' : 'A'
  return token.slice(0, at) + other + token.slice(at + 1)
}

/** A session that has the public methods only. */
function bare(inner: Session): Session {
  return {
    get: (key) => inner.get(key),
    has: (key) => inner.has(key),
    set: (key, value) => inner.set(key, value),
    remove: (key) => inner.remove(key),
    regenerateId: () => inner.regenerateId(),
    destroy: () => inner.destroy(),
  }
}

describe('Csrf', () => {
  it('accepts the tokens it created, each any number of times [CSRF-01 CSRF-04]', async () => {
    const { csrf } = open()
    const tokens = [await csrf.token(), await csrf.token(), await csrf.token()]

    for (const token of [...tokens, ...tokens]) assert.equal(await csrf.verify(token), true)
  })

  it('creates no two tokens alike, and reveals nothing of the secret in them [CSRF-01]', async () => {
    const { csrf, session } = open()
    const tokens = await Promise.all(Array.from({ length: 200 }, () => csrf.token()))
    const secret = Buffer.from((await session.get<string>('_csrf')) ?? '', 'base64url')

    assert.equal(new Set(tokens).size, 200)
    assert.equal(secret.byteLength, 32)
    for (const token of tokens) {
      assert.match(token, /^[A-Za-z0-9_-]{86}$/)
      assert.equal(Buffer.from(token, 'base64url').indexOf(secret.subarray(0, 8)), -1)
    }
  })

  it('creates one secret for concurrent calls [CSRF-01]', async () => {
    const { csrf } = open()

    const tokens = await Promise.all(Array.from({ length: 10 }, () => csrf.token()))

    for (const token of tokens) assert.equal(await csrf.verify(token), true)
  })

  it('creates one secret even for a call that read too early [CSRF-01]', async () => {
    const { promise: delivery, resolve: deliver } = Promise.withResolvers<null>()
    const session = new LateSession(
      { store: new SpyStore(new FrozenClock()), policy: new SessionPolicy(), clock: new FrozenClock() },
      undefined,
    )
    const csrf = new Csrf(session)

    session.delivery = delivery
    const late = csrf.token()
    session.delivery = null
    const early = await csrf.token()
    deliver(null)

    assert.equal(await csrf.verify(await late), true)
    assert.equal(await csrf.verify(early), true)
  })

  it('accepts a token of an earlier request of the session [CSRF-01]', async () => {
    const first = open()
    const token = await first.csrf.token()
    const cookie = (await first.session.commit()) ?? ''

    const second = open(cookie, first.store)

    assert.equal(await second.csrf.verify(token), true)
  })

  it('refuses the token of another session [CSRF-03]', async () => {
    const [ada, eve] = [open(), open()]
    await ada.csrf.token()

    assert.equal(await ada.csrf.verify(await eve.csrf.token()), false)
  })

  it('refuses a token with any one character changed [CSRF-03]', async () => {
    const { csrf } = open()
    const token = await csrf.token()

    for (let at = 0; at < 85; at++) assert.equal(await csrf.verify(flip(token, at)), false, `character ${at}`)
  })

  for (const sent of [
    undefined,
    null,
    '',
    'x',
    5,
    {},
    [],
    ['token'],
    'A'.repeat(86),
    'A'.repeat(85),
    'A'.repeat(1_000_000),
    '='.repeat(86),
    `${'A'.repeat(85)}\n`,
  ]) {
    it(`refuses ${typeof sent} ${(JSON.stringify(sent) ?? '').slice(0, 20)} [CSRF-03]`, async () => {
      const { csrf } = open()
      await csrf.token()

      assert.equal(await csrf.verify(sent), false)
    })
  }

  it('uses only the interface of a session that is not the framework’s [CSRF-01 CSRF-03]', async () => {
    const [{ session }, { session: other }] = [open(), open()]
    const token = await new Csrf(bare(session)).token()

    assert.equal(await new Csrf(bare(session)).verify(token), true)
    assert.equal(await new Csrf(bare(session)).verify(flip(token, 0)), false)
    assert.equal(await new Csrf(bare(other)).verify(token), false)

    await new Csrf(bare(session)).dropSecret()

    assert.equal(await session.has('_csrf'), false)
  })

  it('refuses what is no session, and what cannot tell an ended identifier', () => {
    const { session } = open()

    assert.throws(() => new Csrf(JSON.parse('{}') as Session), {
      name: 'TypeError',
      message: /make CSRF tokens/,
    })
    assert.throws(() => new Csrf(session, JSON.parse('{ "isEnded": true }') as RequestSession), {
      name: 'TypeError',
      message: /Cannot make CSRF tokens with .* as the ended identifier: pass the session of the request/,
    })
  })

  it('has a token without waiting once the secret is known, and says that it was asked for [CSRF-01]', async () => {
    const { csrf, session, store } = open()
    const early = csrf.knownToken()
    const wasIssued = csrf.hasIssued
    await csrf.token()
    const cookie = (await session.commit()) ?? ''
    const next = open(cookie, store)
    await next.session.get('_csrf')

    const known = next.csrf.knownToken()

    assert.deepEqual([early, wasIssued], [null, false])
    assert.equal(await next.csrf.verify(known), true)
    assert.equal(next.csrf.hasIssued, true)
    assert.equal(new Csrf(bare(session)).knownToken(), null)
  })

  it('refuses a good token in a list [CSRF-03]', async () => {
    const { csrf } = open()

    assert.equal(await csrf.verify([await csrf.token()]), false)
  })

  it('refuses every token when the session has no secret [CSRF-03]', async () => {
    const { csrf, store } = open()
    const token = await open().csrf.token()

    assert.equal(await csrf.verify(token), false)
    assert.equal(await csrf.verify('A'.repeat(86)), false)
    assert.deepEqual(store.calls, [])
  })

  for (const stored of [
    '',
    'short',
    null,
    5,
    { secret: 'x' },
    'A'.repeat(44),
    `${'A'.repeat(42)}=`,
    `${'A'.repeat(42)}!`,
    '%'.repeat(43),
    ['A'.repeat(43)],
  ]) {
    it(`treats ${JSON.stringify(stored)} in the session as no secret [CSRF-03]`, async () => {
      const { csrf, session } = open()
      await session.set('_csrf', stored)

      assert.equal(await csrf.verify('A'.repeat(86)), false)
      assert.equal(await csrf.verify(await csrf.token()), true)
    })
  }

  it('opens no session for a malformed token', async () => {
    const { csrf, store } = open('A'.repeat(43))

    assert.equal(await csrf.verify('garbage'), false)
    assert.deepEqual(store.calls, [])
  })

  it('a token becomes invalid when the secret is dropped; a new one works [SESS-06 SESS-10]', async () => {
    const { csrf, session } = open()
    const token = await csrf.token()

    await csrf.dropSecret()

    assert.equal(await session.has('_csrf'), false)
    assert.equal(await csrf.verify(token), false)
    assert.equal(await csrf.verify(await csrf.token()), true)
    assert.equal(await csrf.verify(token), false)

    await csrf.dropSecretUnlessNewer()

    assert.equal(await session.has('_csrf'), false)
  })

  it('names its form field _csrf [CSRF-08]', () => {
    assert.equal(Csrf.fieldName, '_csrf')
  })

  it('names its header x-csrf-token', () => {
    assert.equal(Csrf.headerName, 'x-csrf-token')
  })
})

describe('InvalidCsrfTokenException', () => {
  it('is a 403 with its own code [CSRF-03]', () => {
    const refusal = new InvalidCsrfTokenException()

    assert.equal(refusal.status, 403)
    assert.equal(refusal.code, 'ERR_CSRF_INVALID_TOKEN')
  })

  it('tells the client what to do, or what the application says', () => {
    assert.match(
      new InvalidCsrfTokenException().message,
      /Go back, check what you entered, and send it again/,
    )
    assert.equal(new InvalidCsrfTokenException('Go back').message, 'Go back')
  })
})
