/** The pages of the administration, and the set-up of an account that it added. @module */
import type { Look } from './scenes.ts'
import type { Visit } from './visit.ts'

/**
 * @param visit A window with a signed-in administrator, who proved password and code within the last minutes.
 * @param look Called on every page of the administration.
 */
export async function seeAdministration(visit: Visit, look: Look): Promise<void> {
  await visit.open('/admin?q=nobody-begins-like-this')
  await look('60-admin-nobody')
  await visit.open('/admin/without-factor')
  await look('61-admin-without-factor')
  await visit.open('/admin/trail')
  await look('62-admin-trail')
  await visit.open('/admin/resets')
  await look('63-admin-resets')
  await visit.open('/admin/end-sessions')
  await look('64-admin-end-sessions')
  await visit.open('/admin')
  await visit.after(() => visit.page.getByRole('link', { name: 'Wolfe' }).first().click())
  await look('65-admin-account')
  await visit.click('link', 'Disable')
  await look('66-admin-disable')
  await visit.page.getByLabel('Reason').fill('     .     ')
  await visit.click('button', 'Disable')
  await look('67-admin-refused')
  await visit.page.getByLabel('Reason').fill('seen on a list of leaked passwords')
  await visit.click('button', 'Disable')
  await look('68-admin-disabled')
}
