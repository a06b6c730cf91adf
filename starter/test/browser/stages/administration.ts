/** What administrators and operators see. @module */
import { ADMINISTRATOR } from '../../../identity/accounts/permission.ts'
import { OPS_NAME, OpsCredentials } from '../../../operations/ops-credentials.ts'
import type { Scene } from '../stage.ts'
import { LONG_EMAIL, LONG_NAME, manyAccounts, person } from './people.ts'

const REASON = 'asked for by telephone, known voice, ticket 4711'
const OPS = OpsCredentials.create()

const acts: Scene = {
  name: 'acts of an administrator',
  shows: [
    '/admin/accounts/{id}',
    '/admin/accounts/{id}/disable',
    '/admin/accounts/{id}/enable',
    '/admin/accounts/{id}/end-sessions',
    '/admin/accounts/{id}/grant/{permission}',
    '/admin/accounts/{id}/withdraw/{permission}',
    '/admin/accounts/{id}/reset-factors',
    '/admin/resets',
    '/admin/resets/{request}/approve',
    '/admin/resets/{request}/cancel',
    '/admin/end-sessions',
    '/account/confirm',
  ],
  options: { resetNeedsApproval: true },
  async play(stage) {
    const root = await stage.world.person('root', { permissions: ADMINISTRATOR, factor: 'enabled' })
    const other = await stage.world.person('other', { permissions: ADMINISTRATOR, factor: 'enabled' })
    const long = await person(stage.world, {
      name: LONG_NAME,
      email: LONG_EMAIL,
    })
    const visit = await stage.open()
    await stage.signIn(visit, root)
    const home = `/admin/accounts/${long.id}`
    const act = async (path: string, button: string, name: string): Promise<void> => {
      await visit.open(path)
      await stage.look(visit, name)
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
    await stage.look(visit, 'admin-reset-asked')
    await visit.open(`/admin/accounts/${root.id}`)
    await stage.look(visit, 'admin-own')
    const second = await stage.open()
    await stage.signIn(second, other)
    await second.open('/admin/resets')
    await stage.look(second, 'admin-resets')
    await second.after(() => second.page.getByRole('link', { name: /^Approve/ }).click())
    await stage.look(second, 'admin-approve')
    await second.open('/admin/resets')
    await second.after(() => second.page.getByRole('link', { name: /^Cancel the request/ }).click())
    await stage.look(second, 'admin-cancel')
    await visit.open('/admin/end-sessions')
    await stage.look(visit, 'admin-end-all')
    stage.world.clock.advance(301)
    await visit.open('/admin/end-sessions')
    await stage.look(visit, 'admin-confirm')
  },
}

const reports: Scene = {
  name: 'many accounts',
  shows: ['/admin', '/admin/trail', '/admin/without-factor'],
  async play(stage) {
    const root = await stage.world.person('root', { permissions: ADMINISTRATOR, factor: 'enabled' })
    await manyAccounts(stage.world, 30)
    const visit = await stage.open()
    await stage.signIn(visit, root)
    await visit.open('/admin')
    await stage.look(visit, 'admin-many')
    await visit.click('link', 'Next accounts')
    await stage.look(visit, 'admin-many-last')
    await visit.open('/admin/without-factor')
    await stage.look(visit, 'admin-many-without-factor')
    await visit.open('/admin/trail')
    await stage.look(visit, 'admin-trail')
    await visit.open('/admin/accounts/nobody')
    await stage.look(visit, 'admin-404')
  },
}

const operators: Scene = {
  name: 'the page of operators',
  shows: ['/ops'],
  options: { operations: { hash: OPS.hash, allowsLoopback: true } },
  async play(stage) {
    const httpCredentials = { username: OPS_NAME, password: OPS.password.reveal() }
    const visit = await stage.open({ httpCredentials })
    await visit.open('/ops')
    await stage.look(visit, 'ops')
    await visit.page.getByLabel('Delete entries').fill('89')
    await visit.click('button', 'Delete old entries')
    await stage.look(visit, 'ops-refused')
  },
}

/** Scenes of the administration. */
export const ADMINISTRATION: readonly Scene[] = [acts, reports, operators]
