import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { newRecoveryCode, readRecoveryCode, shownRecoveryCode } from 'sallyport-app/text'

describe('a recovery code', () => {
  it('is shown in groups of four, and read as people type it [RA-1301]', () => {
    for (let times = 0; times < 200; times += 1) {
      const code = newRecoveryCode()
      const shown = shownRecoveryCode(code)

      assert.match(shown, /^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}$/)
      for (const typed of [
        shown,
        shown.toLowerCase(),
        shown.replaceAll('-', ' '),
        shown.replaceAll('0', 'o'),
      ])
        assert.deepEqual(readRecoveryCode(typed), code)
    }
  })

  const refused = ['', 'ABCD-EFGH', 'ABCD-EFGH-JKMU', `${'ABCD'.repeat(3)}0`, undefined, null, 12, ['ABCD']]
  for (const typed of refused)
    it(`is none of ${JSON.stringify(typed)}`, () => {
      assert.equal(readRecoveryCode(typed), undefined)
    })
})
