import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ADD, SECURITY, signedIn } from '../../../test/flow/steps.ts'
import type { Person, World } from '../../../test/support.ts'
import { MAX_PASSKEYS, Passkeys } from '../passkeys.ts'
import { SoftwareAuthenticator } from 'sallyport-app/testing/authenticators'
import { NEW_PASSKEY } from './steps.ts'
import { storePasskey } from './stored-passkey.ts'

async function fill(world: World, { id: accountId }: Person, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1)
    await storePasskey(world.database, { accountId, label: `Key ${index}`, now: world.clock.timestamp() })
}

describe('the passkeys of an account', () => {
  it(`are ${MAX_PASSKEYS} at most: no page asks a device for one more, and no response adds it [RA-1201]`, async (test) => {
    const { world, browser, person } = await signedIn(test)
    await fill(world, person, MAX_PASSKEYS - 1)
    const { html } = await browser.open(NEW_PASSKEY)
    const response = new SoftwareAuthenticator().register(html)
    await fill(world, person, 1)

    const pages = [
      await browser.submit(NEW_PASSKEY, { label: 'Key', response }),
      await browser.open(NEW_PASSKEY),
    ]

    for (const { status, location } of pages) assert.deepEqual([status, location], [303, SECURITY])
    assert.match((await browser.open(SECURITY)).html, /You have 25 passkeys\. Remove one/)
    assert.equal((await world.app.get(Passkeys).list(person.id)).length, MAX_PASSKEYS)
    assert.equal((await browser.open(NEW_PASSKEY, { headers: { accept: 'application/json' } })).status, 409)
  })

  it('are counted apart from authenticators [RA-1201]', async (test) => {
    const { world, browser, person } = await signedIn(test)
    await fill(world, person, MAX_PASSKEYS)

    assert.equal((await browser.open(ADD)).status, 200)
  })
})
