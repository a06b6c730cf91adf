/** Every page of the starter, one after the other: for pictures, and for what must hold on all of them. @module */
import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { ADMINISTRATOR } from '../../identity/accounts/permission.ts'
import { Authenticator, type Person, type PersonToLay } from '../crash/starter-process.ts'
import type { Visit } from './visit.ts'

/** Somebody who may see every page. */
export const ADA: PersonToLay = {
  name: 'Ada Lovelace',
  email: 'ada@sallyport.test',
  permissions: ADMINISTRATOR,
}

/** A user without permissions, with the longest possible name and address and no place to break a line. */
export const LONG: PersonToLay = {
  name: 'Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh',
  email:
    'wolfeschlegelsteinhausenbergerdorff.featherstonehaugh@subdomain.averylongcompanyname.sallyport.test',
}

/** Looks at the page that is open. */
export type Look = (name: string) => Promise<void>

/**
 * @param visit A window.
 * @param person Somebody who may see every page.
 * @param look Called on every page of those who are not signed in.
 */
export async function seeOutside(visit: Visit, person: Person, look: Look): Promise<void> {
  await visit.open('/')
  await look('01-home')
  await visit.open('/login')
  await look('02-login')
  await visit.enterPassword(person, 'wrong')
  await look('03-login-refused')
  await visit.enterPassword(person)
  await look('04-challenge')
  await visit.open('/login')
  await look('05-login-while-pending')
  await visit.open('/login/2fa')
  const wrong = await new Authenticator(person).wrong()
  await visit.enterCode(wrong)
  await look('06-challenge-refused')
  for (let tries = 0; tries < 4; tries += 1) await visit.enterCode(wrong)
  await look('07-challenge-spent')
  await visit.enterPassword(person)
  await visit.click('button', 'Cancel and start over')
  await look('08-cancelled')
  await visit.open('/nothing-here')
  await look('09-error-404')
  await visit.open('/logout')
  await look('16-signed-out')
  await visit.open('/login')
  await visit.page.context().clearCookies()
  await visit.enterPassword(person)
  await look('17-login-late')
}

/**
 * @param visit A window without a signed-in user, on a development machine.
 * @param look Called on every page of signing up, setting up the second factor and using a recovery code.
 */
export async function seeSignUp(visit: Visit, look: Look): Promise<void> {
  await visit.open('/sign-up')
  await look('20-sign-up')
  await visit.page.getByLabel('E-mail address').fill('grace@sallyport.test')
  await visit.click('button', 'Send the link')
  await look('21-sign-up-sent')
  await visit.click('link', 'Mailbox')
  await look('22-mailbox')
  await visit.after(() => visit.page.locator('article a').first().click())
  await look('23-confirm')
  await visit.page.getByLabel('Your name').fill('Grace Hopper')
  await visit.page.getByLabel('Password').fill('GraceHopper1906')
  await visit.click('button', 'Create the account')
  await look('24-confirm-refused')
  await visit.page.getByLabel('Password').fill('nanoseconds of copper wire')
  await visit.click('button', 'Create the account')
  await look('30-enrollment')
  const key = (await visit.page.locator('code.secret').innerText()).replaceAll(' ', '')
  const grace = { id: '', email: 'grace@sallyport.test', password: '', secret: key }
  const app = new Authenticator(grace)
  await visit.page.getByLabel('First code').fill(await app.wrong())
  await visit.click('button', 'Continue')
  await look('31-enrollment-refused')
  await visit.page.getByLabel('First code').fill(await app.next())
  await visit.click('button', 'Continue')
  await look('32-recovery-codes')
  await visit.open('/enroll')
  await look('33-recovery-codes-again')
  await visit.click('button', 'I have kept them')
  await look('34-account-of-newcomer')
  await visit.click('link', 'Make new codes')
  // Password and first code of the enrollment count still.
  await look('41-recovery-codes-left')
  await visit.click('button', 'Make new codes')
  await look('40-new-recovery-codes')
  const code = await visit.page.locator('.codes code').first().innerText()
  await visit.open('/account/security')
  await look('42-recovery-codes-unconfirmed')
  await visit.click('button', 'I have kept them')
  await visit.click('button', 'Sign out')
  await visit.enterPassword(grace, 'nanoseconds of copper wire')
  await visit.click('button', 'Use this: Recovery code')
  await look('35-recovery')
  await visit.enterCode('0000-0000-0000')
  await look('36-recovery-refused')
  await visit.enterCode(code)
  await look('37-account-after-recovery')
  await visit.click('button', 'Sign out')
  await visit.open('/sign-up/confirm/outdated')
  await look('25-outdated')
  await visit.open('/language?return_url=/sign-up')
  await look('26-language')
}

/**
 * @param visit A window without a signed-in user.
 * @param person A user whose codes of this and the last step are unused.
 * @param look Called on every page of those who are signed in.
 */
export async function seeInside(visit: Visit, person: Person, look: Look): Promise<void> {
  await visit.open('/account')
  await visit.enterPassword(person)
  await visit.enterCode(await new Authenticator(person).next())
  await look('10-account')
  await visit.open('/admin')
  await look(person.email === ADA.email ? '11-admin' : '11-error-403')
  await visit.open('/')
  await look('12-home-inside')
  await visit.open('/nothing-here')
  await look('13-error-404-inside')
  await visit.open('/logout')
  await look('18-sign-out')
}

/**
 * @param visit A window without a signed-in user.
 * @param person Somebody; their address is locked afterwards.
 * @param look Called on the pages of those who guessed too often.
 */
export async function seeThrottled(visit: Visit, person: Person, look: Look): Promise<void> {
  await visit.open('/login')
  let { status } = await visit.sight()
  for (let tries = 0; status !== 429 && tries < 12; tries += 1)
    ({ status } = await visit.enterPassword(person, 'wrong'))
  await look('14-login-429')
}

/**
 * @param visit A window with a signed-in user.
 * @param directory Data folder of the starter; its accounts are of no use afterwards.
 * @param look Called on the page for faults of the starter.
 */
export async function seeFault(visit: Visit, directory: string, look: Look): Promise<void> {
  const accounts = new DatabaseSync(join(directory, 'accounts.sqlite'))
  if (accounts.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'event'`).get() !== undefined) {
    accounts.exec('ALTER TABLE event RENAME TO event_gone')
  }
  accounts.close()
  await visit.open('/account')
  await look('15-error-500')
}
