import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { PASSKEY_POLICY } from '../policy.ts'
import { optionsOf, type ResponseOptions, SoftwareAuthenticator } from 'sallyport-app/testing/authenticators'
import { type Browser, type Page, type Person, World } from '../../../test/support.ts'
import { mailsOf, CONFIRM } from '../../../test/flow/steps.ts'
import { listen } from 'sallyport-app/testing'
import { atPasskeyDoor, PASSKEY_DOOR, PASSKEY_SIGN_IN, removePasskey, withPasskey } from './steps.ts'
import { spendChallenge } from 'sallyport-app/webauthn'
import { Passkeys } from '../passkeys.ts'

const COPIED = /^A passkey of your account may have been copied/

// Where a passkey proves something: the page that asks, and where its form goes.
const WAYS: Readonly<Record<string, { readonly from: string; readonly to: string }>> = {
  'at the second door': { from: PASSKEY_DOOR, to: PASSKEY_DOOR },
  'as the whole login': { from: '/login', to: PASSKEY_SIGN_IN },
  'in a step-up': { from: `${CONFIRM}?return_url=%2Faccount%2Fpassword`, to: `/account/passkeys/confirm` },
}

interface Pending {
  readonly world: World
  readonly ada: Person
  readonly key: SoftwareAuthenticator
  readonly browser: Browser
  readonly page: Page
}

// The levels at which a kind of event was logged.
function levelsOf(lines: readonly string[], event: string): readonly string[] {
  return lines.flatMap((line) => {
    const { level, properties } = JSON.parse(line) as {
      readonly level: string
      readonly properties: { readonly kind?: unknown }
    }
    return properties.kind === event ? [level] : []
  })
}

async function pending(test: TestContext): Promise<Pending> {
  const world = await World.create(test)
  const ada = await world.person('ada')
  const key = await withPasskey(world, ada)
  return { world, ada, key, ...(await atPasskeyDoor(world, ada)) }
}

describe('the second door with a passkey', () => {
  it('opens to a plain form post of the response, and stores the use [RA-0504 RA-0503 FLOW-33]', async (test) => {
    const { world, ada, key, browser, page } = await pending(test)
    world.clock.advance(10)

    const next = await browser.submit(PASSKEY_DOOR, { response: key.respond(page.html) })

    assert.deepEqual([next.status, next.location], [303, '/account'])
    assert.equal(await browser.isSignedIn(), true)
    const session = await browser.session()
    assert.deepEqual(['_2fa' in session, 'challenge' in session], [false, false])
    const [passkey] = await world.app.get(Passkeys).list(ada.id)
    assert.deepEqual([passkey?.usedAt, passkey?.counter], [world.clock.timestamp(), 1])
    assert.deepEqual((await world.events(ada)).slice(-3), ['password-accepted', 'passkey-used', 'logged-in'])
  })

  it('asks with a challenge of 32 random bytes, of this pending login, for this site [RA-0501]', async (test) => {
    const { world, ada, page } = await pending(test)
    const other = await atPasskeyDoor(world, ada)

    const [mine, theirs] = [optionsOf(page.html), optionsOf(other.page.html)]

    assert.equal(mine.rpId, 'app.test')
    assert.equal(Buffer.from(mine.challenge ?? '', 'base64url').length, 32)
    assert.notEqual(mine.challenge, theirs.challenge)
  })

  const forged: Readonly<Record<string, ResponseOptions>> = {
    'of another origin [RA-0501]': { origin: 'https://app.test.evil.example' },
    'over plain HTTP [RA-0501]': { origin: 'http://app.test' },
    'of another site [RA-0501]': { rpId: 'evil.example' },
    'of another challenge [RA-0501]': { challenge: Buffer.alloc(32).toString('base64url') },
    'that names another account [RA-0502]': { userHandle: Buffer.from('somebody').toString('base64url') },
    'without presence of the user [RA-0502]': { present: false },
    'of a frame of another site [RA-0501]': { crossOrigin: true },
    'of a frame in a named site [RA-0501]': { topOrigin: 'https://evil.example' },
    'of a frame in a named site of another origin [RA-0501]': {
      crossOrigin: true,
      topOrigin: 'https://evil.example',
    },
    'of a registration [RA-0501]': { type: 'webauthn.create' },
  }
  for (const [title, options] of Object.entries(forged)) {
    it(`${title}, a response is a 422 that counts, and the right one is accepted afterwards`, async (test) => {
      const { world, ada, key, browser, page } = await pending(test)

      const wrong = await browser.submit(PASSKEY_DOOR, { response: key.respond(page.html, options) })
      const right = await browser.submit(PASSKEY_DOOR, { response: key.respond(wrong.html) })

      assert.equal(wrong.status, 422)
      assert.match(wrong.html, /not accepted. 4 attempts are left/)
      assert.equal(right.location, '/account')
      assert.equal((await world.events(ada)).includes('passkey-refused'), true)
      assert.deepEqual(world.faults, [])
    })
  }

  it('takes neither the passkey of another account, nor a false signature, nor a stranger [RA-0501 RA-0502 FACTOR-42]', async (test) => {
    const { world, key, browser, page } = await pending(test)
    const eve = await world.person('eve')
    const theirs = await withPasskey(world, eve)
    const spoiled = JSON.parse(key.respond(page.html)) as { response: { signature: string } }
    spoiled.response.signature = spoiled.response.signature.replace(/.{4}$/, 'AAAA')
    const impostor = Object.assign(new SoftwareAuthenticator(), { id: key.id, userHandle: key.userHandle })

    let html = page.html
    for (const forge of [
      () => theirs.respond(html),
      () => JSON.stringify(spoiled),
      () => impostor.respond(html),
      () => new SoftwareAuthenticator().respond(html, { userHandle: null }),
    ]) {
      const refused = await browser.submit(PASSKEY_DOOR, { response: forge() })
      assert.equal(refused.status, 422)
      html = refused.html
    }

    assert.equal(await browser.isSignedIn(), false)
    assert.deepEqual(world.faults, [])
  })

  it('accepts a response once, and no response of another pending login or of a sign-in [RA-0501]', async (test) => {
    const { world, ada, key, browser, page } = await pending(test)
    const response = key.respond(page.html)
    const other = await atPasskeyDoor(world, ada)
    const door = await world.browser().open('/login')

    const elsewhere = await other.browser.submit(PASSKEY_DOOR, { response })
    const ofSignIn = await other.browser.submit(PASSKEY_DOOR, { response: key.respond(door.html) })
    const first = await browser.submit(PASSKEY_DOOR, { response })
    const again = await atPasskeyDoor(world, ada)
    const replayed = await again.browser.submit(PASSKEY_DOOR, { response })

    assert.deepEqual(
      [elsewhere.status, ofSignIn.status, first.location, replayed.status],
      [422, 422, '/account', 422],
    )
  })

  it('a response is late after five minutes, with the pending login [RA-0501]', async (test) => {
    const { world, key, browser, page } = await pending(test)
    world.clock.advance(300)

    const late = await browser.submit(PASSKEY_DOOR, { response: key.respond(page.html) })

    assert.deepEqual([late.location, await browser.isSignedIn()], ['/login', false])
  })

  it('of fifty posts of one response, exactly one signs in [RA-2702 RA-2502]', async (test) => {
    const { world, ada, key, browser, page } = await pending(test)
    // As many as there are; the limit of attempts is not what holds them.
    await world.database.updateTable('challenge').set({ attempts: -100 }).execute()
    const response = key.respond(page.html)
    const tabs = Array.from({ length: 50 }, () => browser.twin())

    const pages = await Promise.all(tabs.map((tab) => tab.submit(PASSKEY_DOOR, { response })))

    const states = await Promise.all(tabs.map((tab) => tab.isSignedIn()))
    assert.equal(states.filter(Boolean).length, 1)
    assert.equal(pages.filter(({ location }) => location === '/account').length, 1)
    assert.equal((await world.events(ada)).filter((kind) => kind === 'logged-in').length, 2)
    assert.deepEqual(world.faults, [])
  })

  it('ends the pending login after five wrong responses, and programs are refused, too [FLOW-28 RA-0404]', async (test) => {
    const { browser } = await pending(test)
    const json = { headers: { accept: 'application/json' } }

    const refused = await browser.submit(PASSKEY_DOOR, { response: '{}' }, json)
    for (let times = 0; times < 3; times += 1) await browser.submit(PASSKEY_DOOR, { response: '' })
    const last = await browser.submit(PASSKEY_DOOR, {})

    assert.equal(refused.status, 422)
    assert.equal(last.location, '/login')
    assert.match((await browser.open('/login')).html, /Start again with your password/)
    assert.equal((await browser.open(PASSKEY_DOOR)).location, '/login')
  })

  it('wrong responses lock nothing: nobody keeps the owner of a passkey out [RA-0801 RA-0802]', async (test) => {
    const { world, ada, key } = await pending(test)
    for (let times = 0; times < 30; times += 1) {
      const { browser } = await atPasskeyDoor(world, ada)
      await browser.submit(PASSKEY_DOOR, { response: '{}' })
    }

    const { browser, page } = await atPasskeyDoor(world, ada)
    const right = await browser.submit(PASSKEY_DOOR, { response: key.respond(page.html) })

    assert.equal(right.location, '/account')
  })

  for (const [way, { from, to }] of Object.entries(WAYS))
    it(`a counter that goes backwards ${way} is logged as a warning, and told by one mail [RA-0503]`, async (test) => {
      const lines = listen(test)
      const { world, ada, key, browser, page } = await pending(test)
      await browser.submit(PASSKEY_DOOR, { response: key.respond(page.html, { counter: 40 }) })
      assert.equal(mailsOf(world, COPIED), 0)
      world.clock.advance(300)
      const again = way === 'in a step-up' ? browser : world.browser()
      if (way === 'at the second door') await again.password(ada)
      const { html } = await again.open(from)

      await again.submit(to, { response: key.respond(html, { counter: 40 }) })

      assert.equal((await world.events(ada)).filter((kind) => kind === 'passkey-backwards').length, 1)
      assert.equal(mailsOf(world, COPIED), 1)
      assert.deepEqual(levelsOf(lines, 'passkey-backwards'), ['warning'])
      assert.deepEqual(levelsOf(lines, 'passkey-used'), ['info', 'info'])
      assert.deepEqual(world.faults, [])
    })

  it('one that never counts is no copy [RA-0503]', async (test) => {
    const { world, ada, key, browser, page } = await pending(test)
    await browser.submit(PASSKEY_DOOR, { response: key.respond(page.html, { counter: 0 }) })
    const again = await atPasskeyDoor(world, ada)

    await again.browser.submit(PASSKEY_DOOR, { response: key.respond(again.page.html, { counter: 0 }) })

    assert.equal((await world.events(ada)).includes('passkey-backwards'), false)
    assert.equal(await again.browser.isSignedIn(), true)
  })

  it('the policy may refuse a counter that goes backwards [RA-0503]', async (test) => {
    const passkeyPolicy = { ...PASSKEY_POLICY, counterBackwards: 'refuse' as const }
    const world = await World.create(test, { passkeyPolicy })
    const ada = await world.person('ada')
    const key = await withPasskey(world, ada)
    const { browser, page } = await atPasskeyDoor(world, ada)
    await browser.submit(PASSKEY_DOOR, { response: key.respond(page.html, { counter: 40 }) })
    const again = await atPasskeyDoor(world, ada)

    const back = await again.browser.submit(PASSKEY_DOOR, {
      response: key.respond(again.page.html, { counter: 40 }),
    })

    assert.equal(back.status, 422)
    assert.equal((await world.events(ada)).includes('passkey-backwards'), true)
    assert.deepEqual(
      [mailsOf(world, COPIED), mailsOf(world, /^A passkey of your account was refused/)],
      [0, 1],
    )
    const [passkey] = await world.app.get(Passkeys).list(ada.id)
    assert.equal(passkey?.counter, 40)
  })

  it('one value says whether user verification is asked for and checked [RA-0502]', async (test) => {
    for (const [value, location] of [
      ['required', null],
      ['discouraged', '/account'],
    ] as const) {
      const world = await World.create(test, { passkeyPolicy: { ...PASSKEY_POLICY, secondDoor: value } })
      const ada = await world.person('ada')
      const key = await withPasskey(world, ada)
      const { browser, page } = await atPasskeyDoor(world, ada)

      const response = key.respond(page.html, { verified: false })
      const next = await browser.submit(PASSKEY_DOOR, { response })

      assert.match(page.html, new RegExp(`&quot;userVerification&quot;:&quot;${value}&quot;`))
      assert.equal(next.location, location)
    }
  })

  it('a disabled account and a removed passkey end the pending login [FLOW-26 RA-3002]', async (test) => {
    const { world, ada, key, browser, page } = await pending(test)
    const other = await atPasskeyDoor(world, ada)
    await removePasskey(world, ada)
    const gone = await other.browser.submit(PASSKEY_DOOR, { response: key.respond(other.page.html) })
    await world.disable(ada)

    const disabled = await browser.submit(PASSKEY_DOOR, { response: key.respond(page.html) })

    assert.deepEqual([gone.location, disabled.location], ['/login', '/login'])
    assert.deepEqual([await browser.isSignedIn(), await other.browser.isSignedIn()], [false, false])
  })

  it('leads to the login page without a pending login, and needs the token of its form [FLOW-40]', async (test) => {
    const { world, key, browser, page } = await pending(test)
    const stranger = world.browser()

    const nobody = await stranger.open(PASSKEY_DOOR)
    const response = key.respond(page.html)
    const forged = await browser.submit(PASSKEY_DOOR, { response, _csrf: 'x' })

    assert.equal(nobody.location, '/login')
    assert.equal(forged.status, 403)
    assert.equal(await browser.isSignedIn(), false)
  })

  it('a clock that is set back lets no challenge be answered again [RA-2708]', async (test) => {
    const world = await World.create(test)
    world.clock.advance(48 * 60 * 60)
    const spend = (): Promise<boolean> => spendChallenge(world.database, 'challenge', world.clock.timestamp())
    assert.equal(await spend(), true)

    world.clock.advance(-24 * 60 * 60)

    assert.equal(await spend(), false)
  })
})
