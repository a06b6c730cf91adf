import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { authenticatorName, distinctName } from '../../src/webauthn/index.ts'

describe('the name of an authenticator', () => {
  it('is of the list, and of nothing else that objects have [RA-2905]', () => {
    for (const aaguid of ['constructor', '__proto__', 'toString', ''])
      assert.equal(authenticatorName(aaguid), undefined)
    // RFC 9562, and the list of the package: iCloud Keychain.
    assert.match(authenticatorName('fbfc3007-154e-4ecc-8c0b-6e020557d7bd') ?? '', /\w/)
  })

  it('fits into the field of a name, its number included [RA-2905]', () => {
    const long = 'Allthenticator '.repeat(8)
    const first = distinctName(long, new Set())

    const second = distinctName(long, new Set([first]))

    assert.ok(first.length <= 60 && second.length <= 60)
    assert.match(second, / 2$/)
  })
})
