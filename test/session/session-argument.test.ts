import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertSession, hasMethods } from '../../src/session/internal.ts'
import { Site } from './site.ts'

const METHODS = ['get', 'has', 'set', 'remove', 'regenerateId', 'destroy']

function sessionWithout(missing: string | null): Record<string, unknown> {
  const names = METHODS.filter((name) => name !== missing)
  return Object.fromEntries(names.map((name) => [name, () => Promise.resolve()]))
}

describe('assertSession()', () => {
  it('accepts a session implemented by the application [HOLD-35]', () => {
    assertSession(sessionWithout(null), 'log in')
  })

  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  for (const [what, given] of [
    ['nothing', undefined],
    ['null', null],
    ['a string', 'session'],
    ['an empty object', {}],
    ['a revoked proxy', proxy],
    ['a function that has the methods', Object.assign(() => undefined, sessionWithout(null))],
    ...METHODS.map((name) => [`one without ${name}()`, sessionWithout(name)] as const),
    ['one whose get is a value', { ...sessionWithout('get'), get: 1 }],
  ] as const) {
    it(`refuses ${what} [HOLD-35]`, () => {
      assert.throws(() => assertSession(given, 'log in'), {
        name: 'TypeError',
        message:
          /^Cannot log in with .* as the session: pass the request's own, context\.session\(\) \(.*session-argument\.test\.ts:\d+\)$/,
      })
    })
  }
})

describe('hasMethods()', () => {
  it('never throws', () => {
    const throwing = {
      get get(): never {
        throw new Error('no')
      },
    }

    assert.equal(hasMethods(throwing, ['get']), false)
  })
})

describe('the key of an entry', () => {
  for (const key of [undefined, null, 5, ['a'], Symbol('a'), new String('a')]) {
    it(`is a string, and not ${String(typeof key)} ${key === null ? 'null' : key?.constructor.name} [HOLD-24]`, async () => {
      const site = new Site()
      const session = site.request(await site.live())
      const wrong = key as string

      for (const call of [
        () => session.get(wrong),
        () => session.has(wrong),
        () => session.set(wrong, 1),
        () => session.remove(wrong),
      ])
        await assert.rejects(call, {
          name: 'TypeError',
          message: /^Cannot use .* as the key of a session entry/,
        })

      assert.equal(session.seal() ? await session.commit() : null, null)
      assert.equal(site.store.calls.includes('update'), false)
    })
  }
})
