import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { optionsOf, SoftwareAuthenticator } from 'sallyport-app/testing/authenticators'
import type { Browser, Page } from '../../../test/support.ts'
import { addPasskey, NEW_PASSKEY, passkeySignIn, withPasskey } from './steps.ts'
import { storePasskey } from './stored-passkey.ts'
import { MAX_PASSKEYS, Passkeys } from '../passkeys.ts'
import { ADD, addFactor, atDoor, codesOf, RECOVERY, SECURITY, signedIn } from '../../../test/flow/steps.ts'

const ONE_PASSWORD = 'bada5566-a7aa-401f-bd96-45619a55120d'
const NO_MODEL = '00000000-0000-0000-0000-000000000000'
const UNKNOWN_MODEL = '01234567-89ab-cdef-0123-456789abcdef'

describe('the passkeys of an account', () => {
  it('are several, with names, and say whether they sign in without a password [RA-1201]', async (test) => {
    const { world, person: ada, browser } = await signedIn(test)

    await addPasskey(browser, 'Blue key')
    world.clock.advance(1)
    await addPasskey(browser, 'Laptop')

    const list = await world.app.get(Passkeys).list(ada.id)
    assert.deepEqual(
      list.map(({ label, resident, usedAt }) => `${label} ${resident} ${usedAt}`),
      ['Blue key yes null', 'Laptop yes null'],
    )
    assert.deepEqual((await world.events(ada)).slice(-2), ['passkey-added', 'passkey-added'])
    assert.ok(world.mailbox.list().some(({ text }) => text.includes('Laptop')))
  })

  it('refuses a duplicate twice over: the browser is told, and the database has one row [RA-1201]', async (test) => {
    const { world, person: ada, browser } = await signedIn(test)
    const eve = await world.person('eve')
    const other = world.browser()
    await other.signIn(eve)
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

  it('keeps the name with a refused response; a form with a line break in it can be sent again [RA-1201]', async (test) => {
    const { world, person: ada, browser } = await signedIn(test, {})
    const wrong = await browser.send(NEW_PASSKEY, { label: 'Kept', response: '{}' })
    assert.deepEqual([wrong.status, /value="Kept"/.test(wrong.html)], [422, true])
    const page = await browser.open(NEW_PASSKEY)
    const response = new SoftwareAuthenticator().register(page.html)

    const disturbing = await browser.submit(NEW_PASSKEY, { label: 'a\nb', response })
    const none = await world.app.get(Passkeys).list(ada.id)
    const named = await browser.submit(NEW_PASSKEY, { label: 'Key', response })

    assert.deepEqual([disturbing.status, none, named.status], [422, [], 200])
    assert.deepEqual(world.faults, [])
  })

  it('are called as their authenticators where their owner gives no name, each otherwise than the others [RA-2905]', async (test) => {
    const { world, person: ada, browser } = await signedIn(test)
    const models = [ONE_PASSWORD, ONE_PASSWORD, NO_MODEL, UNKNOWN_MODEL, ONE_PASSWORD]

    for (const [index, aaguid] of models.entries()) {
      const { html } = await browser.open(NEW_PASSKEY)
      const response = new SoftwareAuthenticator().register(html, { aaguid })
      await browser.submit(NEW_PASSKEY, { label: index === 4 ? 'Mine' : '  ', response })
      world.clock.advance(1)
    }

    assert.deepEqual(
      (await world.app.get(Passkeys).list(ada.id)).map(({ label }) => label),
      ['1Password', '1Password 2', 'Passkey', 'Passkey 2', 'Mine'],
    )
    assert.ok(world.mailbox.list().some(({ text }) => text.includes('1Password 2')))
  })

  it('one that is removed opens nothing from then on, and every other session ends [RA-1201 RA-3001]', async (test) => {
    const { world, person: ada, browser } = await signedIn(test)
    const key = await addPasskey(browser, 'Key')
    const other = world.browser()
    await passkeySignIn(other, key)
    const waiting = world.browser()
    const page = await waiting.open('/login')
    const [passkey] = await world.app.get(Passkeys).list(ada.id)
    const remove = `/account/security/factors/${passkey?.id}/remove`

    const removed = await browser.send(remove)
    const late = await waiting.submit('/passkey', { response: key.respond(page.html) })

    assert.equal(removed.status, 303)
    assert.deepEqual([late.location, await waiting.isSignedIn()], ['/login', false])
    assert.deepEqual([await browser.isSignedIn(), await other.isSignedIn()], [true, false])
    assert.equal((await world.events(ada)).includes('factor-removed'), true)
  })

  it('are nobody else’s to rename or to remove: told as of one that never was [RA-1201]', async (test) => {
    const { world, browser } = await signedIn(test)
    const eve = await world.person('eve')
    await withPasskey(world, eve, 'Old')
    const [passkey] = await world.app.get(Passkeys).list(eve.id)
    const json = { headers: { accept: 'application/json' } }

    for (const path of [`${passkey?.id}/rename`, `${passkey?.id}/remove`, `${randomUUID()}/remove`]) {
      await browser.open('/account')
      const page = await browser.submit(`${SECURITY}/factors/${path}`, { label: 'Stolen' }, json)
      assert.equal(page.status, 404, path)
    }
    const [kept] = await world.app.get(Passkeys).list(eve.id)
    assert.equal(kept?.label, 'Old')
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
})

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
