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
  mailLinks: {
    'the link that sets up an account': {
      clauses: '[RA-2202]',
      start: '/set-up/',
      does: 'chooses the first password of an account that an administrator added, and leads to the enrollment; the session stays anonymous',
      async make(world) {
        const email = 'grace@example.test'
        const path = await addAccount(world, { email, name: 'Grace' })
        const { id = '' } = (await world.identity.users.findByEmail(email)) ?? {}
        return { id, email, secret: undefined, path }
      },
      fields: { password: PASSWORD },
      isSilent: true,
      event: 'account-set-up',
      table: 'set_up_link',
      seconds: SET_UP_SECONDS,
      opens: true,
      endsWith: 'account',
      gains: ['sets up a factor'],
    },
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
}
