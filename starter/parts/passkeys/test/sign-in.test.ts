import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CLIENT_LIMIT } from '../../../core/limits/limits.ts'
import { PASSKEY_CLIENT_LIMIT } from '../sign-in-controller.ts'
import { optionsOf, type ResponseOptions, SoftwareAuthenticator } from 'sallyport-app/testing/authenticators'
import type { Page } from '../../../test/support.ts'
import { addFailures } from '../../../test/failures.ts'
import {
  atPasskeyDoor,
  keyOwner,
  NEW_PASSKEY,
  PASSKEY_DOOR,
  PASSKEY_SIGN_IN,
  passkeySignIn,
} from './steps.ts'

const JSON_ONLY = { headers: { accept: 'application/json' } }

// What a client sends that cannot sign in: each is refused at another place.
const JUNK: readonly ((html: string, key: SoftwareAuthenticator) => string)[] = [
  () => '{}',
  (html, key) => Object.assign(new SoftwareAuthenticator(), { userHandle: key.userHandle }).respond(html),
  (html, key) => key.respond(html, { origin: 'https://evil.example' }),
]

describe('a passkey as the whole login', () => {
  it('is both factors, of whichever account it is, by the same login(); protected actions still ask for the password [RA-2901 RA-1401 MEND-07]', async (test) => {
    const { world, ada, key } = await keyOwner(test, 'enabled')
    const browser = world.browser()
    const page = await browser.open(`/login?return_url=${NEW_PASSKEY}`)
    assert.deepEqual(optionsOf(page.html).allowCredentials ?? [], [])
    const before = browser.sessionId

    const response = key.respond(page.html)
    const next = await browser.submit(PASSKEY_SIGN_IN, { response, return_url: NEW_PASSKEY })

    assert.deepEqual([next.status, next.location], [303, NEW_PASSKEY])
    const session = await browser.session()
    assert.deepEqual([session['_auth'], '_2fa' in session], [ada.id, false])
    assert.notEqual(browser.sessionId, before)
    const confirm = await browser.open(NEW_PASSKEY, { follow: true })
    assert.match(confirm.html, /name="password"/)
    assert.doesNotMatch(confirm.html, /name="code"/)
  })

  it('a disabled account and a wrong response get the same answer [RA-2901 RA-0006]', async (test) => {
    const { world, ada, key } = await keyOwner(test)
    const answer = async (options: ResponseOptions): Promise<unknown> => {
      const browser = world.browser()
      const { status, location } = await passkeySignIn(browser, key, options)
      const { html } = await browser.open('/login')
      return [status, location, /class="message warning[^>]*>([^]*?)<\/div>/.exec(html)?.[1]]
    }

    const wrong = await answer({ origin: 'https://evil.example' })
    await world.disable(ada)

    assert.deepEqual(await answer({}), wrong)
  })

  it('ends an earlier pending login, and asks who is signed in to sign out first [FLOW-05 RA-0201]', async (test) => {
    const { world, ada, key } = await keyOwner(test, 'enabled')
    const { browser, page } = await atPasskeyDoor(world, ada)
    const waiting = await browser.open('/login')
    await browser.submit(PASSKEY_SIGN_IN, { response: '{}' })
    const ended = await browser.submit(PASSKEY_DOOR, { response: key.respond(page.html) })
    const eve = await world.person('eve')
    const other = await world.inside(eve)
    await other.open('/account')

    const signedIn = await other.submit(PASSKEY_SIGN_IN, { response: key.respond(waiting.html) })

    assert.deepEqual([ended.location, signedIn.location], ['/login', '/account'])
    assert.equal((await other.session())['_auth'], eve.id)
  })

  it('refuses many responses of a client, whatever is wrong with them, and no right one, nor where wrong passwords have locked everything else [RA-0203 RA-0801]', async (test) => {
    const { world, ada, key } = await keyOwner(test)
    const client = { clientAddress: '192.0.2.7' }
    const wrong = async (junk = JUNK[0]): Promise<Page> => {
      const browser = world.browser(client)
      const response = junk?.((await browser.open('/login')).html, key) ?? ''
      return browser.submit(PASSKEY_SIGN_IN, { response }, JSON_ONLY)
    }
    const failed = { times: CLIENT_LIMIT.failures, at: world.clock.timestamp() }
    await addFailures(world.database, CLIENT_LIMIT.ofClient(client.clientAddress), failed)
    assert.equal((await world.browser(client).password(ada)).status, 429)
    for (let times = 0; times < PASSKEY_CLIENT_LIMIT.failures; times += 1)
      assert.equal((await wrong(JUNK[times % JUNK.length])).status, 422)

    const refused = await wrong()
    const page = await passkeySignIn(world.browser(client), key)

    assert.deepEqual([refused.status, Number(refused.headers.get('retry-after')) > 0], [429, true])
    assert.equal(page.location, '/account')
    // The right one has forgiven nothing.
    for (const junk of JUNK) assert.equal((await wrong(junk)).status, 429)
    assert.deepEqual(world.faults, [])
  })
})

describe('the second door with a passkey', () => {
  it('closes after five wrong responses, each recorded, and locks nobody out who has the right one [FLOW-28 RA-0404 RA-0801 RA-0802]', async (test) => {
    const { world, ada, key } = await keyOwner(test)
    for (let times = 0; times < 4; times += 1) {
      const { browser } = await atPasskeyDoor(world, ada)
      const pages: Page[] = []
      for (const response of ['{}', '{}', '', '', ''])
        pages.push(await browser.submit(PASSKEY_DOOR, { response }))
      assert.deepEqual(
        pages.map(({ status, location }) => location ?? status),
        [422, 422, 422, 422, '/login'],
      )
      assert.equal((await browser.open(PASSKEY_DOOR)).location, '/login')
    }

    const { browser, page } = await atPasskeyDoor(world, ada)
    const right = await browser.submit(PASSKEY_DOOR, { response: key.respond(page.html) })

    assert.equal(right.location, '/account')
    assert.equal((await world.events(ada)).filter((kind) => kind === 'passkey-refused').length, 20)
  })
})
