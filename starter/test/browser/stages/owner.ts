/** The owner of an account: profile, change of the address, deletion. @module */
import { ADDRESS_CHANGE_SECONDS } from '../../../parts/address-change/address-change.ts'
import type { Scene, Stage } from '../stage.ts'
import type { Visit } from '../visit.ts'

const NEW = 'ada.lovelace@example.test'

async function ask(visit: Visit, email: string): Promise<void> {
  await visit.open('/account/address')
  await visit.page.getByLabel('New e-mail address').fill(email)
  await visit.click('button', 'Send the link')
}

/** Another account gets an address, as if it had been quicker. */
async function take(stage: Stage, email: string): Promise<void> {
  const other = await stage.world.person('other')
  const taken = { email, email_key: email }
  await stage.world.database.updateTable('account').set(taken).where('id', '=', other.id).execute()
}

const profile: Scene = {
  name: 'the profile',
  shows: ['/account/profile'],
  async play(stage) {
    const visit = await stage.open()
    await stage.signIn(visit, await stage.world.person('ada', { factor: 'enabled' }))
    const save = async (name: string): Promise<void> => {
      await visit.page.getByLabel('Your name').fill(name)
      await visit.click('button', 'Save the name')
    }
    await visit.click('link', 'Profile')
    await stage.look(visit, 'profile')
    await save(' ')
    await stage.look(visit, 'profile-refused')
    await save('Ada Lovelace')
    await stage.look(visit, 'profile-saved')
    await visit.page.getByLabel('Your name').fill('Ada King')
    stage.world.clock.advance(31 * 60)
    await visit.click('button', 'Save the name')
    await visit.page.getByText('What you had typed').waitFor()
    await stage.look(visit, 'profile-late')
  },
}

const newAddress: Scene = {
  name: 'a new address, and the former one again',
  shows: [
    '/account/address',
    '/account/address/sent',
    '/account/profile',
    '/address/confirm/{token}',
    '/address/restore/{token}',
    '/login',
    '/forgot',
  ],
  async play(stage) {
    const ada = await stage.world.person('ada', { factor: 'enabled' })
    const [visit, other] = [await stage.open(), await stage.open()]
    await stage.signIn(visit, ada)
    await visit.open('/account/address')
    await stage.look(visit, 'address')
    await ask(visit, ada.email)
    await stage.look(visit, 'address-refused')
    await ask(visit, NEW)
    await stage.look(visit, 'address-sent')
    const unused = stage.link('/address/confirm/')
    await other.open(unused)
    await stage.look(other, 'address-confirm')
    await other.click('button', 'Use this address')
    await stage.look(other, 'address-done')
    await other.open(stage.link('/address/restore/'))
    await stage.look(other, 'address-restore')
    await other.click('button', 'Bring the address back')
    await stage.look(other, 'address-restored')
    await stage.signIn(visit, ada)
    await ask(visit, NEW)
    await visit.open(stage.link('/address/confirm/'))
    await visit.click('button', 'Use this address')
    await stage.look(visit, 'address-done-inside')
    await other.open(unused)
    await stage.look(other, 'address-outdated')
  },
}

const lostAddress: Scene = {
  name: 'an address that another account was quicker to get',
  shows: ['/account/address'],
  async play(stage) {
    const ada = await stage.world.person('ada', { factor: 'enabled' })
    const [visit, other] = [await stage.open(), await stage.open()]
    await stage.signIn(visit, ada)
    await visit.open('/account/address')
    await stage.look(visit, 'address-before')
    await ask(visit, NEW)
    await take(stage, NEW)
    await other.open(stage.link('/address/confirm/'))
    await other.click('button', 'Use this address')
    await stage.look(other, 'address-taken')
    stage.world.clock.advance(ADDRESS_CHANGE_SECONDS)
    await stage.signIn(visit, ada)
    for (let asked = 0; asked < 6; asked += 1) await ask(visit, `ada-${asked}@example.test`)
    await stage.look(visit, 'address-429')
    await visit.open(stage.link('/address/confirm/'))
    await visit.click('button', 'Use this address')
    await take(stage, ada.email)
    await other.open(stage.link('/address/restore/'))
    await other.click('button', 'Bring the address back')
    await stage.look(other, 'address-not-restored')
  },
}

const deletion: Scene = {
  name: 'the deletion of an account, and second thoughts',
  shows: ['/account', '/account/delete', '/deletion/stop/{token}', '/', '/login', '/account/confirm'],
  async play(stage) {
    const ada = await stage.world.person('ada', { factor: 'enabled' })
    const visit = await stage.open()
    const leave = async (email: string): Promise<void> => {
      await visit.page.getByLabel('E-mail address of this account').fill(email)
      await visit.click('button', 'Delete my account')
    }
    await stage.signIn(visit, ada)
    await visit.open('/account/delete')
    await stage.look(visit, 'delete')
    await leave('eve@example.test')
    await stage.look(visit, 'delete-refused')
    await leave(ada.email)
    await stage.look(visit, 'delete-asked')
    const link = stage.link('/deletion/stop/')
    await visit.open(link)
    await stage.look(visit, 'delete-stop')
    await visit.click('button', 'Keep my account')
    await stage.look(visit, 'delete-stopped')
    await visit.open(link)
    await stage.look(visit, 'delete-outdated')
    await stage.signIn(visit, ada)
    stage.world.clock.advance(301)
    await visit.open('/account/delete')
    await stage.look(visit, 'delete-confirm')
    await stage.confirm(visit, ada)
    await leave(ada.email)
    await stage.signIn(visit, ada)
    await stage.look(visit, 'delete-stopped-by-sign-in')
  },
}

/** Scenes of the owner. */
export const OWNER: readonly Scene[] = [profile, newAddress, lostAddress, deletion]
