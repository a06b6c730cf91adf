import type { Actor } from '../actor.ts'
import type { Act } from '../acts.ts'
import { AccountActs } from '../account-acts.ts'
import { NewAccounts, SET_UP_SECONDS } from '../new-accounts.ts'
import type { Administrator, PartFacts } from '../../../test/facts-of-parts.ts'
import { PASSWORD, type World } from '../../../test/support.ts'
import { DEEDS } from './deeds.ts'
import { SCENES } from './scenes.ts'

const OPERATOR: Actor = { kind: 'operator', name: 'olga' }

function actOf(by?: Administrator): Act {
  return { by: by === undefined ? OPERATOR : { kind: 'account', ...by }, reason: 'asked by telephone' }
}

async function addAccount(
  world: World,
  account: { readonly email: string; readonly name: string },
): Promise<string> {
  const { token } = await world.app.get(NewAccounts).add(actOf(), { ...account, permissions: [] })
  return `/set-up/${token}`
}

/** What the tests of the core know of it. */
export const facts: PartFacts = {
  placeholders: { '{permission}': 'admin.access' },
  fields: { factor: { type: 'checkbox', autocomplete: '', inputmode: '' } },
  ofAccounts: { '/admin/accounts/': 'what administrators do to it' },
  scenes: SCENES,
  deeds: DEEDS,
  notices: {
    'sessions-ended-by-administrator': null,
    'factors-reset': null,
    'account-disabled': null,
    'account-enabled': null,
  },
  links: {
    'POST /set-up/{token}':
      'chooses the first password of an account that an administrator added, and leads to the enrollment; the session stays anonymous',
  },
  lists: {
    new_factor: 'one',
    set_up_link: 'one',
  },
  kept: {
    administration_turn: 'one row',
    new_factor: 'counts until a factor is there',
  },
  readInFull: { administration_turn: 'one row' },
  acts: {
    addAccount,
    disable: ({ app }, id, by) => app.get(AccountActs).disable(actOf(by), id),
    enable: ({ app }, id, by) => app.get(AccountActs).enable(actOf(by), id),
    endSessions: ({ app }, id) => app.get(AccountActs).endSessions(actOf(), id),
    endEverybodysSessions: ({ app }) => app.get(AccountActs).endEverybodysSessions(actOf()),
    resetFactors: ({ app }, id) => app.get(AccountActs).resetFactors(actOf(), id),
  },
  openings: {
    'the link that sets up an account': async (world) => {
      const path = await addAccount(world, { email: 'grace@example.test', name: 'Grace' })
      const browser = world.browser()
      await browser.open(path)
      const isOpen = async (): Promise<boolean> => (await world.browser().open(path)).status === 200
      return {
        lifetimeSeconds: SET_UP_SECONDS,
        isOpen,
        use: async () =>
          (await isOpen()) || (await browser.submit(path, { password: PASSWORD })).status === 303,
      }
    },
  },
}
