import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { CLIENT_LIMIT } from '../../../core/limits/limits.ts'
import { PASSKEY_CLIENT_LIMIT } from '../limits.ts'
import { optionsOf, type ResponseOptions, SoftwareAuthenticator } from 'sallyport-app/testing/authenticators'
import { type Page, type Person, World } from '../../../test/support.ts'
import { atPasskeyDoor, PASSKEY_DOOR, PASSKEY_SIGN_IN, passkeySignIn, withPasskey } from './steps.ts'

interface Known {
  readonly world: World
  readonly ada: Person
  readonly key: SoftwareAuthenticator
}

async function known(test: TestContext, factor: 'none' | 'enabled' = 'none'): Promise<Known> {
  const world = await World.create(test)
  const ada = await world.person('ada', { factor, permissions: ['admin.access'] })
  return { world, ada, key: await withPasskey(world, ada) }
}

// What a client sends that cannot sign in, by the place where it is refused.
function junkOf(kind: string, html: string, key: SoftwareAuthenticator): string {
  if (kind === 'of an unknown passkey')
    return Object.assign(new SoftwareAuthenticator(), { userHandle: key.userHandle }).respond(html)
  if (kind !== 'with a false signature') return kind
  const right = JSON.parse(key.respond(html)) as { readonly response: object }
  return JSON.stringify({ ...right, response: { ...right.response, signature: 'AAAA' } })
}

describe('a passkey as the whole login', () => {
  it('is offered by a button [RA-2901]', async (test) => {
    const world = await World.create(test)

    const page = await world.browser().open('/login')

    assert.match(
      page.html,
      /<form[^>]*action="\/passkey" data-passkey="sign-in" data-options="[^"]+" hidden>/,
    )
    const { rpId, challenge, allowCredentials = [] } = optionsOf(page.html)
    assert.deepEqual([rpId, allowCredentials], ['app.test', []])
    assert.equal(Buffer.from(challenge ?? '', 'base64url').length, 32)
  })

  it('with verification of the user it is both factors, and enters by the same login() [RA-2901]', async (test) => {
    const { world, ada, key } = await known(test, 'enabled')
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

  const forged: Readonly<Record<string, ResponseOptions>> = {
    'of another origin': { origin: 'https://app.test.evil.example' },
    'of another site': { rpId: 'evil.example' },
    'of a frame of another site': { crossOrigin: true },
    'of a frame in a named site': { topOrigin: 'https://evil.example' },
    'of another challenge': { challenge: Buffer.alloc(32).toString('base64url') },
    'that names no account': { userHandle: null },
    'that names another account': { userHandle: Buffer.from('somebody').toString('base64url') },
    'without verification of the user': { verified: false },
    'without presence of the user': { present: false },
    'of a registration': { type: 'webauthn.create' },
  }
  for (const [title, options] of Object.entries(forged)) {
    it(`refuses a response ${title} [RA-2901 RA-0501 FLOW-01]`, async (test) => {
      const { world, key } = await known(test)
      const browser = world.browser()

      const next = await passkeySignIn(browser, key, options)

      assert.equal(next.location, '/login')
      assert.equal(await browser.isSignedIn(), false)
      assert.match((await browser.open('/login')).html, /was not accepted/)
      assert.deepEqual(world.faults, [])
    })
  }

  it('a disabled account and a wrong response get the same answer [RA-2901 RA-0006]', async (test) => {
    const { world, ada, key } = await known(test)
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

  it('of fifty posts of one response, exactly one signs in, and none later [RA-2702 RA-0501]', async (test) => {
    const { world, ada, key } = await known(test)
    const browser = world.browser()
    const page = await browser.open('/login')
    const response = key.respond(page.html)
    const before = await browser.session()
    const tabs = Array.from({ length: 50 }, () => browser.twin())

    const pages = await Promise.all(tabs.map((tab) => tab.submit(PASSKEY_SIGN_IN, { response })))
    const restored = world.browser()
    await restored.open('/login')
    await restored.writeText('passkey.sign-in', JSON.stringify(before['passkey.sign-in']))
    await restored.submit(PASSKEY_SIGN_IN, { response })

    const states = await Promise.all([...tabs, restored].map((tab) => tab.isSignedIn()))
    assert.equal(states.filter(Boolean).length, 1)
    assert.equal(pages.filter(({ location }) => location === '/account').length, 1)
    assert.equal((await world.events(ada)).filter((kind) => kind === 'logged-in').length, 2)
    assert.deepEqual(world.faults, [])
  })

  it('is late after five minutes, and a response for a second door is none [RA-0501]', async (test) => {
    const { world, ada, key } = await known(test)
    const browser = world.browser()
    const page = await browser.open('/login')
    const door = await atPasskeyDoor(world, ada)
    world.clock.advance(299)
    const timely = browser.twin()
    const live = await timely.submit(PASSKEY_SIGN_IN, { response: key.respond(page.html) })
    const other = world.browser()
    const second = await other.open('/login')
    const elsewhere = await other.submit(PASSKEY_SIGN_IN, { response: key.respond(door.page.html) })
    const third = await other.open('/login')
    world.clock.advance(300)
    const late = await other.submit(PASSKEY_SIGN_IN, { response: key.respond(third.html) })

    assert.notEqual(optionsOf(second.html).challenge, optionsOf(third.html).challenge)
    assert.deepEqual([live.location, elsewhere.location, late.location], ['/account', '/login', '/login'])
    assert.equal(await other.isSignedIn(), false)
  })

  it('ends an earlier pending login, and asks who is signed in to sign out first [FLOW-05 RA-0201]', async (test) => {
    const { world, ada, key } = await known(test, 'enabled')
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

  it('needs the token of its form [CSRF-05]', async (test) => {
    const { world, key } = await known(test)
    const browser = world.browser()
    const page = await browser.open('/login')

    const forged = await browser.submit(PASSKEY_SIGN_IN, { response: key.respond(page.html), _csrf: 'no' })

    assert.deepEqual([forged.status, await browser.isSignedIn()], [403, false])
  })

  for (const junk of ['{}', 'of an unknown passkey', 'with a false signature'] as const)
    it(`refuses many responses of a client (${junk}), and no right one [RA-0203 RA-0801]`, async (test) => {
      const { world, key } = await known(test)
      const client = { clientAddress: '192.0.2.7' }
      const wrong = async (): Promise<Page> => {
        const browser = world.browser(client)
        const { html } = await browser.open('/login')
        const response = junkOf(junk, html, key)
        return browser.submit(PASSKEY_SIGN_IN, { response }, { headers: { accept: 'application/json' } })
      }
      const statuses: number[] = []
      for (let times = 0; times < PASSKEY_CLIENT_LIMIT.failures; times += 1)
        statuses.push((await wrong()).status)

      const refused = await wrong()
      const right = world.browser(client)
      const page = await passkeySignIn(right, key)

      assert.deepEqual([...new Set(statuses)], [422])
      assert.deepEqual([refused.status, Number(refused.headers.get('retry-after')) > 0], [429, true])
      assert.deepEqual([page.location, await right.isSignedIn()], ['/account', true])
      // The right one has forgiven nothing.
      assert.equal((await wrong()).status, 429)
      assert.deepEqual(world.faults, [])
    })

  it('is accepted where wrong passwords and wrong responses have locked everything else [RA-0203 RA-0801]', async (test) => {
    const { world, ada, key } = await known(test)
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
    const { world, key } = await known(test)
    const browser = world.browser()
    await passkeySignIn(browser, key)

    const page = await browser.open('/account/passkeys/new')
    const confirm = await browser.open(page.location ?? '')

    assert.match(confirm.html, /name="password"/)
    assert.doesNotMatch(confirm.html, /name="code"/)
  })
})
