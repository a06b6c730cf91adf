import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CLIENT_LIMIT } from '../../../core/limits/limits.ts'
import { PASSKEY_CLIENT_LIMIT } from '../sign-in-controller.ts'
import { optionsOf, type ResponseOptions, SoftwareAuthenticator } from 'sallyport-app/testing/authenticators'
import type { Page } from '../../../test/support.ts'
import { addFailures } from '../../../test/failures.ts'
import { atPasskeyDoor, keyOwner, PASSKEY_DOOR, PASSKEY_SIGN_IN, passkeySignIn } from './steps.ts'

const JSON_ONLY = { headers: { accept: 'application/json' } }

// What a client sends that cannot sign in: each is refused at another place.
const JUNK: readonly ((html: string, key: SoftwareAuthenticator) => string)[] = [
  () => '{}',
  (html, key) => Object.assign(new SoftwareAuthenticator(), { userHandle: key.userHandle }).respond(html),
  (html, key) => key.respond(html, { origin: 'https://evil.example' }),
]

describe('a passkey as the whole login', () => {
  it('with verification of the user it is both factors, and enters by the same login() [RA-2901]', async (test) => {
    const { world, ada, key } = await keyOwner(test, 'enabled')
    const browser = world.browser()
    const page = await browser.open('/login?return_url=/account/security')
    const { rpId, allowCredentials = [] } = optionsOf(page.html)
    assert.deepEqual([rpId, allowCredentials], ['app.test', []])

    const response = key.respond(page.html)
    const next = await browser.submit(PASSKEY_SIGN_IN, { response, return_url: '/account/security' })

    assert.deepEqual([next.status, next.location], [303, '/account/security'])
    const session = await browser.session()
    assert.deepEqual([session['_auth'], '_2fa' in session], [ada.id, false])
    assert.deepEqual((await world.events(ada)).slice(-2), ['passkey-used', 'logged-in'])
  })

  it('a disabled account and a wrong response get the same answer [RA-2901 RA-0006]', async (test) => {
    const { world, ada, key } = await keyOwner(test)
    const answers: unknown[] = []
    const look = async (options: ResponseOptions): Promise<void> => {
      const browser = world.browser()
      const { status, location } = await passkeySignIn(browser, key, options)
      const { html } = await browser.open('/login')
      const message = /class="message warning[^>]*>([^]*?)<\/div>/.exec(html)?.[1]
      const response = key.respond(html, options)
      const json = await browser.submit(PASSKEY_SIGN_IN, { response }, JSON_ONLY)
      answers.push([status, location, message, json.status, (JSON.parse(json.html) as { code: string }).code])
    }

    await look({ origin: 'https://evil.example' })
    await world.disable(ada)
    await look({})

    assert.deepEqual(answers[0], answers[1])
    assert.match(JSON.stringify(answers[0]), /"ERR_APP_PASSKEY_REFUSED"/)
  })

  it('ends an earlier pending login, and asks who is signed in to sign out first [FLOW-05 RA-0201]', async (test) => {
    const { world, ada, key } = await keyOwner(test, 'enabled')
    const { browser, page } = await atPasskeyDoor(world, ada)
    const waiting = await browser.open('/login')
    await browser.submit(PASSKEY_SIGN_IN, { response: '{}' })
    const ended = await browser.submit(PASSKEY_DOOR, { response: key.respond(page.html) })
    const other = world.browser()
    const eve = await world.person('eve')
    await other.signIn(eve)
    await other.open('/account')

    const signedIn = await other.submit(PASSKEY_SIGN_IN, { response: key.respond(waiting.html) })

    assert.deepEqual([ended.location, signedIn.location], ['/login', '/account'])
    assert.equal((await other.session())['_auth'], eve.id)
  })

  it('refuses many responses of a client, whatever is wrong with them, and no right one [RA-0203 RA-0801]', async (test) => {
    const { world, key } = await keyOwner(test)
    const client = { clientAddress: '192.0.2.7' }
    const wrong = async (junk = JUNK[0]): Promise<Page> => {
      const browser = world.browser(client)
      const response = junk?.((await browser.open('/login')).html, key) ?? ''
      return browser.submit(PASSKEY_SIGN_IN, { response }, JSON_ONLY)
    }
    for (let times = 0; times < PASSKEY_CLIENT_LIMIT.failures; times += 1)
      assert.equal((await wrong(JUNK[times % JUNK.length])).status, 422)

    const refused = await wrong()
    const right = world.browser(client)
    const page = await passkeySignIn(right, key)

    assert.deepEqual([refused.status, Number(refused.headers.get('retry-after')) > 0], [429, true])
    assert.deepEqual([page.location, await right.isSignedIn()], ['/account', true])
    // The right one has forgiven nothing.
    for (const junk of JUNK) assert.equal((await wrong(junk)).status, 429)
    assert.deepEqual(world.faults, [])
  })

  it('is accepted where wrong passwords have locked everything else [RA-0203 RA-0801]', async (test) => {
    const { world, ada, key } = await keyOwner(test)
    const client = { clientAddress: '192.0.2.7' }
    const failed = { times: CLIENT_LIMIT.failures, at: world.clock.timestamp() }
    await addFailures(world.database, CLIENT_LIMIT.ofClient(client.clientAddress), failed)

    assert.equal((await world.browser(client).password(ada)).status, 429)
    assert.equal((await passkeySignIn(world.browser(client), key)).location, '/account')
  })

  it('counts as a factor for protected actions, and the password is still asked for there [RA-1401]', async (test) => {
    const { world, key } = await keyOwner(test)
    const browser = world.browser()
    await passkeySignIn(browser, key)

    const page = await browser.open('/account/passkeys/new')
    const confirm = await browser.open(page.location ?? '')

    assert.match(confirm.html, /name="password"/)
    assert.doesNotMatch(confirm.html, /name="code"/)
  })
})
