import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { addFactor, atDoor, codesOf, RECOVERY, SECURITY, signedIn } from '../../../test/flow/steps.ts'
import type { Browser, Page } from '../../../test/support.ts'
import { Passkeys } from '../passkeys.ts'
import { SoftwareAuthenticator } from 'sallyport-app/testing/authenticators'
import { addPasskey, NEW_PASSKEY } from './steps.ts'

/** Registers a passkey, and returns what came back. */
async function register(browser: Browser): Promise<Page> {
  const { html } = await browser.open(NEW_PASSKEY)
  const response = new SoftwareAuthenticator().register(html)
  return browser.submit(NEW_PASSKEY, { label: 'Key', response })
}

describe('the first factor, when it is a passkey', () => {
  it('comes with recovery codes, on the page of an app, shown once and stored hashed [RA-1301 FACTOR-14]', async (test) => {
    const { world, person, browser } = await signedIn(test, {})

    const page = await register(browser)

    const codes = codesOf(page)
    assert.deepEqual([page.status, codes.length, page.headers.get('cache-control')], [200, 10, 'no-store'])
    assert.equal(await world.identity.codes.left(person.id), 10)
    const rows = JSON.stringify(await world.database.selectFrom('recovery_code').selectAll().execute())
    for (const code of codes) assert.equal(rows.includes(code.slice(-4)), false)
    const later = await atDoor(world, person, RECOVERY)
    assert.equal((await later.submit(RECOVERY, { code: codes[3] ?? '' })).location, '/account')
  })

  it('a second passkey, and one beside an app, leaves the codes as they are [RA-1301]', async (test) => {
    const { world, person, browser } = await signedIn(test, {})
    const key = await addPasskey(browser, 'Key')
    const before = await world.database.selectFrom('recovery_code').selectAll().execute()
    // The first one changed what the session must have proven.
    const asked = await browser.open(NEW_PASSKEY, { follow: true })
    await browser.submit('/account/passkeys/confirm', { response: key.respond(asked.html) })

    const second = await register(browser)

    assert.equal(second.location, SECURITY)
    assert.equal((await world.app.get(Passkeys).list(person.id)).length, 2)
    assert.deepEqual(await world.database.selectFrom('recovery_code').selectAll().execute(), before)
  })

  it('is not added by a session whose account has changed meanwhile [RA-3001]', async (test) => {
    const { world, person, browser } = await signedIn(test, {})
    const form = await browser.open(NEW_PASSKEY)
    const slow = browser.twin()
    await addFactor({ world, person, browser }, 'Phone')

    const response = new SoftwareAuthenticator().register(form.html)
    const page = await slow.submit(NEW_PASSKEY, { label: 'Key', response })

    assert.notEqual(page.status, 200)
    assert.deepEqual(await world.app.get(Passkeys).list(person.id), [])
    assert.deepEqual(codesOf(page), [])
  })
})
