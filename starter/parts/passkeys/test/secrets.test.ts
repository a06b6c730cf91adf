import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inspect } from 'node:util'
import { hear, listen } from 'sallyport-app/testing'
import { CONFIRM } from '../../../test/flow/steps.ts'
import { databases } from '../../../test/databases.ts'
import { type Browser, type Page, World } from '../../../test/support.ts'
import { optionsOf, type ResponseOptions, SoftwareAuthenticator } from 'sallyport-app/testing/authenticators'
import { NEW_PASSKEY, PASSKEY_DOOR, PASSKEY_SIGN_IN } from './steps.ts'

/** Where a passkey is asked for, and where its response goes. */
interface Ceremony {
  readonly page: string
  readonly post: string
  readonly fields?: Readonly<Record<string, string>>
}

const REGISTRATION: Ceremony = { page: NEW_PASSKEY, post: NEW_PASSKEY, fields: { label: 'Key' } }
const SIGN_IN: Ceremony = { page: '/login', post: PASSKEY_SIGN_IN }
const SECOND_DOOR: Ceremony = { page: PASSKEY_DOOR, post: PASSKEY_DOOR }
const STEP_UP: Ceremony = {
  page: `${CONFIRM}?return_url=%2Faccount%2Fpassword`,
  post: `/account/passkeys/confirm`,
  fields: { return_url: '/account/password' },
}

describe('the challenges of passkeys', () => {
  it('are in no log, event, mail or error, and not in the database of the accounts [A-129 FACTOR-39]', async (test) => {
    const lines = listen(test)
    const published = hear(test)
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const challenges = new Set<string>()
    const errors: string[] = []
    const key = new SoftwareAuthenticator()
    // Opens a page, and posts what an authenticator makes of its challenge.
    const answer = async (browser: Browser, at: Ceremony, options: ResponseOptions = {}): Promise<Page> => {
      const { html } = await browser.open(at.page)
      challenges.add(optionsOf(html).challenge ?? '')
      const response = at.page === NEW_PASSKEY ? key.register(html, options) : key.respond(html, options)
      const page = await browser.submit(at.post, { ...at.fields, response })
      if (page.status >= 400) errors.push(page.html.replace(/data-options="[^"]*"/, ''))
      return page
    }
    const forged = { origin: 'https://evil.example' }
    const owner = world.browser()
    await owner.signIn(ada)

    for (const options of [forged, {}]) await answer(owner, REGISTRATION, options)
    for (const options of [forged, {}]) await answer(world.browser(), SIGN_IN, options)
    for (const options of [forged, {}]) {
      const browser = world.browser()
      await browser.password(ada)
      await answer(browser, SECOND_DOOR, options)
    }
    world.clock.advance(300)
    for (const options of [forged, {}]) await answer(owner, STEP_UP, options)
    await databases.breakTable(world.database, 'used_passkey_challenge')
    await answer(world.browser(), SIGN_IN)

    const said = {
      log: lines.join('\n'),
      events: published.join('\n'),
      mails: JSON.stringify(world.mailbox.list()),
      errors: [...errors, inspect(world.faults, { depth: 9 })].join('\n'),
      stored: await databases.stored(world.directory, /^accounts\./),
    }
    assert.ok(said.log.includes('passkey-used') && said.log.includes('passkey-refused'))
    assert.ok(published.length >= 4 && errors.length >= 2 && world.faults.length === 1)
    assert.equal(challenges.size, 9)
    for (const [place, text] of Object.entries(said))
      for (const challenge of challenges) {
        assert.ok(challenge.length >= 43)
        const bytes = Buffer.from(challenge, 'base64url')
        for (const form of [challenge, bytes.toString('hex'), bytes.toString('latin1')])
          assert.equal(text.includes(form), false, place)
      }
  })
})
