/** Pages of sign-in and security. @module */
import { Authenticator, type Person } from '../crash/starter-process.ts'
import type { Look } from './scenes.ts'
import type { Visit } from './visit.ts'

/**
 * @param visit A window with a user who has just signed in through both doors.
 * @param person The user; the password is another one afterwards.
 * @param look Called on every page of sign-in and security.
 */
export async function seeSecurity(visit: Visit, person: Person, look: Look): Promise<void> {
  await visit.open('/account')
  await visit.click('link', 'Sign-in and security')
  await look('60-security')
  await visit.page.getByRole('main').getByRole('link', { name: 'Add an authenticator app' }).first().click()
  await visit.page.waitForURL('**/add')
  await look('61-add')
  const key = (await visit.page.locator('code.secret').innerText()).replaceAll(' ', '')
  const app = new Authenticator({ ...person, secret: key })
  const prove = async (code: string): Promise<void> => {
    await visit.page.getByLabel('Name').fill('Pixel 9')
    await visit.page.getByLabel('First code').fill(code)
    await visit.click('button', 'Continue')
  }
  await prove(await app.wrong())
  await look('62-add-refused')
  await prove(await app.next())
  await look('63-security-two')
  await visit.open('/account/security/add')
  await visit.click('link', 'Add a code generator with a counter')
  await look('63-add-counter')
  await visit.open('/account/security')
  await visit.click('link', 'Rename: Pixel 9')
  await visit.page.getByLabel('Name').fill(' ')
  await visit.click('button', 'Save')
  await look('64-rename-refused')
  await visit.open('/account/security')
  await visit.click('link', 'Replace: Pixel 9')
  await look('65-replace')
  await visit.open('/account/security')
  await visit.click('link', 'Remove: Pixel 9')
  await look('66-remove')
  await visit.open('/account/password')
  const choose = async (password: string): Promise<void> => {
    await visit.page.getByLabel('New password').fill(password)
    await visit.click('button', 'Change password')
  }
  await choose('password1234')
  await look('67-password-refused')
  await choose('ladders lean on the northern wall')
  await look('68-password-changed')
  await visit.open('/account/security/add')
  await look('69-confirm')
  await visit.page.getByLabel('Password').fill('wrong')
  await visit.page.getByLabel('Six-digit code').fill('000000')
  await visit.click('button', 'Confirm')
  await look('70-confirm-refused')
}
