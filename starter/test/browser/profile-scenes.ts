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
  await visit.click('link', 'Change the address')
  await look('93-address')
  const email = visit.page.getByLabel('New e-mail address')
  await email.fill('ada@sallyport.test')
  await visit.click('button', 'Send the link')
  await look('94-address-refused')
  await email.fill('ada.lovelace@sallyport.test')
  await visit.click('button', 'Send the link')
  await look('95-address-sent')
  await visit.open('/dev/mail')
  const link = (await visit.page.locator('article a').first().getAttribute('href')) ?? ''
  await visit.open(link)
  await look('96-address-confirm')
  await visit.open('/account/delete')
  await look('98-delete')
  await visit.page.getByLabel('E-mail address of this account').fill('eve@sallyport.test')
  await visit.click('button', 'Delete my account')
  await look('99-delete-refused')
  for (const path of ['/address/done', '/address/restored', '/deletion/asked', '/deletion/stopped']) {
    await visit.open(path)
    await look(`99${path.replaceAll('/', '-')}`)
  }
  await visit.open('/deletion/stop/outdated')
  await look('99-deletion-outdated')
  await visit.open('/address/restore/outdated')
  await look('97-address-outdated')
}
