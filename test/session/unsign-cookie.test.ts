import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { unsignCookie } from '../../src/session/index.ts'

// What cookie-signature makes of these values.
const OF_FORMER = '42.0bNVUoWT81QpJwbuUa6KNtEDYtsKAq3Pd/RPVsXdga8'
const OF_OTHER = '42.QWQFXvESl6Qz3ldrx3qKG3hpdqDwcyxnAgsWOhOqO8M'
const SECRETS = ['present', 'former']

describe('unsignCookie()', () => {
  const cases: readonly [string, string | undefined, string | null][] = [
    ['a cookie of Express', `s:${OF_FORMER}`, '42'],
    ['a cookie of Fastify', OF_FORMER, '42'],
    ['a cookie that another secret has signed', OF_OTHER, null],
    ['another value with that signature', OF_FORMER.replace('42', '43'), null],
    ['a signature that is cut off', OF_FORMER.slice(0, -1), null],
    ['a signature with something behind it', `${OF_FORMER}=`, null],
    ['a signature without a value', OF_FORMER.slice(2), null],
    ['a value without a signature', 's:42', null],
    ['an empty cookie', '', null],
    ['no cookie', undefined, null],
  ]
  for (const [name, value, expected] of cases)
    it(`reads ${name} as ${expected ?? 'nothing'} [HOST-10]`, () => {
      assert.equal(unsignCookie(value, SECRETS), expected)
    })

  const refused: readonly [unknown, string][] = [
    ['secret', 'Cannot read a signed cookie: pass a list of the secrets that may have signed it'],
    [[], 'Cannot read a signed cookie: pass a list of the secrets that may have signed it'],
    [['a', ''], 'Cannot read a signed cookie: secret 2 is an empty string; pass non-empty strings'],
    [[undefined], 'Cannot read a signed cookie: secret 1 is of type undefined; pass non-empty strings'],
  ]
  for (const [secrets, message] of refused)
    it(`refuses the secrets ${JSON.stringify(secrets)}, and shows none [HOST-10]`, () => {
      const read = (): unknown => Reflect.apply(unsignCookie, null, [undefined, secrets])

      assert.throws(read, { name: 'TypeError', message })
    })
})
