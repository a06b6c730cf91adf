import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CLIENT_LIMIT } from '../../../core/limits/limits.ts'
import { PASSKEY_CLIENT_LIMIT } from '../sign-in-controller.ts'
import { optionsOf, type ResponseOptions, SoftwareAuthenticator } from 'sallyport-app/testing/authenticators'
import { type Page, World } from '../../../test/support.ts'
import { atPasskeyDoor, keyOwner, PASSKEY_DOOR, PASSKEY_SIGN_IN, passkeySignIn } from './steps.ts'

// What a client sends that cannot sign in: each is refused at another place.
const JUNK: readonly ((html: string, key: SoftwareAuthenticator) => string)[] = [
  () => '{}',
  (html, key) => Object.assign(new SoftwareAuthenticator(), { userHandle: key.userHandle }).respond(html),
  (html, key) => key.respond(html, { origin: 'https://evil.example' }),
]

describe('a passkey as the whole login', () => {
  it('is offered by a button [RA-2901]', async (test) => {
    const world = await World.create(test)

    const page = await world.browser().open('/login')

    assert.match(
      page.html,
      /<form[^>]*action="\/passkey" data-passkey="sign-in" data-options="[^"]+" hidden>/,
    )
    const { rpId, allowCredentials = [] } = optionsOf(page.html)
    assert.deepEqual([rpId, allowCredentials], ['app.test', []])
  })

  it('with verification of the user it is both factors, and enters by the same login() [RA-2901]', async (test) => {
    const { world, ada, key } = await keyOwner(test, 'enabled')
    const browser = world.browser()
    const before = (await browser.open('/login?return_url=/account/security'), browser.sessionId)

    const page = await browser.open('/login?return_url=/account/security')
    const response = key.respond(page.html)
    const next = await browser.submit(PASSKEY_SIGN_IN, { response, return_url: '/account/security' })

    assert.deepEqual([next.status, next.location], [303, '/account/security'])
    const session = await browser.session()
    assert.deepEqual([session['_auth'], '_2fa' in session], [ada.id, false])
    assert.notEqual(browser.sessionId, before)
    assert.equal((await browser.open('/account/security')).status, 200)
    assert.deepEqual((await world.events(ada)).slice(-2), ['passkey-used', 'logged-in'])
  })

  it('a disabled account and a wrong response get the same answer [RA-2901 RA-0006]', async (test) => {
    const { world, ada, key } = await keyOwner(test)
    const answers: unknown[] = []
    const look = async (authenticator: SoftwareAuthenticator, options: ResponseOptions): Promise<void> => {
      const browser = world.browser()
      const { status, location } = await passkeySignIn(browser, authenticator, options)
      const { html } = await browser.open('/login')
      const open = await browser.open('/login')
      const json = await browser.submit(
        PASSKEY_SIGN_IN,
        { response: authenticator.respond(open.html, options) },
        { headers: { accept: 'application/json' } },
      )
      const { code } = JSON.parse(json.html) as { code: string }
      const message = /class="message warning[^>]*>([\s\S]*?)<\/div>/.exec(html)?.[1]
      answers.push([status, location, message?.trim(), json.status, code])
    }

    await look(key, { origin: 'https://evil.example' })
    await world.disable(ada)
    await look(key, {})

    assert.equal(new Set(answers.map((answer) => JSON.stringify(answer))).size, 1)
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
      return browser.submit(PASSKEY_SIGN_IN, { response }, { headers: { accept: 'application/json' } })
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

  it('is accepted where wrong passwords and wrong responses have locked everything else [RA-0203 RA-0801]', async (test) => {
    const { world, ada, key } = await keyOwner(test)
    const client = { clientAddress: '192.0.2.7' }
    for (let times = 0; times < CLIENT_LIMIT.failures; times += 1) {
      const browser = world.browser(client)
      await browser.open('/login')
      await browser.submit(PASSKEY_SIGN_IN, { response: '{}' })
      await browser.submit('/login', { email: `nobody${times}@example.test`, password: 'wrong' })
    }

    assert.equal((await world.browser(client).password(ada)).status, 429)
    const right = world.browser(client)
    await passkeySignIn(right, key)

    assert.equal(await right.isSignedIn(), true)
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
