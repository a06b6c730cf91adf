import type { Scene } from '../../../test/browser/stage.ts'
import type { PartFacts } from '../../../test/facts-of-parts.ts'
import { assertSignsIn } from '../../../test/crash/deed.ts'
import { askedForDeletion, assertStays, DEEDS } from './deeds.ts'

const deletion: Scene = {
  name: 'the deletion of an account, and second thoughts',
  shows: ['/account', '/account/delete', '/deletion/stop/{token}', '/', '/login', '/account/confirm'],
  async play(stage) {
    const ada = await stage.world.person('ada', { factor: 'enabled' })
    const visit = await stage.open()
    const leave = async (email: string): Promise<void> => {
      await visit.page.getByLabel('Email address of this account').fill(email)
      await visit.click('button', 'Delete my account')
    }
    await stage.signIn(visit, ada)
    await stage.show(visit, '/account/delete', 'delete')
    await leave('eve@example.test')
    await stage.look(visit, 'delete-refused')
    await leave(ada.email)
    await stage.look(visit, 'delete-asked')
    const link = stage.link('/deletion/stop/')
    await stage.show(visit, link, 'delete-stop')
    await stage.press(visit, 'Keep my account', 'delete-stopped')
    await stage.show(visit, link, 'delete-outdated')
    await stage.signIn(visit, ada)
    stage.world.clock.advance(301)
    await stage.show(visit, '/account/delete', 'delete-confirm')
    await stage.confirm(visit, ada)
    await leave(ada.email)
    await stage.signIn(visit, ada)
    await stage.look(visit, 'delete-stopped-by-sign-in')
  },
}

/** What the tests of the core know of it. */
export const facts: PartFacts = {
  scenes: [deletion],
  deeds: DEEDS,
  mailLinks: {
    'the link that stops the deletion of an account': {
      clauses: '[RA-1702]',
      start: '/deletion/stop/',
      does: 'cancels the pending deletion of an account',
      make: async (world) => (await askedForDeletion(world)).person,
      event: 'deletion-stopped',
      table: 'account_deletion',
      async assertDone(world, person) {
        await assertStays(world, person)
        await assertSignsIn(world, person)
      },
    },
  },
  notices: { 'deletion-stopped': null },
  guarded: { '/account/delete': { email: 'ada@example.test' } },
  lists: { account_deletion: 'one' },
  kept: { account_deletion: 'ends with the account, or is stopped' },
}
