import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { factorName, kindNamedBy } from '../../messages/factor-names.ts'

describe('the name of an authenticator', () => {
  for (const [kind, labels] of [
    ['totp', ['Authenticator app', 'Authenticator-App']],
    ['hotp', ['Code generator', 'Codegenerator']],
  ] as const)
    it(`that is its kind (${kind}) is worded in the language of the page [RA-3101]`, () => {
      for (const label of labels) {
        assert.equal(kindNamedBy(label), `security.kind.${kind}`)
        assert.deepEqual(factorName({ kind, label }), { id: `security.kind.${kind}` })
      }
    })

  it('that its owner has chosen stays [RA-3101]', () => {
    assert.equal(kindNamedBy('Code generator 2'), undefined)
    const values = { label: 'Code generator' }
    assert.deepEqual(factorName({ kind: 'totp', ...values }), { id: 'factor.totp', values })
  })
})
