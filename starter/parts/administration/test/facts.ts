import type { Actor } from '../actor.ts'
import type { Act } from '../acts.ts'
import { RESET_REQUEST_SECONDS } from '../factor-resets.ts'
import { SET_UP_SECONDS } from '../new-accounts.ts'
import type { Administrator, PartFacts } from '../../../test/facts-of-parts.ts'
import { PASSWORD, type World } from '../../../test/support.ts'
import { Administration } from './administration.ts'
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
  const { accounts } = world.app.get(Administration)
  const { token } = await accounts.add(actOf(), { ...account, permissions: [] })
  return `/set-up/${token}`
}

/** What the tests of the core know of it. */
export const facts: PartFacts = {
  switches: { TWO_PERSON_RESET: 'a second person for resets' },
  malformed: { TWO_PERSON_RESET: ['true'] },
  placeholders: { '{permission}': 'admin.access' },
  ofAccounts: { '/admin/accounts/': 'what administrators do to it' },
  scenes: SCENES,
  deeds: DEEDS,
  notices: {
    'sessions-ended-by-administrator': null,
    'factors-reset': null,
    'factors-reset-asked': null,
    'account-disabled': null,
    'account-enabled': null,
  },
  links: {
    'POST /set-up/{token}':
      'chooses the first password of an account that an administrator added, and leads to the enrollment; the session stays anonymous',
  },
  lists: {
    account_way_in: { because: 'who makes a set-up link may grant permissions, and is there once' },
    factor_reset: 'expires',
    new_factor: 'one',
    set_up_link: 'one',
  },
  kept: {
    account_way_in:
      'one row for each who made a set-up link of an account, which counts for whatever is granted to it later',
    administration_turn: 'one row',
    new_factor: 'counts until a factor is there',
  },
  readInFull: { '/admin/without-factor': 'a report of all accounts', administration_turn: 'one row' },
  askingFirst: { resetNeedsApproval: true },
  acts: {
    addAccount,
    disable: ({ app }, id, by) => app.get(Administration).states.disable(actOf(by), id),
    enable: ({ app }, id, by) => app.get(Administration).states.enable(actOf(by), id),
    endSessions: ({ app }, id) => app.get(Administration).sessions.endAll(actOf(), id),
    endEverybodysSessions: ({ app }) => app.get(Administration).sessions.endEverybodys(actOf()),
    resetFactors: ({ app }, id) => app.get(Administration).resets.reset(actOf(), id),
    askedResets: async ({ app }) =>
      (await app.get(Administration).resets.waiting(10)).map(({ accountId }) => accountId),
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
    'a request for a reset that waits for a second person': async (world, person) => {
      const requestedAt = world.clock.timestamp()
      await world.database
        .insertInto('factor_reset')
        .values({
          id: 'request',
          account_id: person.id,
          state: 'requested',
          reason: 'lost',
          requested_by: 'operator:olga',
          requested_at: requestedAt,
          expires_at: requestedAt + RESET_REQUEST_SECONDS,
          decided_by: null,
          decided_at: null,
        })
        .execute()
      const { resets } = world.app.get(Administration)
      return {
        lifetimeSeconds: RESET_REQUEST_SECONDS,
        isOpen: async () => (await resets.find('request')) !== undefined,
      }
    },
  },
}
