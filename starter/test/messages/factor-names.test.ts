import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AUTHENTICATOR, factorName, kindNamedBy } from '../../core/messages/factor-names.ts'
import { saidInOther } from '../languages.ts'

describe('the name of an authenticator', () => {
  it('that says no more than that it is an app is worded in the language of the page [RA-3101]', () => {
    for (const label of ['Authenticator app', saidInOther(AUTHENTICATOR)]) {
      assert.equal(kindNamedBy(label), 'security.kind.totp')
      assert.deepEqual(factorName({ kind: 'totp', label }), { id: 'security.kind.totp' })
    }
  })

  it('that its owner has chosen stays [RA-3101]', () => {
    assert.equal(kindNamedBy('Authenticator app 2'), undefined)
    const values = { label: 'Phone' }
    assert.deepEqual(factorName({ kind: 'totp', ...values }), { id: 'factor.totp', values })
  })
})
