import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Authentication, PermissionSet, SessionAuthentication } from 'sallyport/auth'
import { CsrfMiddleware } from 'sallyport/middleware'
import { Csrf } from '../../src/csrf/index.ts'
import { Flash } from '../../src/context/flash.ts'
import type { RequestSession } from '../../src/session/internal.ts'
import { Site } from '../session/site.ts'

const authentication = new SessionAuthentication()
// Whatever TypeScript would refuse; tests of plain JavaScript.
const wrong = <T>(value: unknown): T => value as T

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

const untouchable: object = new Proxy(
  {},
  {
    get: () => {
      throw new Error('trap')
    },
    getPrototypeOf: () => {
      throw new Error('trap')
    },
  },
)

const noSessions: readonly [string, unknown, string][] = [
  ['nothing', undefined, 'undefined'],
  ['null', null, 'null'],
  ['an object', { get: () => undefined }, 'an object'],
  ['the other argument', new Authentication(), 'an instance of Authentication'],
  ['a promise of it', Promise.resolve(new Site().request()), 'a promise'],
  ['a revoked proxy', revoked(), 'an object that cannot be read'],
  ['a proxy that throws', untouchable, 'an object that cannot be read'],
]

function refusal(what: string, given: string, argument: 'session' | 'authentication'): RegExp {
  const mend = argument === 'session' ? 'session' : 'auth'
  return new RegExp(
    `^TypeError: Cannot ${what} with ${given} as the ${argument}: pass the request's own, context\\.${mend}\\(\\)`,
  )
}

describe('SessionAuthentication with an invalid argument', () => {
  for (const [what, given, shown] of noSessions) {
    it(`refuses ${what} as the session, and says what to pass [HOLD-35]`, async () => {
      const auth = new Authentication()
      const session = wrong<ReturnType<Site['request']>>(given)

      await assert.rejects(
        authentication.login(session, auth, 'ada', {}),
        refusal('log in', shown, 'session'),
      )
      await assert.rejects(authentication.logout(session, auth), refusal('log out', shown, 'session'))
      await assert.rejects(authentication.identifier(session), refusal('read an identity', shown, 'session'))
      assert.throws(() => new Csrf(session), refusal('make CSRF tokens', shown, 'session'))
      assert.equal(auth.isAuthenticated(), false)
    })
  }

  for (const [what, given, shown] of [
    ['nothing', undefined, 'undefined'],
    ['an object', {}, 'an object'],
    ['a revoked proxy', revoked(), 'an object that cannot be read'],
    ['a session', new Site().request(), 'an instance of RequestSession'],
    [
      'what is made of the prototype',
      Object.create(Authentication.prototype),
      'an instance of Authentication',
    ],
    ['what is made of one', Object.create(new Authentication()), 'an instance of Authentication'],
    ['a proxy of one', new Proxy(new Authentication(), {}), 'an instance of Authentication'],
    ['half of one', { authenticate: () => undefined, clear: () => undefined }, 'an object'],
    ['the other half', { isAuthenticated: () => false }, 'an object'],
  ] as const) {
    it(`refuses ${what} as the authentication, and changes nothing [HOLD-35]`, async () => {
      const site = new Site()
      const session = site.request(await site.live())
      const auth = wrong<Authentication>(given)

      await assert.rejects(
        authentication.login(session, auth, 'ada', {}),
        refusal('log in', shown, 'authentication'),
      )
      await assert.rejects(authentication.logout(session, auth), refusal('log out', shown, 'authentication'))

      assert.equal(session.seal(), false)
    })
  }

  for (const [what, permissions] of [
    ['what is made of the prototype of a set', Object.create(PermissionSet.prototype)],
    ['a proxy of a set', new Proxy(new PermissionSet(['a']), {})],
    ['a list with an empty name', ['a', '']],
    ['a string', 'a'],
    ['a number', 5],
  ] as const) {
    it(`refuses ${what} as the permissions, and changes nothing [HOLD-35]`, async () => {
      const site = new Site()
      const session = site.request(await site.live())
      const auth = new Authentication()

      await assert.rejects(authentication.login(session, auth, 'ada', {}, wrong(permissions)), TypeError)
      assert.throws(() => auth.authenticate({}, wrong(permissions)), TypeError)

      assert.equal(session.seal(), false)
      assert.equal(auth.isAuthenticated(), false)
    })
  }

  for (const [what, options, refused] of [
    ['details that are no object', { details: 'phone' }, TypeError],
    ['a list of details', { details: ['phone'] }, TypeError],
    ['details that JSON would change', { details: { at: new Date(0) } }, TypeError],
    ['details of 2,049 bytes', { details: { a: 'é'.repeat(1020) + 'b' } }, RangeError],
    ['an unknown option', { detail: {} }, TypeError],
    ['options that are none', null, TypeError],
  ] as const) {
    it(`refuses ${what}, and changes nothing [ACCT-01 HOLD-35]`, async () => {
      const site = new Site()
      const session = site.request(await site.live())
      const auth = new Authentication()

      await assert.rejects(authentication.login(session, auth, 'ada', {}, [], wrong(options)), refused)

      assert.equal(session.seal(), false)
      assert.equal(auth.isAuthenticated(), false)
    })
  }

  it('accepts details of 2,048 bytes [ACCT-01]', async () => {
    const auth = new Authentication()

    await authentication.login(new Site().request(), auth, 'ada', {}, [], {
      details: { a: 'é'.repeat(1020) },
    })

    assert.equal(auth.isAuthenticated(), true)
  })

  it('accepts an authentication that extends the framework’s, or delegates to it [HOLD-35]', async () => {
    class Traced extends Authentication {}
    const traced = new Traced()
    const own = new Authentication()
    const passing = new Proxy(own, {
      get: (target, name): unknown => {
        const member: unknown = Reflect.get(target, name, target)
        return typeof member === 'function' ? member.bind(target) : member
      },
    })
    const permissions = new PermissionSet(['a'])

    await authentication.login(new Site().request(), traced, 'ada', {}, permissions)
    await authentication.login(new Site().request(), passing, 'ada', {}, permissions)

    for (const auth of [traced, own]) assert.equal(auth.isAuthenticated() && auth.allows('a'), true)
  })

  for (const [what, before] of [
    ['a proxy of the session', (session: object) => new Proxy(session, {})],
    ['an object made of the session', (session: object) => Object.create(session) as object],
  ] as const) {
    it(`rejects instead of throwing, for ${what} [HOLD-35]`, async () => {
      const auth = new Authentication()
      const site = new Site()
      const own = site.request(await site.live())
      const session = wrong<ReturnType<Site['request']>>(before(own))

      for (const call of [
        authentication.login(session, auth, 'ada', {}),
        authentication.logout(session, auth),
        authentication.identifier(session),
        new Csrf(session).dropSecret(),
      ])
        await assert.rejects(call, TypeError)

      assert.equal(auth.isAuthenticated(), false)
      assert.equal(own.seal(), false)
    })
  }

  for (const [what, options] of [
    ['an unknown option', { keepOlder: true }],
    ['a word in place of true or false', { keepNewer: 'yes' }],
    ['null in place of options', null],
  ] as const) {
    it(`refuses ${what}, and changes nothing [HOLD-35]`, async () => {
      const session = new Site().request()
      const auth = new Authentication()
      auth.authenticate({})

      await assert.rejects(authentication.logout(session, auth, wrong(options)), TypeError)

      assert.equal(auth.isAuthenticated(), true)
      assert.equal(session.seal(), false)
    })
  }

  it('is an error of the response when nobody awaits it [HOLD-35]', () => {
    const session = new Site().request()

    void authentication.logout(session, wrong(undefined))

    assert.throws(() => session.seal(), /^TypeError: Cannot log out with undefined as the authentication/)
  })

  it('is a warning when nobody awaits it and there is no session [HOLD-35]', async (test) => {
    const warnings: string[] = []
    const listener = ({ message }: Error): void => void warnings.push(message)
    process.on('warning', listener)
    test.after(() => process.off('warning', listener))

    void authentication.logout(wrong(undefined), new Authentication())
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)

    assert.match(warnings.join(), /Cannot log out with undefined as the session/)
  })
})

describe('a call that nobody awaits', () => {
  it('Csrf.dropSecret() ends no process when a session of the application fails [HOLD-20]', async (test) => {
    const unhandled: unknown[] = []
    const listener = (reason: unknown): void => void unhandled.push(reason)
    process.on('unhandledRejection', listener)
    test.after(() => process.off('unhandledRejection', listener))
    const fail = (): never => {
      throw new Error('no store')
    }
    const methods = ['get', 'has', 'set', 'remove', 'regenerateId', 'destroy']

    const dropped = new Csrf(wrong(Object.fromEntries(methods.map((name) => [name, fail])))).dropSecret()
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)

    assert.deepEqual(unhandled, [])
    await assert.rejects(dropped, /no store/)
  })

  for (const [name, call] of [
    ['Csrf.dropSecret()', (session: RequestSession) => new Csrf(session).dropSecret()],
    ['login()', (session: RequestSession) => authentication.login(session, new Authentication(), 'ada', {})],
    ['logout()', (session: RequestSession) => authentication.logout(session, new Authentication())],
  ] as const) {
    it(`${name} is a warning after the response, and ends no process [HOLD-20]`, async (test) => {
      const warnings: string[] = []
      const listener = ({ message }: Error): void => void warnings.push(message)
      process.on('warning', listener)
      test.after(() => process.off('warning', listener))
      const session = new Site().request()
      session.seal()

      void call(session)
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)

      assert.deepEqual(warnings, ['Cannot change the session: the response has been made'])
    })
  }
})

describe('CSRF classes with an invalid argument', () => {
  it('refuses an object that cannot report an ended identifier [HOLD-35]', () => {
    const session = new Site().request()

    assert.throws(
      () => new Csrf(session, wrong({})),
      /^TypeError: Cannot make CSRF tokens with an object as the ended identifier/,
    )
    assert.ok(new Csrf(session, session))
  })

  it('refuses options of the middleware, which would have no effect [HOLD-35]', () => {
    assert.throws(
      () => new CsrfMiddleware(wrong({ except: '/hook' })),
      /^TypeError: Cannot create a CsrfMiddleware with an object: it takes no options/,
    )
    assert.ok(new CsrfMiddleware())
  })
})

describe('a session entry with an invalid key', () => {
  for (const [key, shown] of [
    [42, '42'],
    [undefined, 'undefined'],
    [null, 'null'],
    [Symbol('cart'), 'Symbol\\(cart\\)'],
    [['a'], 'a list of 1'],
  ] as const) {
    it(`refuses ${String(shown)} in every call, and writes nothing [HOLD-35]`, async () => {
      const session = new Site().request()
      const message = new RegExp(
        `^TypeError: Cannot use ${shown} as the key of a session entry: it must be a string`,
      )
      const name = wrong<string>(key)

      for (const call of [
        () => session.get(name),
        () => session.has(name),
        () => session.set(name, 1),
        () => session.remove(name),
      ])
        await assert.rejects(call(), message)

      assert.equal(session.seal(), false)
    })
  }

  it('is an error of the response when nobody awaits it [HOLD-35]', () => {
    for (const call of ['get', 'has', 'remove'] as const) {
      const session = new Site().request()

      void session[call](wrong(42))

      assert.throws(() => session.seal(), /^TypeError: Cannot use 42 as the key/)
    }
  })

  it('refuses a flash message that is not a string [HOLD-35]', async () => {
    for (const [kind, text] of [
      [undefined, 'Saved'],
      ['notice', undefined],
      ['notice', 42],
      [{}, 'Saved'],
    ])
      await assert.rejects(
        new Flash(new Site().request()).add(wrong(kind), wrong(text)),
        /^TypeError: Cannot keep a flash message: its (kind|text) is a value of type \w+, not a string/,
      )
  })
})

describe('SessionAuthentication.login() with an authentication that refuses', () => {
  class Refusing extends Authentication {
    override authenticate(): void {
      throw new Error('Not today')
    }
  }

  it('leaves nobody half signed in, with neither the new identity nor the previous one [HOLD-20]', async () => {
    const site = new Site()
    const begun = site.request()
    await authentication.login(begun, new Authentication(), 'bob', {})
    const session = site.request((await begun.commit()) ?? '')
    const auth = new Refusing()

    await assert.rejects(authentication.login(session, auth, 'ada', {}), /Not today/)

    const cookie = (session.seal() ? await session.commit() : null) ?? ''
    assert.equal(await authentication.identifier(site.request(cookie)), null)
    assert.equal(auth.isAuthenticated(), false)
  })
})
