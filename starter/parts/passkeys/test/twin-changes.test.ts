import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { signedIn } from '../../../test/flow/security-steps.ts'
import { confirm } from '../../../test/flow/step-up-steps.ts'
import { type Changes, testTwinChanges } from '../../../test/flow/twin-changes.ts'
import { Passkeys } from '../passkeys.ts'
import { SoftwareAuthenticator } from 'sallyport-app/testing/authenticators'
import { addPasskey, NEW_PASSKEY } from './steps.ts'

const CHANGES: Changes = {
  'a passkey': async ({ browser }) => {
    const { html } = await browser.open(NEW_PASSKEY)
    const response = new SoftwareAuthenticator().register(html)
    return { path: NEW_PASSKEY, fields: { label: 'Key', response } }
  },
  'the removal of a passkey': async ({ world, person, browser }) => {
    await addPasskey(browser, 'Key')
    const [passkey] = await world.app.get(Passkeys).list(person.id)
    return { path: `/account/security/factors/${passkey?.id ?? ''}/remove` }
  },
}

testTwinChanges(CHANGES)

describe('a passkey that was added while its session could not be written', () => {
  it('leaves the session signed in, and the next passkey is asked for anew [RA-2703 RA-3001]', async (test) => {
    const { world, browser, person } = await signedIn(test)
    const { html } = await browser.open(NEW_PASSKEY)
    const response = new SoftwareAuthenticator().register(html)
    test.mock.method(world.store, 'rotate', () => Promise.reject(new Error('no disk')), { times: 1 })

    const failed = await browser.submit(NEW_PASSKEY, { label: 'Key', response })

    assert.equal(failed.status, 503)
    assert.equal(await browser.isSignedIn(), true)
    await confirm(world, browser, { person, path: NEW_PASSKEY })
    await addPasskey(browser, 'Other')
    assert.equal((await world.app.get(Passkeys).list(person.id)).length, 2)
  })
})
