/** The pages of a locked factor, one after the other. @module */
import type { Person } from '../crash/starter-process.ts'
import { AUTHENTICATOR_LIMIT, CHALLENGE_ATTEMPTS } from '../../identity/limits/limits.ts'
import type { Look } from './scenes.ts'
import type { Visit } from './visit.ts'

/**
 * @param visit A window without a signed-in user, on a development machine.
 * @param person Somebody whose authenticator is locked afterwards.
 * @param look Called on every page.
 */
export async function seeLock(visit: Visit, person: Person, look: Look): Promise<void> {
  await visit.open('/login')
  await visit.enterPassword(person)
  for (let tries = 1; tries <= AUTHENTICATOR_LIMIT.failures; tries += 1) {
    await visit.enterCode('000000')
    if (tries % CHALLENGE_ATTEMPTS === 0) await visit.enterPassword(person)
  }
  await visit.open('/login/2fa')
  await look('90-challenge-locked')
  await visit.open('/dev/mail')
  const link = (await visit.page.locator('article a[href*="/unlock/"]').first().getAttribute('href')) ?? ''
  await visit.open(link)
  await look('91-unlock')
  await visit.click('button', 'Unlock this browser')
  await look('92-challenge-unlocked')
  await visit.open(link)
  await look('93-unlock-outdated')
}

/**
 * @param visit A window with a pending login, of an installation that offers codes by mail.
 * @param look Called on every page.
 */
export async function seeMailCode(visit: Visit, look: Look): Promise<void> {
  await visit.open('/mail-code')
  await look('94-mail-code')
  await visit.click('button', 'Send a code')
  await look('95-mail-code-sent')
  await visit.enterCode('00000000')
  await look('96-mail-code-refused')
}
