/** Pages about the owner of an account. @module */
import type { Look } from './scenes.ts'
import type { Visit } from './visit.ts'

/**
 * @param visit A window with a user who has just signed in through both doors.
 * @param look Called on every page of the profile.
 */
export async function seeProfile(visit: Visit, look: Look): Promise<void> {
  await visit.open('/account')
  await visit.click('link', 'Profile')
  await look('90-profile')
  const name = visit.page.getByLabel('Your name')
  const before = await name.inputValue()
  await name.fill(' ')
  await visit.click('button', 'Save the name')
  await look('91-profile-refused')
  await name.fill(before)
  await visit.click('button', 'Save the name')
  await look('92-profile-saved')
}
