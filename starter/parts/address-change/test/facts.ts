import { Outbox } from 'sallyport-app/mail'
import type { Scene, Stage } from '../../../test/browser/stage.ts'
import type { Visit } from '../../../test/browser/visit.ts'
import type { PartFacts } from '../../../test/facts-of-parts.ts'
import { Account } from '../../../core/accounts/account.ts'
import type { Person, World } from '../../../test/support.ts'
import { ADDRESS_CHANGE_SECONDS, AddressChange } from '../address-change.ts'
import { AddressRequests } from '../address-requests.ts'
import { AddressRestore } from '../address-restore.ts'
import { DEEDS } from './deeds.ts'

const NEW = 'ada.lovelace@example.test'
const HERE = { clientAddress: '192.0.2.7', device: '' }

/** Asks for another address. Gives the token of the link. */
async function tokenFor(world: World, { id, email }: Person, address: string): Promise<string> {
  const { credentialVersion = 0 } = (await world.identity.users.authenticationIdentity(id)) ?? {}
  const account = new Account({ id, name: '', email })
  const asked = { email: address, language: 'en', credentialVersion, ...HERE }
  await world.app.get(AddressRequests).request(account, asked)
  await world.app.get(Outbox).sendNew()
  const mail = world.mailbox.list().find(({ to }) => to === address)
  return /\/address\/confirm\/(\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
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
  deeds: DEEDS,
  acts: {
    changeAddress: async (world, person, email) => {
      const changed = await world.app.get(AddressChange).confirm(await tokenFor(world, person, email), HERE)
      if (changed?.kind !== 'changed') throw new TypeError('the address was not changed')
      return async () => {
        const restored = await world.app.get(AddressRestore).restore(changed.restore, HERE)
        if (restored?.isRestored !== true) throw new TypeError('the address was not restored')
      }
    },
  },
  openings: {
    'the link that confirms a new address': async (world, person) => {
      const addresses = world.app.get(AddressChange)
      const token = await tokenFor(world, person, 'new@example.test')
      return {
        lifetimeSeconds: ADDRESS_CHANGE_SECONDS,
        isOpen: async () => (await addresses.confirmable(token)) !== undefined,
        use: async () => (await addresses.confirm(token, HERE)) !== undefined,
      }
    },
  },
  ledger: {
    addressChanges: 'SELECT email, credential_version FROM address_change ORDER BY email',
    addressRestores: 'SELECT email, credential_version FROM address_restore ORDER BY email',
  },
  scenes: [newAddress, lostAddress],
  links: {
    'POST /address/confirm/{token}':
      'changes the address of an account and ends its sessions but one that this browser has of it; password and factors stay as they are',
    'POST /address/restore/{token}':
      'restores the former address and ends every session and pending login; password and factors stay as they are, and the next page asks for a new password',
  },
  notices: { 'address-changed': null, 'address-restored': null },
  lists: { address_change: 'one', address_restore: 'expires' },
}
