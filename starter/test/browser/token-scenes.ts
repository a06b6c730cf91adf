/** Pages of the API tokens and of the help. @module */
import type { Look } from './scenes.ts'
import type { Visit } from './visit.ts'

/**
 * @param visit A window with a user who has just signed in through both doors.
 * @param look Called on every page of the tokens.
 */
export async function seeTokens(visit: Visit, look: Look): Promise<void> {
  await visit.open('/account/security/tokens')
  await look('80-tokens-none')
  await visit.click('link', 'New token')
  await look('81-token-new')
  await visit.page.getByLabel('Name').fill(' ')
  await visit.click('button', 'Make the token')
  await look('82-token-refused')
  await visit.page.getByLabel('Name').fill('Build server')
  await visit.page.getByLabel('activity.read').check()
  await visit.click('button', 'Make the token')
  await look('83-token-made')
  await visit.click('link', 'I have copied it')
  await look('84-tokens')
  await visit.click('button', 'Revoke: Build server')
  await look('85-token-revoked')
}

/**
 * @param visit A window.
 * @param look Called on every page of the help.
 */
export async function seeHelp(visit: Visit, look: Look): Promise<void> {
  await visit.open('/en/help')
  await look('86-help')
  await visit.open('/en/help/lost-device')
  await look('87-help-topic')
}
