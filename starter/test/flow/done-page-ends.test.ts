import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SoftwareAuthenticator } from '../software-authenticator.ts'
import { type Browser, type Person, World } from '../support.ts'
import { DOOR, enter, leave, trusting } from './device-steps.ts'
import { enroll } from './newcomer.ts'
import { addPasskey, PASSKEY_DOOR, passkeySignIn } from './passkey-steps.ts'
import { confirm } from './step-up-steps.ts'

const DELETE = '/account/delete'
const ASKED = '/deletion/asked'
const RECOVERY = '/login/2fa/recovery'

/** Somebody who has asked for the deletion of the account, which has everything that opens it. */
interface Asked {
  readonly world: World
  readonly person: Person
  readonly codes: readonly string[]
  readonly key: SoftwareAuthenticator
  readonly browser: Browser
}

/** The ways in, but those that begin with another one of them, or with an account without a factor. */
const WAYS: Readonly<Record<string, (asked: Asked) => Promise<unknown>>> = {
  'the code of the authenticator': ({ browser, person }) => browser.signIn(person),
  'a recovery code': async ({ browser, person, codes }) => {
    await browser.password(person)
    await browser.open(RECOVERY)
    await browser.submit(RECOVERY, { code: codes[0] ?? '' })
  },
  'a code by mail': async ({ world, browser, person }) => {
    await browser.password(person)
    await browser.open('/mail-code')
    await browser.submit('/mail-code/send')
    await browser.open('/mail-code')
    const codes = world.mailbox.list().map(({ text }) => /\n(\d{4} \d{4})\n/.exec(text)?.[1])
    await browser.submit('/mail-code', { code: codes.find(Boolean) ?? '' })
  },
  'a passkey after the password': async ({ browser, person, key }) => {
    await browser.password(person)
    const { html } = await browser.open(PASSKEY_DOOR)
    await browser.submit(PASSKEY_DOOR, { response: key.respond(html) })
  },
  'a passkey as the whole login': ({ browser, key }) => passkeySignIn(browser, key),
  'a passkey and then the password': async ({ browser, person, key }) => {
    await passkeySignIn(browser, key, { verified: false })
    await browser.password(person)
  },
}

async function erase({ world, person, browser }: Omit<Asked, 'codes' | 'key'>): Promise<void> {
  await confirm(world, browser, { person, path: DELETE })
  assert.equal((await browser.submit(DELETE, { email: person.email })).location, ASKED)
  assert.equal((await browser.open(ASKED)).status, 200)
  world.clock.advance(30)
}

/** The page, and the form that is sent once more, of a browser that has signed in since. */
async function isForgotten({ world, person, browser }: Omit<Asked, 'codes' | 'key'>): Promise<void> {
  assert.equal(await browser.isSignedIn(), true)
  await leave(browser)

  assert.equal((await browser.open(ASKED)).location, DELETE)
  const again = await browser.submit(DELETE, { email: person.email })
  assert.match(again.location ?? '', /^\/login\?return_url=/)
  const login = await browser.open(again.location ?? '')
  assert.deepEqual([login.status, login.location], [200, null])
  assert.doesNotMatch(login.html, /deletion of your account|asked to delete/)
  assert.deepEqual(world.faults, [])
}

describe('a sign-in in the browser that asked for a deletion', () => {
  for (const [way, signIn] of Object.entries(WAYS))
    it(`with ${way}: the browser is told no more that it asked for a deletion [RA-2801]`, async (test) => {
      const world = await World.create(test, { mailCodes: true })
      const browser = world.browser()
      const { person, codes } = await enroll(world, world.browser(), 'eve')
      world.clock.advance(30)
      await browser.signIn(person)
      const asked = { world, person, codes, key: await addPasskey(browser, 'Key'), browser }
      await erase(asked)

      await signIn(asked)

      await isForgotten(asked)
    })

  it('with the password alone: the browser is told no more that it asked for a deletion [RA-2801]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()
    const person = await world.person('ada')
    await browser.signIn(person)
    await erase({ world, person, browser })

    await browser.signIn(person)

    await isForgotten({ world, person, browser })
  })

  // A deletion ends the trust, so that something else was done here.
  it('with the password in a trusted browser: the browser is told no more what it did before [RA-2801]', async (test) => {
    const { ada, browser } = await trusting(test)
    await browser.open('/forgot')
    assert.equal((await browser.submit('/forgot', { email: ada.email })).location, '/forgot/sent')
    assert.equal((await browser.open('/forgot/sent')).status, 200)

    assert.equal(await enter(browser, ada), '/account')

    await leave(browser)
    assert.equal((await browser.open('/forgot/sent')).location, '/forgot')
  })

  it('a sign-in that is not completed leaves the page as it is [RA-2801]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()
    const person = await world.person('ada', { factor: 'enabled' })
    await browser.signIn(person)
    world.clock.advance(30)
    await erase({ world, person, browser })

    assert.equal((await browser.password(person)).location, DOOR)

    assert.equal((await browser.open(ASKED)).status, 200)
  })
})
