import assert from 'node:assert/strict'
import { assertSignsIn } from '../../../test/crash/deed.ts'
import type { Scene, Stage } from '../../../test/browser/stage.ts'
import type { Visit } from '../../../test/browser/visit.ts'
import type { PartFacts } from '../../../test/facts-of-parts.ts'
import { linkIn } from '../../../test/flow/steps.ts'
import type { Browser, Person, World } from '../../../test/support.ts'
import { ADDRESS_CHANGE_SECONDS } from '../address-change.ts'
import { ADDRESS_RESTORE_DAYS } from '../address-restore.ts'

const [CONFIRM_LINK, RESTORE_LINK] = ['/address/confirm/', '/address/restore/']
const NEW = 'ada.lovelace@example.test'

/** Asks for another address, in a browser that has just signed in. */
async function askFor(browser: Browser, email: string): Promise<void> {
  await browser.send('/account/address', { email })
}

/** Somebody who signs in and asks for another address. */
async function asking(world: World, browser: Browser): Promise<Person> {
  const person = await world.person('ada', { factor: 'enabled' })
  await browser.signIn(person)
  await askFor(browser, NEW)
  return person
}

/** Asserts that another address signs in to the account, and the one before does not. */
async function assertMoved(world: World, person: Person, email: string): Promise<void> {
  assert.equal((await world.browser().password(person)).status, 422)
  await assertSignsIn(world, { ...person, email })
}

async function ask(visit: Visit, email: string): Promise<void> {
  await visit.open('/account/address')
  await visit.page.getByLabel('New email address').fill(email)
  await visit.click('button', 'Send the link')
}

/** Another account gets an address, as if it had been quicker. */
async function take(stage: Stage, email: string): Promise<void> {
  const other = await stage.world.person('other')
  const taken = { email, email_key: email }
  await stage.world.database.updateTable('account').set(taken).where('id', '=', other.id).execute()
}

const newAddress: Scene = {
  name: 'a new address, and the former one again',
  shows: [
    '/account/address',
    '/account/address/sent',
    '/account',
    '/address/confirm/{token}',
    '/address/restore/{token}',
    '/login',
    '/forgot',
  ],
  async play(stage) {
    const ada = await stage.world.person('ada', { factor: 'enabled' })
    const [visit, other] = [await stage.open(), await stage.open()]
    await stage.signIn(visit, ada)
    await stage.show(visit, '/account/address', 'address')
    await ask(visit, ada.email)
    await stage.look(visit, 'address-refused')
    await ask(visit, NEW)
    await stage.look(visit, 'address-sent')
    const unused = stage.link('/address/confirm/')
    await stage.show(other, unused, 'address-confirm')
    await stage.press(other, 'Use this address', 'address-done')
    await stage.show(other, stage.link('/address/restore/'), 'address-restore')
    await stage.press(other, 'Restore my address', 'address-restored')
    await stage.signIn(visit, ada)
    await ask(visit, NEW)
    await visit.open(stage.link('/address/confirm/'))
    await stage.press(visit, 'Use this address', 'address-done-inside')
    await stage.show(other, unused, 'address-outdated')
  },
}

const lostAddress: Scene = {
  name: 'an address that another account was quicker to get',
  shows: ['/account/address'],
  async play(stage) {
    const ada = await stage.world.person('ada', { factor: 'enabled' })
    const [visit, other] = [await stage.open(), await stage.open()]
    await stage.signIn(visit, ada)
    await stage.show(visit, '/account/address', 'address-before')
    await ask(visit, NEW)
    await take(stage, NEW)
    await other.open(stage.link('/address/confirm/'))
    await stage.press(other, 'Use this address', 'address-taken')
    stage.world.clock.advance(ADDRESS_CHANGE_SECONDS)
    await stage.signIn(visit, ada)
    for (let asked = 0; asked < 6; asked += 1) await ask(visit, `ada-${asked}@example.test`)
    await stage.look(visit, 'address-429')
    await visit.open(stage.link('/address/confirm/'))
    await visit.click('button', 'Use this address')
    await take(stage, ada.email)
    await other.open(stage.link('/address/restore/'))
    await stage.press(other, 'Restore my address', 'address-not-restored')
  },
}

/** What the tests of the core know of it. */
export const facts: PartFacts = {
  mailLinks: {
    'the link to a new address': {
      clauses: '[RA-1602]',
      start: CONFIRM_LINK,
      does: 'changes the address of an account and ends its sessions but one that this browser has of it; password and factors stay as they are',
      make: asking,
      event: 'address-changed',
      table: 'address_change',
      seconds: ADDRESS_CHANGE_SECONDS,
      opens: true,
      endsWith: 'credentials',
      endsSessions: true,
      gains: [],
      assertDone: (world, person) => assertMoved(world, person, NEW),
    },
    'the link back to the former address': {
      clauses: '[RA-1702]',
      start: RESTORE_LINK,
      does: 'restores the former address and ends every session and pending login; password and factors stay as they are, and the next page asks for a new password',
      async make(world, browser) {
        const person = await asking(world, browser)
        await browser.send(linkIn(world, CONFIRM_LINK))
        return { ...person, email: NEW }
      },
      event: 'address-restored',
      table: 'address_restore',
      seconds: ADDRESS_RESTORE_DAYS * 24 * 60 * 60,
      endsSessions: true,
      assertDone: (world, person) => assertMoved(world, person, 'ada@example.test'),
    },
  },
  ledger: {
    addressChanges: 'SELECT email, credential_version FROM address_change ORDER BY email',
    addressRestores: 'SELECT email, credential_version FROM address_restore ORDER BY email',
  },
  scenes: [newAddress, lostAddress],
  notices: { 'address-changed': null, 'address-restored': null },
  lists: { address_change: 'one', address_restore: 'expires' },
}
