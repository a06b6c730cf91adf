import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { shown } from '../../src/core/internal.ts'
import { DECLARATIONS, refusals } from './declared.ts'

const LONG = 'long'.repeat(75_000)
// Line breaks of every kind, what a terminal obeys, what turns the order of characters around, and half a character.
const UNSEEN = [
  '\n',
  '\r',
  '\t',
  '\0',
  '\u007f',
  '\u0085',
  '\u001b[2J',
  '\u2028',
  '\u2029',
  '\u202e',
  '\ud800',
]
const SEEN_IN_ONE_LINE = /^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]*$/u

function revoked(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {})
  revoke()
  return proxy
}

function throwing(): never {
  throw new Error('not to be looked at')
}

/** Values that a message cannot simply quote. */
const NASTY: readonly unknown[] = [
  LONG,
  `/${LONG}`,
  ...UNSEEN.flatMap((each) => [`a${each}b`, `/a${each}b`, { [`a${each}b`]: 1 }]),
  [LONG],
  { [LONG]: LONG },
  { fr: `/${LONG}` },
  Symbol(`${LONG}\n`),
  new Array(1_000_000),
  revoked({}),
  revoked([]),
  revoked(class {}),
  revoked(throwing),
  new Proxy({}, { get: throwing, getPrototypeOf: throwing, ownKeys: throwing, has: throwing }),
  {
    get constructor(): never {
      return throwing()
    },
  },
  { constructor: { name: `a\n${LONG}` } },
  {
    get [Symbol.toStringTag](): never {
      return throwing()
    },
  },
  Object.defineProperty(() => undefined, 'name', { value: `a\n${LONG}` }),
  Object.defineProperty(class {}, 'name', { get: throwing }),
  Object.defineProperty(class {}, 'name', { value: {} }),
]

/** What is given a name, and goes into messages, lists, logs or the file of types under it. */
const NAMED = [
  'App.errorView()',
  'defineModule(name)',
  'Module.mount()',
  'param.string()',
  'parameterType({ name })',
  'parameterType({ typescript })',
  'RouteDeclaration.name()',
  'SessionPolicy cookieName',
]

describe('a name', () => {
  for (const name of NAMED)
    it(`of ${name} has no control character, no line break and no lone surrogate [HOLD-35]`, async () => {
      const [, , declare] = DECLARATIONS.find(([what]) => what === name) ?? assert.fail(name)

      // A type may have several lines; it is written in one.
      const allowed = name === 'parameterType({ typescript })' ? ['\u202e', '\n', '\r', '\t'] : ['\u202e']
      for (const each of UNSEEN.filter((character) => !allowed.includes(character)))
        for (const value of [`a${each}b`, `a${each}`, `${each}b`])
          assert.notDeepEqual(await refusals(declare, value), [], JSON.stringify(value))
    })
})

describe('a message', () => {
  it('describes any value in one short line [HOLD-35]', () => {
    for (const value of NASTY) {
      const text = shown(value)

      assert.match(text, SEEN_IN_ONE_LINE)
      assert.ok(text.length > 0 && text.length < 500, text)
    }
  })

  // Where a name may be right, a server would listen.
  const declared = DECLARATIONS.filter(([what]) => !/^(?:serve\(|trusted)/.test(what))
  for (const [what, , declare] of declared)
    it(`of ${what} is one line of bounded length, whatever was given [HOLD-35]`, async () => {
      for (const value of NASTY)
        for (const message of await refusals(declare, value)) {
          assert.match(message, SEEN_IN_ONE_LINE)
          assert.ok(message.length <= 2_500, `${message.length}: ${message.slice(0, 500)}`)
        }
    })
})
