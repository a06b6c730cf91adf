import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { optionsOf, type ResponseOptions, SoftwareAuthenticator } from 'sallyport-app/testing/authenticators'
import type { Browser, Page } from '../../../test/support.ts'
import {
  addPasskey,
  atPasskeyDoor,
  NEW_PASSKEY,
  PASSKEY_DOOR,
  PASSKEY_SIGN_IN,
  passkeySignIn,
} from './steps.ts'
import { storePasskey } from './stored-passkey.ts'
import { MAX_PASSKEYS, Passkeys } from '../passkeys.ts'
import { ADD, atDoor, codesOf, RECOVERY, SECURITY, signedIn } from '../../../test/flow/steps.ts'

const ONE_PASSWORD = 'bada5566-a7aa-401f-bd96-45619a55120d'
const NO_MODEL = '00000000-0000-0000-0000-000000000000'
const UNKNOWN_MODEL = '01234567-89ab-cdef-0123-456789abcdef'

/** Registers a new passkey, and returns what came back. */
async function register(browser: Browser, label = 'Key', options: ResponseOptions = {}): Promise<Page> {
  const { html } = await browser.open(NEW_PASSKEY)
  const response = new SoftwareAuthenticator().register(html, options)
  return browser.submit(NEW_PASSKEY, { label, response })
}

describe('the passkeys of an account', () => {
  it('refuses a duplicate twice over: the browser is told, and the database has one row [RA-1201]', async (test) => {
    const { world, person: ada, browser } = await signedIn(test)
    const eve = await world.person('eve')
    const other = await world.inside(eve)
    const key = await addPasskey(browser, 'Key')
    const { excludeCredentials = [] } = optionsOf((await browser.open(NEW_PASSKEY)).html)

    for (const each of [browser, other]) {
      const { html } = await each.open(NEW_PASSKEY)
      const page = await each.submit(NEW_PASSKEY, { label: 'Again', response: key.register(html) })
      assert.deepEqual([page.status, /registered already/.test(page.html)], [422, true])
    }

    assert.deepEqual(
      excludeCredentials.map(({ id }) => id),
      [key.id],
    )
    assert.equal((await world.app.get(Passkeys).list(ada.id)).length, 1)
    assert.deepEqual(await world.app.get(Passkeys).list(eve.id), [])
  })

  it('are several, called as their authenticators where their owner gives no name, each otherwise than the others, and by nothing that breaks a line [RA-2905 RA-1201]', async (test) => {
    const { world, person: ada, browser } = await signedIn(test)
    const models = [ONE_PASSWORD, ONE_PASSWORD, NO_MODEL, UNKNOWN_MODEL, ONE_PASSWORD]
    assert.equal((await register(browser, 'a\nb')).status, 422)

    for (const [index, aaguid] of models.entries()) {
      await register(browser, index === 4 ? 'Mine' : '  ', { aaguid })
      world.clock.advance(1)
    }

    assert.deepEqual(
      (await world.app.get(Passkeys).list(ada.id)).map(({ label }) => label),
      ['1Password', '1Password 2', 'Passkey', 'Passkey 2', 'Mine'],
    )
    assert.ok(world.mailbox.list().some(({ text }) => text.includes('1Password 2')))
  })

  it('one that is removed opens nothing from then on [RA-1201 RA-3001 RA-3002]', async (test) => {
    const { world, person: ada, browser } = await signedIn(test)
    const key = await addPasskey(browser, 'Key')
    const inside = world.browser()
    await passkeySignIn(inside, key)
    const pending = await atPasskeyDoor(world, ada)
    const outside = world.browser()
    const login = await outside.open('/login')
    const [passkey] = await world.app.get(Passkeys).list(ada.id)

    assert.equal((await browser.send(`${SECURITY}/factors/${passkey?.id}/remove`)).location, SECURITY)

    const response = key.respond(pending.page.html)
    assert.equal((await pending.browser.submit(PASSKEY_DOOR, { response })).location, '/login')
    await outside.submit(PASSKEY_SIGN_IN, { response: key.respond(login.html) })
    for (const each of [inside, outside, pending.browser]) assert.equal(await each.isSignedIn(), false)
    assert.equal(await browser.isSignedIn(), true)
  })

  it(`are ${MAX_PASSKEYS} at most, beside authenticators: no page asks a device for one more, and no response adds it [RA-1201]`, async (test) => {
    const { world, browser, person } = await signedIn(test)
    const fill = async (count: number): Promise<void> => {
      const now = world.clock.timestamp()
      for (let index = 0; index < count; index += 1)
        await storePasskey(world.database, { accountId: person.id, label: `Key ${index}`, now })
    }
    await fill(MAX_PASSKEYS - 1)
    const { html } = await browser.open(NEW_PASSKEY)
    const response = new SoftwareAuthenticator().register(html)
    await fill(1)

    const refused = await browser.submit(NEW_PASSKEY, { label: 'Key', response })

    for (const { location } of [refused, await browser.open(NEW_PASSKEY)]) assert.equal(location, SECURITY)
    assert.equal((await world.app.get(Passkeys).list(person.id)).length, MAX_PASSKEYS)
    assert.equal((await browser.open(ADD)).status, 200)
  })

  it('comes with recovery codes as the first factor, on the page of an app; a second one leaves them as they are [RA-1301 FACTOR-14]', async (test) => {
    const { world, person, browser } = await signedIn(test, {})

    const page = await register(browser)
    const stored = await world.database.selectFrom('recovery_code').selectAll().execute()
    const code = codesOf(page)[3] ?? ''
    const later = await atDoor(world, person, RECOVERY)
    const entered = await later.submit(RECOVERY, { code })
    const second = await register(later)

    assert.deepEqual([page.status, codesOf(page).length, stored.length], [200, 10, 10])
    assert.deepEqual([entered.location, second.location], ['/account', SECURITY])
    assert.equal((await world.app.get(Passkeys).list(person.id)).length, 2)
    assert.equal(await world.identity.codes.left(person.id), 9)
  })
})
