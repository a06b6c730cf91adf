import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { App, Clock, Definitions, HttpContext, SecurityHeaders, SystemClock } from 'sallyport'
import { PasswordHasher } from 'sallyport/auth'
import { Locales, Translator } from 'sallyport/i18n'
import { MemorySessionStore, SessionPolicy, SessionStore } from 'sallyport/session'
import { ViewEngine } from 'sallyport/view'

type Service = abstract new (...args: never[]) => object

class PlainEngine extends ViewEngine {
  override render(): Promise<string> {
    return Promise.resolve('')
  }
}

/** What the framework asks for: what may stand for it, and what it is missed by name. */
const SERVICES: readonly (readonly [type: Service, right: () => object, missing: string])[] = [
  [ViewEngine, () => new PlainEngine(), 'render()'],
  [Clock, () => new SystemClock(), 'milliseconds()'],
  [SessionStore, () => new MemorySessionStore(), 'rotate()'],
  [PasswordHasher, () => new PasswordHasher(), 'verify()'],
  [SessionPolicy, () => new SessionPolicy(), 'new SessionPolicy(…)'],
  [SecurityHeaders, () => new SecurityHeaders(), 'new SecurityHeaders(…)'],
  [Translator, () => new Translator(), 'new Translator(…)'],
]

function boot(type: Service, given: unknown): Promise<App> {
  return App.create()
    .configure((definitions) => void definitions.set(type, given as never))
    .boot()
}

describe('a value registered for a class of the framework', () => {
  for (const [type, right, missing] of SERVICES) {
    it(`${type.name} is refused at boot by what it lacks and where, if it cannot replace it [HOLD-35]`, async () => {
      const options = { cookieName: 'sid', frameOptions: 'DENY', realm: 'x' }
      for (const given of [{}, options, [], new Map(), () => undefined, 'text', 5, true, new Proxy({}, {})]) {
        await assert.rejects(boot(type, given), (error: Error) => {
          assert.ok(error instanceof TypeError, error.message)
          assert.match(error.message, new RegExp(`^Cannot register .* for ${type.name}: `))
          assert.match(error.message, /pass an instance/)
          assert.match(error.message, /services\.test\.ts:\d+\)$/)
          if (Object(given) === given) assert.ok(error.message.includes(missing), error.message)
          return true
        })
      }
    })

    it(`${type.name} is refused as the class, and accepted as its instance [HOLD-35]`, async () => {
      const instance = right()
      for (const each of new Set([type, instance.constructor]))
        await assert.rejects(
          boot(type, each),
          /Cannot register class \w+ for \w+: it is a class; pass an inst/,
        )

      assert.equal((await boot(type, instance)).get(type), instance)
    })
  }

  it('is accepted by its methods alone, and names the missing one [HOLD-35]', async () => {
    const clock = {
      now: () => new Date(5000),
      timestamp: () => 5,
      milliseconds: () => 5000,
    }
    const { now, timestamp } = clock

    assert.equal((await boot(Clock, clock)).get(Clock), clock)
    await assert.rejects(
      boot(Clock, { now, timestamp }),
      /Cannot register an object for Clock: it lacks the method milliseconds\(\)/,
    )
    await assert.rejects(
      boot(SessionStore, { read: clock.now, create: clock.now, destroy: clock.now, rotate: 5 }),
      /for SessionStore: it lacks the methods update\(\), rotate\(\)/,
    )
  })

  it('is refused where the framework would replace it [HOLD-35]', async () => {
    await assert.rejects(boot(Locales, new Locales(['fr'])), /for Locales: .*App\.create\(\{ locales \}\)/)
    await assert.rejects(boot(HttpContext, {}), /for HttpContext: each request has its own/)
  })

  it('is not a class where an instance is required, for any class [HOLD-35]', () => {
    class Mailer {}
    class QueueMailer extends Mailer {}
    for (const given of [Mailer, QueueMailer])
      assert.throws(() => new Definitions().set(Mailer, given), /it is a class; pass an instance, new/)
  })
})
