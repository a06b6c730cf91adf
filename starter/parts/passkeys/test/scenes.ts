/** Passkeys in every state, with a virtual authenticator. @module */
import { PASSKEY_DOOR } from './steps.ts'
import { demanding } from '../../../test/demanding.ts'
import { START } from '../../../test/support.ts'
import type { Scene } from '../../../test/browser/stage.ts'
import { VirtualKey } from 'sallyport-app/testing/authenticators'

// As long as a name may be, and without a place to break.
const LONG_NAME = 'Sicherheitsschluessel-am-Schluesselbund-von-Ada-Lovelace-2026'.slice(0, 60)

const DAY_SECONDS = 24 * 60 * 60

const own: Scene = {
  name: 'passkeys of an account',
  shows: [
    '/account/passkeys/new',
    '/account',
    '/account/security',
    '/account/security/factors/{id}/rename',
    '/account/security/factors/{id}/remove',
    '/account/confirm',
  ],
  async play(stage) {
    const ada = await stage.world.person('ada', { factor: 'enabled' })
    const visit = await stage.open()
    const { page } = visit
    const key = await VirtualKey.plugIn(visit)
    await key.answer(false)
    await stage.signIn(visit, ada)
    await stage.show(visit, '/account/passkeys/new', 'passkey-new')
    await key.answer(true)
    await page.getByLabel('Name').fill('\u202e')
    await stage.press(visit, 'Add a passkey', 'passkey-new-refused')
    await page.getByLabel('Name').fill(LONG_NAME)
    await stage.press(visit, 'Add a passkey', 'passkey-added')
    await stage.show(visit, '/account', 'passkey-account')
    await visit.open('/account/passkeys/new')
    await page.getByLabel('Name').fill('Twice')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('This passkey is registered already.').waitFor()
    await stage.look(visit, 'passkey-new-twice')
    await key.answer(false)
    await stage.show(visit, '/account/security', 'passkey-security')
    await visit.after(() =>
      page
        .getByRole('link', { name: /^Rename.*Sicher/ })
        .first()
        .click(),
    )
    await stage.look(visit, 'passkey-rename')
    await page.getByLabel('Name').fill(' ')
    await stage.press(visit, 'Save', 'passkey-rename-refused')
    await visit.open('/account/security')
    await visit.after(() =>
      page
        .getByRole('link', { name: /^Remove.*Sicher/ })
        .first()
        .click(),
    )
    await stage.look(visit, 'passkey-remove')
    stage.world.clock.advance(301)
    await stage.show(visit, '/account/passkeys/new', 'passkey-confirm')
  },
}

const door: Scene = {
  name: 'passkeys at the doors',
  shows: ['/login', PASSKEY_DOOR, '/login/2fa'],
  async play(stage) {
    const ada = await stage.world.person('ada', { factor: 'enabled' })
    const visit = await stage.open()
    const { page } = visit
    const key = await VirtualKey.plugIn(visit, { hasResidentKey: false, hasUserVerification: false })
    await stage.signIn(visit, ada)
    for (const name of ['Blue key', LONG_NAME]) {
      await visit.open('/account/passkeys/new')
      await page.getByLabel('Name').fill(name)
      await visit.click('button', 'Add a passkey')
      await key.forget()
    }
    await visit.open('/account')
    await stage.press(visit, 'Sign out', 'passkey-login')
    await stage.enterPassword(visit, ada)
    await stage.look(visit, 'passkey-choices')
    await stage.show(visit, PASSKEY_DOOR, 'passkey-door')
    await page.getByRole('button', { name: 'Use passkey' }).click()
    await page.getByText('No passkey was used').waitFor()
    await stage.look(visit, 'passkey-door-cancelled')
    await page.locator('input[name=response]').evaluate((field: { value: string }) => (field.value = '{}'))
    await visit.after(() =>
      page.locator('form[data-passkey]').evaluate((form: { submit(): void }) => form.submit()),
    )
    await stage.look(visit, 'passkey-door-refused')
    const plain = await stage.open({ javaScriptEnabled: false })
    await stage.enterPassword(plain, ada)
    await stage.show(plain, PASSKEY_DOOR, 'passkey-door-no-script')
  },
}

const required: Scene = {
  name: 'a passkey that a rule asks for',
  shows: ['/account', '/passkey/enroll'],
  options: demanding({ kinds: ['passkey'], from: Date.parse(START) / 1000 + DAY_SECONDS }),
  async play(stage) {
    const { world } = stage
    const ada = await world.person('ada', { factor: 'enabled', permissions: ['admin.access'] })
    const visit = await stage.open()
    const { page } = visit
    await VirtualKey.plugIn(visit)
    await stage.signIn(visit, ada)
    await stage.look(visit, 'passkey-duty')
    await visit.click('button', 'Sign out')
    world.clock.advance(DAY_SECONDS)
    await stage.enterPassword(visit, ada)
    await visit.enterCode(await world.code(ada))
    await stage.look(visit, 'passkey-required')
    await page.getByLabel('Name').fill('\u202e')
    await stage.press(visit, 'Add a passkey', 'passkey-required-refused')
    await page.getByLabel('Name').fill('Blue key')
    await stage.press(visit, 'Add a passkey', 'passkey-required-codes')
    await stage.press(visit, "I've saved them", 'passkey-required-account')
  },
}

/** Scenes of passkeys. */
export const SCENES: readonly Scene[] = [own, door, required]
