/** The pages of sessions, activity and objections, one after the other. @module */
import { Authenticator, type Person, type PersonToLay } from '../crash/starter-process.ts'
import type { Look } from './scenes.ts'
import type { Visit } from './visit.ts'

/** Somebody with several sessions. */
export const GRACE: PersonToLay = { name: 'Grace Hopper', email: 'grace.hopper@sallyport.test' }

/**
 * @param visit A window without a signed-in user, on a development machine.
 * @param other Another one.
 * @param scene `person`: somebody, all of whose sessions end; `look`: called on every page of the first window.
 */
export async function seeSessions(
  visit: Visit,
  other: Visit,
  scene: { readonly person: Person; readonly look: Look },
): Promise<void> {
  const { person, look } = scene
  const app = new Authenticator(person)
  for (const window of [other, visit]) {
    await window.open('/login')
    await window.enterPassword(person)
    await window.enterCode(await app.next())
  }
  await visit.open('/account/sessions')
  await look('60-sessions')
  const end = visit.page.getByRole('button', { name: /^End/ })
  await visit.after(() => end.first().click())
  await look('61-session-ended')
  await visit.open('/account/activity')
  await look('62-activity')
  await visit.open('/account/activity?before=1')
  await look('63-activity-empty')
  await visit.open('/account/sessions/all')
  await look('64-end-all-sessions')
  await visit.click('button', 'End all sessions')
  await look('65-all-sessions-ended')
  await visit.open('/dev/mail')
  await look('66-mailbox-of-notices')
  const link = (await visit.page.locator('article a').first().getAttribute('href')) ?? ''
  await visit.open(link)
  await look('67-objection')
  await visit.click('button', 'End all sessions')
  await look('68-objection-done')
  await visit.open(link)
  await look('69-objection-outdated')
}
