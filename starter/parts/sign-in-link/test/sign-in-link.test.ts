import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { HELD_BY_PARTS, missing, ofParts } from '../../../test/facts-of-parts.ts'
import { duringRequest } from '../../../test/held-read.ts'
import { demanding } from '../../../test/demanding.ts'
import { formAt, testNewIdentifiers } from '../../../test/flow/new-identifiers.ts'
import { DOOR, leave, newestLink } from '../../../test/flow/steps.ts'
import {
  type Browser,
  type Page,
  PASSWORD,
  type Person,
  World,
  type WorldOptions,
} from '../../../test/support.ts'
import { SIGN_IN_LINK_CLIENT_LIMIT, SIGN_IN_LINK_LIMIT } from '../sign-in-links.ts'

const START = '/sign-in-link'

const NO_APPS = HELD_BY_PARTS.filter((kind) => kind !== 'totp')
// What is offered at the second door to somebody who proved the password.
const NEEDS_PASSWORD = Object.keys(ofParts('beside')).filter((route) => / \/(lost|mail-code)\b/.test(route))

/** What a session has of a sign-in that has begun. */
type Begun = Partial<Readonly<Record<'identifier' | 'by_password', unknown>>>

interface Scene {
  readonly world: World
  readonly ada: Person
  readonly browser: Browser
}

async function scene(
  test: TestContext,
  { factor = 'none', ...options }: WorldOptions & { readonly factor?: 'none' | 'enabled' } = {},
): Promise<Scene> {
  const world = await World.create(test, { signInLink: true, ...options })
  return { world, ada: await world.person('ada', { factor }), browser: world.browser() }
}

async function ask(browser: Browser, email: string, path = START): Promise<Page> {
  const { html } = await browser.open(path)
  const [, return_url = ''] = /name="return_url" value="([^"]*)"/.exec(html) ?? []
  return browser.submit(START, { email, ...(return_url !== '' && { return_url }) })
}

/** Asks for a link. Gives its path. */
async function linkFor({ world, ada, browser }: Scene, path?: string): Promise<string> {
  assert.equal((await ask(browser, ada.email, path)).location, `${START}/sent`)
  const link = newestLink(world)
  assert.match(link, /^\/sign-in-link\/[\w-]{43}$/)
  return link
}

/** The link was no password: a protected action asks for one. */
async function assertPasswordIsAsked(browser: Browser): Promise<void> {
  const { html } = await browser.open('/account/password', { follow: true })
  assert.match(html, /autocomplete="current-password"/)
}

/** Somebody at the second door, by a link. */
async function atSecondDoor(test: TestContext, options: WorldOptions = {}): Promise<Scene> {
  const found = await scene(test, { factor: 'enabled', ...options })
  assert.equal((await found.browser.send(await linkFor(found))).location, DOOR)
  return found
}

describe('a sign-in by an emailed link', () => {
  it('is off by default: no page, nothing on the sign-in page [RA-0206]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()

    assert.doesNotMatch((await browser.open('/login')).html, /sign-in-link/)
    assert.equal((await browser.open(START)).status, 404)
  })

  it('signs in where the account has no second factor, and returns to the page that was asked for [RA-0206 RA-1401]', async (test) => {
    const found = await scene(test)
    const { world, ada, browser } = found
    const { html } = await browser.open('/login?return_url=%2Faccount%2Fsecurity')
    assert.match(html, /href="\/sign-in-link\?return_url=%2Faccount%2Fsecurity"/)

    const link = await linkFor(found, `${START}?return_url=%2Faccount%2Fsecurity`)
    const [asked, before] = [await browser.open(link), browser.sessionId]
    const page = await browser.submit(link)

    assert.match(asked.html, /signing in as <strong>ada@example\.test/)
    assert.equal(page.location, '/account/security')
    assert.notEqual(browser.sessionId, before)
    await assertPasswordIsAsked(browser)
    assert.deepEqual(await world.events(ada), ['sign-in-link-requested', 'sign-in-link-used', 'logged-in'])
  })

  it('leaves the second factor pending, and records no password [RA-0206 RA-1401 FACTOR-32]', async (test) => {
    const { world, ada, browser } = await atSecondDoor(test)
    assert.equal(await browser.isSignedIn(), false)
    const pending = Object((await browser.session())['_2fa']) as Record<string, unknown>
    assert.deepEqual(Object.keys(pending).toSorted(), ['expires_at', 'identifier'])

    const page = await browser.code(await world.code(ada))

    assert.equal(page.location, '/account')
    assert.equal((await world.events(ada)).includes('password-accepted'), false)
    await assertPasswordIsAsked(browser)
  })

  it('a password typed afterwards is one again, in the same session [RA-0206]', async (test) => {
    const { world, ada, browser } = await atSecondDoor(test)

    await browser.password(ada)
    await browser.code(await world.code(ada))

    assert.equal((await browser.open('/account/password')).status, 200)
  })

  for (const [what, options] of Object.entries({
    'no first factor': demanding(),
    'no factor beside another one': { factor: 'enabled', ...demanding({ kinds: NO_APPS }) } as const,
  }))
    it(`sets up ${what} that a rule asks for: the password comes first [RA-0206 RA-0901 RA-0201 RA-2203]`, async (test) => {
      const found = await scene(test, options)
      const { browser, ada, world } = found

      const sent = await browser.send(await linkFor(found))
      const page = sent.location === DOOR ? await browser.code(await world.code(ada)) : sent

      assert.deepEqual([page.status, page.location], [303, '/login'])
      assert.equal((await browser.open('/enroll')).location, '/login')
      assert.equal(await browser.isSignedIn(), false)
    })

  it('is followed by nothing else that the password or the mailbox opens: one mailbox would open both doors [RA-0206]', async (test) => {
    const { world, browser } = await atSecondDoor(test, ofParts('settings'))
    const mails = world.mailbox.list().length

    assert.doesNotMatch((await browser.open(DOOR)).html, /mail-code/)
    for (const route of NEEDS_PASSWORD) {
      const [method = '', path = ''] = route.split(' ')
      await browser.open(DOOR)
      const { location } = method === 'GET' ? await browser.open(path) : await browser.submit(path)
      assert.ok(location === '/login' || location === DOOR, `${route}: ${location}`)
    }
    assert.equal(world.mailbox.list().length, mails)
  })

  it('is stood by no trusted browser', { skip: missing('trusted-browsers') }, async (test) => {
    const found = await scene(test, { factor: 'enabled', ...ofParts('settings') })
    const { world, ada, browser } = found
    await browser.password(ada)
    await browser.send(DOOR, { code: await world.code(ada), trust: '1' })
    await leave(browser)
    const twin = browser.twin()

    const byLink = await browser.send(await linkFor(found))

    assert.equal(byLink.location, DOOR)
    assert.equal((await twin.password(ada)).location, '/account')
  })

  it('tells the owner of wrong codes that somebody may read the mails [RA-2401]', async (test) => {
    const { world, ada, browser } = await atSecondDoor(test)
    const wrong = await world.wrongCode(ada)

    for (let times = 0; times < 5; times += 1) await browser.code(wrong)

    const [mail] = world.mailbox.list()
    assert.equal(mail?.subject, 'Your sign-in link was used, the second step was wrong')
  })
})

describe('an emailed link that is attacked', () => {
  it('ends with the next link of the browser, and a second click leaves the sign-in alone that it began [RA-0206]', async (test) => {
    const found = await scene(test, { factor: 'enabled' })
    const { world, ada, browser } = found
    const first = await linkFor(found)
    const link = await linkFor(found)
    assert.equal((await browser.send(first)).status, 410)
    await browser.send(link)

    await browser.open(DOOR)
    assert.equal((await browser.submit(link)).status, 410)

    assert.equal((await browser.code(await world.code(ada))).location, '/account')
  })

  it('tells nobody whether an address has an account [RA-0206 RA-0006]', async (test) => {
    const { world, ada } = await scene(test)
    const disabled = await world.person('disabled')
    await world.disable(disabled)
    const added = 'added@example.test'
    await world.identity.users.add({ email: added, name: 'Added', passwordHash: null }, world.clock)

    const seen = new Set<string>()
    const mails: string[] = []
    for (const email of [ada.email, 'nobody@example.test', disabled.email, added]) {
      const browser = world.browser()
      const before = world.mailbox.list().length
      const page = await ask(browser, email)
      const { _csrf: _, sign_in_link: digest, ...session } = await browser.session()
      assert.match(String(digest), /^[\w-]{43}$/)
      seen.add(JSON.stringify([page.status, page.location, page.html, session]))
      const { length } = world.mailbox.list()
      mails.push(length === before ? '' : (world.mailbox.list()[0]?.subject ?? ''))
    }

    assert.equal(seen.size, 1)
    assert.deepEqual(mails, ['Your link to sign in', 'There is no account with this address', '', ''])
    const rows = await world.database.selectFrom('sign_in_link').select('account_id').execute()
    assert.deepEqual(rows.map((row) => row.account_id).toSorted(), [ada.id, null, null, null])
  })

  it('is asked for five times an hour for one address, known or not, and twenty times by one client [RA-0206 RA-0203]', async (test) => {
    const { world, ada } = await scene(test)
    const statusOf = async (email: string, clientAddress: string): Promise<number> =>
      (await ask(world.browser({ clientAddress }), email)).status

    for (const email of [ada.email, 'nobody@example.test']) {
      const statuses: number[] = []
      for (let times = 0; times <= SIGN_IN_LINK_LIMIT.failures; times += 1)
        statuses.push(await statusOf(email, `198.51.100.${times}`))
      assert.deepEqual(statuses, [303, 303, 303, 303, 303, 429])
    }
    const statuses: number[] = []
    for (let times = 0; times <= SIGN_IN_LINK_CLIENT_LIMIT.failures; times += 1)
      statuses.push(await statusOf(`other-${times}@example.test`, '203.0.113.5'))
    assert.deepEqual([statuses.indexOf(429), statuses.at(-1)], [SIGN_IN_LINK_CLIENT_LIMIT.failures, 429])
    const still = await world.browser({ clientAddress: '203.0.113.5' }).password(ada)
    assert.equal(still.location, '/account')
  })

  it('does nothing in a browser that is signed in [RA-0201]', async (test) => {
    const found = await scene(test)
    const link = await linkFor(found)
    await found.browser.signIn(found.ada)

    assert.equal((await found.browser.open(link)).location, '/account')
    await found.browser.open('/account')
    assert.equal((await found.browser.submit(link)).location, '/account')
    assert.equal((await found.world.events(found.ada)).includes('sign-in-link-used'), false)
  })

  for (const isLinkFirst of [true, false])
    it(`never counts as the password of another sign-in, ${isLinkFirst ? 'during' : 'after'} which it is used in the same session [RA-0201 FLOW-42]`, async (test) => {
      const found = await scene(test, { factor: 'enabled' })
      const { world, ada, browser } = found
      const bob = await world.person('bob', { factor: 'enabled' })
      const link = await linkFor(found)
      await browser.open(link)
      const [byLink, byPassword] = [browser.twin(), browser.twin()]
      const sent = [
        () => byLink.submit(link),
        () => byPassword.submit('/login', { email: bob.email, password: PASSWORD }),
      ] as const
      const [slow, meanwhile] = isLinkFirst ? sent : [sent[1], sent[0]]

      await duringRequest({ world, test }, slow, meanwhile)

      for (const tab of [byLink, byPassword]) {
        const { _2fa: pending, challenge } = (await tab.session()) as Readonly<Record<string, Begun>>
        assert.ok(pending?.identifier !== ada.id || challenge?.by_password === false)
      }
    })
})

testNewIdentifiers({
  'the form that asks for a link that signs in': {
    gains: ['uses a link of a mail'],
    before: async (test) => {
      const { ada, browser } = await scene(test)
      return formAt(browser, START, { email: ada.email })
    },
  },
})
