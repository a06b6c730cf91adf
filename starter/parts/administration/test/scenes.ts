/** What administrators see. @module */
import { ADMINISTRATOR } from '../permission.ts'
import { AUTHENTICATOR_LIMIT, PASSWORD_LIMIT } from '../../../core/limits/limits.ts'
import type { Person, World } from '../../../test/support.ts'
import type { Scene } from '../../../test/browser/stage.ts'
import { LONG_EMAIL, LONG_NAME, manyAccounts, person } from '../../../test/browser/stages/people.ts'
import { addFailures } from '../../../test/failures.ts'
import { NewAccounts } from '../new-accounts.ts'

const DAY_SECONDS = 24 * 60 * 60
const REASON = 'asked for by telephone, known voice, ticket 4711'

/** Lets everything be under way with an account that an administrator may see: its deletion, and locks. */
async function beginEverything({ database, clock }: World, { id, email }: Person): Promise<void> {
  const now = clock.timestamp()
  const leaving = { leaves_at: now + 14 * DAY_SECONDS }
  await database.updateTable('account').set(leaving).where('id', '=', id).execute()
  const [factor] = await database.selectFrom('factor').select('id').where('account_id', '=', id).execute()
  const limited = [PASSWORD_LIMIT.ofAddress(email), AUTHENTICATOR_LIMIT.of(factor?.id ?? '')]
  await addFailures(database, limited, { times: PASSWORD_LIMIT.failures, at: now })
}

const acts: Scene = {
  name: 'acts of an administrator',
  shows: [
    '/admin',
    '/admin/accounts/{id}',
    '/admin/accounts/{id}/disable',
    '/admin/accounts/{id}/enable',
    '/admin/accounts/{id}/end-sessions',
    '/admin/accounts/{id}/reset-factors',
    '/admin/accounts/{id}/grant/{permission}',
    '/admin/accounts/{id}/withdraw/{permission}',
    '/account/confirm',
  ],
  async play(stage) {
    const root = await stage.world.person('root', { permissions: ADMINISTRATOR, factor: 'enabled' })
    await stage.world.person('other', { permissions: ADMINISTRATOR, factor: 'enabled' })
    const long = await person(stage.world, { name: LONG_NAME, email: LONG_EMAIL })
    await beginEverything(stage.world, long)
    const visit = await stage.open()
    await stage.signIn(visit, root)
    const home = `/admin/accounts/${long.id}`
    await stage.show(visit, '/admin', 'admin-under-way')
    await stage.show(visit, home, 'admin-account-under-way')
    const act = async (path: string, button: string, name: string): Promise<void> => {
      await stage.show(visit, path, name)
      await visit.page.getByLabel('Reason').fill(REASON)
      await visit.click('button', button)
    }
    await act(`${home}/grant/admin.access`, 'Grant', 'admin-grant')
    await stage.look(visit, 'admin-granted')
    await act(`${home}/withdraw/admin.access`, 'Withdraw', 'admin-withdraw')
    await act(`${home}/end-sessions`, 'Sign out everywhere', 'admin-end-sessions')
    await act(`${home}/disable`, 'Disable', 'admin-disable')
    await act(`${home}/enable`, 'Enable', 'admin-enable')
    await act(`${home}/reset-factors`, 'Reset the second step', 'admin-reset')
    await stage.show(visit, `/admin/accounts/${root.id}`, 'admin-own')
    await visit.open(`/admin/accounts/${root.id}/disable`)
    await visit.page.getByLabel('Reason').fill(REASON)
    await stage.press(visit, 'Disable', 'admin-refused')
    stage.world.clock.advance(301)
    await stage.show(visit, `${home}/disable`, 'admin-confirm')
  },
}

const reports: Scene = {
  name: 'many accounts',
  shows: ['/admin', '/admin/trail'],
  async play(stage) {
    const root = await stage.world.person('root', { permissions: ADMINISTRATOR, factor: 'enabled' })
    await manyAccounts(stage.world, 30)
    const visit = await stage.open()
    await stage.signIn(visit, root)
    await stage.show(visit, '/admin', 'admin-many')
    await visit.click('link', 'Next accounts')
    await stage.look(visit, 'admin-many-last')
    await stage.show(visit, '/admin?factor=none', 'admin-many-without-factor')
    await stage.show(visit, '/admin/trail', 'admin-trail')
    await stage.show(visit, '/admin/accounts/nobody', 'admin-404')
  },
}

const setUp: Scene = {
  name: 'an account that an operator added',
  shows: ['/set-up/{token}', '/enroll'],
  async play(stage) {
    const act = { by: { kind: 'operator', name: 'ops' }, reason: 'a new colleague' } as const
    const owner = { email: 'grace@example.test', name: 'Grace Hopper', permissions: [] }
    const { token } = await stage.world.app.get(NewAccounts).add(act, owner)
    const visit = await stage.open()
    await stage.show(visit, `/set-up/${token}`, 'set-up')
    const choose = async (password: string): Promise<void> => {
      await visit.page.getByLabel('Password').fill(password)
      await visit.after(() => visit.page.locator('main button[type=submit]').click())
    }
    await choose('GraceHopper1906')
    await stage.look(visit, 'set-up-refused')
    await choose('a quiet orchard in the rain')
    await stage.look(visit, 'set-up-enroll')
    await stage.show(visit, `/set-up/${token}`, 'set-up-outdated')
  },
}

/** What administrators see, and those whom they add. */
export const SCENES: readonly Scene[] = [acts, reports, setUp]
