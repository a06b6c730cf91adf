import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { SoftwareAuthenticator } from '../software-authenticator.ts'
import { type Browser, type Person, World } from '../support.ts'
import { enroll } from './newcomer.ts'
import { addPasskey, PASSKEY_DOOR } from './passkey-steps.ts'

const DELAYS = [0, 0, 1, 2, 4, 8, 16, 32]
const DOOR = '/login/2fa'
const UNTRUE = /expired|cancelled|code is wrong|too many/i
const UNTRUE_EVENTS = [
  'challenge-expired',
  'challenge-spent',
  'challenge-cancelled',
  'code-refused',
  'passkey-refused',
]

/** Somebody whose password was accepted. */
interface Scene {
  readonly world: World
  readonly ada: Person
  readonly browser: Browser
  readonly codes: readonly string[]
  readonly key: SoftwareAuthenticator
}

/** The page of a form, where it goes, and what it says; read once, as a double click sends it. */
interface Form {
  readonly page: string
  readonly path?: string
  readonly fields: (
    html: string,
  ) => Promise<Readonly<Record<string, string>>> | Readonly<Record<string, string>>
}

async function pending(test: TestContext): Promise<Scene> {
  const world = await World.create(test, { mailCodes: true })
  const first = world.browser()
  const { person: ada, codes } = await enroll(world, first, 'ada')
  world.clock.advance(30)
  const signed = world.browser()
  await signed.signIn(ada)
  const key = await addPasskey(signed, 'Blue key', new SoftwareAuthenticator())
  world.clock.advance(30)
  const browser = world.browser()
  assert.equal((await browser.password(ada)).location, DOOR)
  return { world, ada, browser, codes, key }
}

const FORMS: Readonly<Record<string, (scene: Scene) => Promise<Form> | Form>> = {
  'a code': ({ world, ada }) => ({ page: DOOR, fields: async () => ({ code: await world.code(ada) }) }),
  'a recovery code': ({ codes: [code = ''] }) => ({ page: `${DOOR}/recovery`, fields: () => ({ code }) }),
  'a passkey': ({ key }) => ({
    page: PASSKEY_DOOR,
    fields: (html) => ({ response: key.respond(html) }),
  }),
  'a code by mail': async ({ world, browser }) => {
    await browser.open('/mail-code')
    await browser.submit('/mail-code/send')
    const mail = world.mailbox.list().find(({ subject }) => subject === 'Your code for signing in')
    const code = /\n(\d{4} \d{4})\n/.exec(mail?.text ?? '')?.[1] ?? ''
    return { page: '/mail-code', fields: () => ({ code }) }
  },
}

async function postTwice(browser: Browser, form: Form, delay: number) {
  const { html } = await browser.open(form.page)
  const token = /name="_csrf" value="([^"]+)"/.exec(html)?.[1] ?? ''
  const fields = { ...(await form.fields(html)), _csrf: token }
  const path = form.path ?? form.page
  const first = browser.submit(path, fields)
  await pause(delay)
  return Promise.all([first, browser.submit(path, fields)])
}

function hidden(html: string, name: string): string {
  return new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1] ?? ''
}

async function eventsOf({ world, ada }: Scene): Promise<readonly string[]> {
  const rows = await world.database
    .selectFrom('event')
    .select('kind')
    .where('account_id', '=', ada.id)
    .orderBy('id')
    .execute()
  return rows.map(({ kind }) => kind)
}

describe('the right proof at the second door, sent twice at once', () => {
  for (const [name, fill] of Object.entries(FORMS))
    for (const delay of DELAYS)
      it(`RA-0008: ${name}, ${delay} ms apart, signs in once, and nothing untrue is said or recorded`, async (test) => {
        const scene = await pending(test)
        const { browser, world } = scene
        const form = await fill(scene)
        const before = (await eventsOf(scene)).length

        const pages = await postTwice(browser, form, delay)

        assert.ok(
          pages.some(({ location }) => location === '/account'),
          String(pages.map((page) => page.status)),
        )
        for (const page of pages) if (page.status !== 403) assert.doesNotMatch(page.html, UNTRUE)
        assert.equal(await browser.isSignedIn(), true)
        assert.doesNotMatch((await browser.open('/account')).html.replace(/<section[^]*/, ''), UNTRUE)
        const kinds = (await eventsOf(scene)).slice(before)
        assert.equal(kinds.filter((kind) => kind === 'logged-in').length, 1)
        assert.deepEqual(
          kinds.filter((kind) => UNTRUE_EVENTS.includes(kind)),
          [],
        )
        assert.deepEqual(world.faults, [])
      })

  it('RA-0007: is told to a program by a code of its own', async (test) => {
    const { browser, world, ada } = await pending(test)
    await browser.open(DOOR)
    const code = await world.code(ada)
    const program = { headers: { accept: 'application/json' } }
    const twins = Array.from({ length: 6 }, () => browser.twin())

    const pages = await Promise.all(twins.map((twin) => twin.submit(DOOR, { code }, program)))

    const lost = pages.filter(({ status }) => status === 422)
    assert.ok(lost.length > 0)
    for (const { html } of lost) {
      const { violations } = JSON.parse(html) as { violations: readonly { code: string }[] }
      assert.deepEqual(
        violations.map(({ code }) => code),
        ['challenge_completed'],
      )
    }
  })
})

describe('a form whose twin has completed the sign-in', () => {
  for (const delay of DELAYS)
    it(`RA-2801: is told so, ${delay} ms after it, in a browser that missed the response, and leads on in any other`, async (test) => {
      const { browser, world, ada } = await pending(test)
      const { html: door } = await browser.open(DOOR)
      const fields = { code: await world.code(ada), sign_in: hidden(door, 'sign_in') }
      const [missed, stale] = [browser.twin(), browser.sessionId]
      const first = browser.submit(DOOR, fields)
      await pause(delay)

      const [entered, lost] = await Promise.all([first, missed.submit(DOOR, fields)])

      assert.deepEqual([entered.location, lost.status, lost.location], ['/account', 303, '/login'])
      assert.equal(missed.sessionId, stale)
      const { html } = await missed.open('/login')
      assert.match(html, /Another request has already completed this sign-in/)
      assert.doesNotMatch(html, /is over|No sign-in is under way/)
      assert.equal((await browser.open('/login')).location, '/account')
    })

  it('RA-2801: is told so on the login page itself when its session is long forgotten', async (test) => {
    const { browser, world, ada } = await pending(test)
    const { html } = await browser.open(DOOR)
    const missed = browser.twin()
    const fields = { code: await world.code(ada), sign_in: hidden(html, 'sign_in') }
    assert.equal((await browser.submit(DOOR, fields)).location, '/account')
    world.clock.advance(60)

    const page = await missed.submit(DOOR, fields)

    assert.equal(page.status, 403)
    assert.match(page.html, /Another request has already completed this sign-in/)
  })

  it('RA-2801: is told no such thing when its twin has cancelled it', async (test) => {
    const { browser, world, ada } = await pending(test)
    const { html } = await browser.open(DOOR)
    const late = browser.twin()
    await browser.submit(`${DOOR}/cancel`)

    const fields = { code: await world.code(ada), sign_in: hidden(html, 'sign_in') }
    const page = await late.submit(DOOR, fields)

    assert.equal(page.status, 403)
    assert.match(page.html, /This sign-in is over/)
    assert.doesNotMatch((await late.open('/login')).html, /completed/)
  })
})

describe('the second door without a sign-in', () => {
  for (const path of [DOOR, `${DOOR}/recovery`, PASSKEY_DOOR])
    it(`RA-2801: ${path} says nothing of an end to who has begun nothing`, async (test) => {
      const browser = (await World.create(test)).browser()

      const { location } = await browser.open(path)

      assert.equal(location, '/login')
      assert.doesNotMatch((await browser.open(location)).html, /has expired|under way|is over/)
    })

  it('RA-2801: tells the same to a browser whose first response got lost', async (test) => {
    const { browser, world, ada } = await pending(test)
    const lost = browser.twin()
    await lost.open(DOOR)
    assert.equal((await lost.submit(DOOR, { code: await world.code(ada) })).location, '/account')

    const { location } = await browser.open(DOOR)

    assert.equal(location, '/login')
    assert.match((await browser.open(location)).html, /No sign-in is under way in this browser/)
  })

  it('RA-2801: cancelling it twice is no expiry', async (test) => {
    const { browser } = await pending(test)
    await browser.open(DOOR)
    await browser.submit(`${DOOR}/cancel`)
    assert.match((await browser.open('/login')).html, /Sign-in cancelled/)

    const { location } = await browser.submit(`${DOOR}/cancel`)

    assert.match((await browser.open(location ?? '')).html, /No sign-in is under way in this browser/)
  })

  it('RA-3002: says what has changed when the credentials have', async (test) => {
    const { browser, world, ada } = await pending(test)
    await browser.open(DOOR)
    await world.identity.users.endSessions(ada.id)

    const { location } = await browser.submit(DOOR, { code: await world.code(ada) })

    assert.equal(location, '/login')
    assert.match((await browser.open('/login')).html, /sign-in data of this account has changed meanwhile/)
    const kinds = await world.events(ada)
    assert.deepEqual(kinds.slice(-1), ['challenge-outdated'])
    assert.equal(kinds.includes('challenge-expired'), false)
    await browser.password(ada)
    await browser.code(await world.code(ada))
    const { html } = await browser.open('/account/activity')
    assert.match(html, /Sign-in ended, because the sign-in data had changed/)
  })
})
