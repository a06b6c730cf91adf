import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PASSWORD_RULE } from '../../../core/accounts/new-passwords.ts'
import { BRAND } from '../../../core/brand.ts'

const ADA = ['Ada Lovelace', 'ada@example.com']

describe('the rule about passwords', () => {
  it('refuses what is made of the name of the site, and takes what nobody guesses [RA-0101 RA-0102]', () => {
    const readings = [
      BRAND.name,
      BRAND.name.replaceAll(' ', ''),
      BRAND.name.replace('a', '@').replace('o', '0'),
    ]
    // A short name with a year is too short.
    for (const name of readings) assert.notEqual(PASSWORD_RULE.fault(`${name}-2026`, ADA), undefined, name)

    assert.equal(PASSWORD_RULE.fault('correct horse battery staple', ADA), undefined)
  })
})
