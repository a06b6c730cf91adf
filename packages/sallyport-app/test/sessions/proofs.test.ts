import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  addProofs,
  discardProofs,
  formatProofs,
  keepCredentialVersion,
  parseProofs,
  type Proofs,
  readProofs,
  recordProofs,
} from 'sallyport-app/sessions'
import { Entries } from './entries.ts'

const NOW = 1_767_225_600

async function signedIn(): Promise<Entries> {
  const session = new Entries()
  await keepCredentialVersion(session, 1)
  await recordProofs(session, 'ada', { password: NOW })
  return session
}

/** What counts of it: what is not proven is left out. */
async function proven(session: Entries, identifier: string): Promise<Proofs> {
  const known = await readProofs(session, identifier)
  return JSON.parse(JSON.stringify(known)) as Proofs
}

describe('the proofs of a session', () => {
  it('count for their account and the credentials that they were recorded with', async () => {
    const session = await signedIn()

    assert.deepEqual(await proven(session, 'ada'), { password: NOW })
    assert.deepEqual(await proven(session, 'bob'), {})
    await keepCredentialVersion(session, 2)
    assert.deepEqual(await proven(session, 'ada'), {})
  })

  it('are added to those before, in a session with a new identifier', async () => {
    const session = await signedIn()

    await addProofs(session, 'ada', { factor: NOW + 60, kind: 'totp' })

    assert.deepEqual(await proven(session, 'ada'), { password: NOW, factor: NOW + 60, kind: 'totp' })
    assert.equal(session.renewals, 1)
  })

  it('go on with credentials that their session has changed', async () => {
    const session = await signedIn()

    await addProofs(session, 'ada', { credentialVersion: 2, factor: NOW + 60, kind: 'totp' })
    assert.deepEqual(await proven(session, 'ada'), { password: NOW, factor: NOW + 60, kind: 'totp' })

    const dropped = { password: undefined, factor: undefined, kind: undefined }
    await addProofs(session, 'ada', { credentialVersion: 3, ...dropped })
    assert.deepEqual(await proven(session, 'ada'), {})
  })

  it('are forgotten with the identity', async () => {
    const session = await signedIn()

    await discardProofs(session)

    assert.deepEqual(await proven(session, 'ada'), {})
  })

  it('are read back as they were written, and nothing is read from what is malformed', () => {
    const proofs = { password: NOW, factor: NOW + 1, kind: 'totp' }

    assert.deepEqual(parseProofs(formatProofs(proofs)), proofs)
    for (const value of [undefined, null, 'totp', NOW]) assert.deepEqual(parseProofs(value), {})
    const times = { password_at: 'now', factor_at: 1.5, kind: 7 }
    assert.deepEqual(Object.values(parseProofs(times)), [undefined, undefined, undefined])
  })
})
