import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hasCurrentCredentials, keepCredentialVersion, keptCredentialVersion } from 'sallyport-app/sessions'
import { Entries } from './entries.ts'

describe('the credentials of a session', () => {
  it('count as long as their version is that of the account', async () => {
    const session = new Entries()
    const isCurrent = (credentialVersion: number): Promise<boolean> =>
      hasCurrentCredentials(session, { credentialVersion, changedBy: null })

    assert.deepEqual([await isCurrent(0), await keptCredentialVersion(session)], [false, undefined])
    await keepCredentialVersion(session, 1)
    assert.deepEqual([await isCurrent(1), await isCurrent(2)], [true, false])
  })

  it('count where the session has made the last change itself, by a mark that stays', async () => {
    const session = new Entries()
    const isCurrentAfter = (changedBy: string): Promise<boolean> =>
      hasCurrentCredentials(session, { credentialVersion: 9, changedBy })

    await keepCredentialVersion(session, 1, 'mine')
    await keepCredentialVersion(session, 2)

    assert.deepEqual([await isCurrentAfter('mine'), await isCurrentAfter('another')], [true, false])
    const other = new Entries()
    await keepCredentialVersion(other, 2)
    const marks = [session, other].map(({ entries }) => entries.get('credential_mark'))
    assert.equal(new Set(marks).size, 2)
  })
})
