import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { preparedPassword } from 'sallyport-app/passwords'
import { emailKey, MAX_NORMALIZED_LENGTH, readRecoveryCode } from 'sallyport-app/text'
import { PASSWORD_RULE } from '../../../core/accounts/new-passwords.ts'
import { parseTotpCode } from '../../../core/factors/totp-code.ts'
import { normalizedLengths } from '../../normalized-lengths.ts'

const MARKS = 'a\u0316\u0301'

describe('text of a bounded length', () => {
  for (const [what, read, expected] of [
    ['a code of an authenticator', parseTotpCode, undefined],
    ['a recovery code', readRecoveryCode, undefined],
    ['a password to verify', (text: string) => preparedPassword(text) === text, true],
    ['a password to choose', (text: string) => PASSWORD_RULE.fault(text, ['Ada', text]), 'too_long'],
    ['an address', (text: string) => emailKey(text).length > 0, true],
  ] as const) {
    it(`is all that reads ${what} of any length [MEND-01]`, (test) => {
      const lengths = normalizedLengths(test)

      const found = read(MARKS.repeat(100_000))

      assert.equal(found, expected)
      assert.ok(
        lengths.every((length) => length <= MAX_NORMALIZED_LENGTH),
        lengths.join(),
      )
    })
  }
})
