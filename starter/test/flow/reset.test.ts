import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { TestClient } from 'sallyport/testing'
import { createApplication } from '../../application.ts'
import { RESET_ADDRESS_LIMIT, RESET_CLIENT_LIMIT } from '../../core/limits/limits.ts'
import { RESET_SECONDS } from '../../core/reset/password-reset.ts'
import { type Browser, KEY, type Page, PASSWORD, type Person, World } from '../support.ts'
import { newestLink, signUp } from './newcomer.ts'

const NEW = 'a quiet orchard in the rain'

async function ask(browser: Browser, email: string): Promise<Page> {
  await browser.open('/forgot')
  return browser.submit('/forgot', { email })
}

/** Asks for a link to set a new password. */
async function linkFor(world: World, person: Person): Promise<string> {
  assert.equal((await ask(world.browser(), person.email)).status, 303)
  const link = newestLink(world)
  assert.match(link, /^\/forgot\/[\w-]{43}$/)
  return link
}

async function choose(browser: Browser, link: string, password: string = NEW): Promise<Page> {
  await browser.open(link)
  return browser.submit(link, { password })
}

describe('a forgotten password', () => {
  it('is replaced behind a link, signs nobody in, and the next login still asks for the second factor [RA-1601 RA-2706]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const before = await world.database.selectFrom('factor').selectAll().execute()
    const link = await linkFor(world, ada)
    const browser = world.browser()

    const page = await browser.open(link)
    const done = await browser.submit(link, { password: NEW })

    assert.match(page.html, /ada@example\.test[^]*autocomplete="new-password"/)
    assert.deepEqual([done.status, done.location], [303, '/login'])
    assert.match((await browser.open('/login')).html, /Your password has been changed/)
    assert.equal(await browser.isSignedIn(), false)
    assert.equal('_auth' in (await browser.session()), false)
    assert.deepEqual(await world.database.selectFrom('factor').selectAll().execute(), before)
    assert.equal((await browser.password(ada)).status, 422)
    assert.equal((await browser.password(ada, NEW)).location, '/login/2fa')
    assert.equal(await browser.isSignedIn(), false)
    assert.equal((await browser.code(await world.code(ada))).location, '/account')
  })

  it('ends every session, every pending login and every enrollment of the account [RA-1602]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const signedIn = world.browser()
    await signedIn.signIn(ada)
    const pending = world.browser()
    await pending.password(ada)
    await pending.open('/login/2fa')
    world.clock.advance(30)
    const enrolling = world.browser()
    await signUp(world, enrolling, 'eve')

    await choose(world.browser(), await linkFor(world, ada))
    await choose(world.browser(), await linkFor(world, { ...ada, email: 'eve@example.test' }))

    assert.equal(await signedIn.isSignedIn(), false)
    assert.equal((await enrolling.open('/enroll')).location, '/login')
    const late = await pending.submit('/login/2fa', { code: await world.code(ada) })
    assert.deepEqual([late.status, late.location, await pending.isSignedIn()], [303, '/login', false])
    // The code was not used up by it.
    const browser = world.browser()
    await browser.password(ada, NEW)
    assert.equal((await browser.code(await world.code(ada))).location, '/account')
  })

  it('a link works once and for 30 minutes, and is stored as a digest [RA-1602]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada')
    const used = await linkFor(world, ada)
    const stored = JSON.stringify(await world.database.selectFrom('password_reset').selectAll().execute())
    assert.equal((await choose(world.browser(), used)).status, 303)
    const expired = await linkFor(world, ada)
    world.clock.advance(RESET_SECONDS - 1)
    assert.equal((await world.browser().open(expired)).status, 200)
    world.clock.advance(1)

    assert.equal(stored.includes(used.split('/').at(-1) ?? 'none'), false)
    assert.equal(RESET_SECONDS, 30 * 60)
    for (const link of [used, expired, '/forgot/x', `/forgot/${'a'.repeat(43)}`]) {
      const opened = await world.browser().open(link)
      assert.deepEqual([opened.status, /This link is out of date/.test(opened.html)], [410, true])
      const late = world.browser()
      await late.open('/forgot')
      assert.equal((await late.submit(link, { password: PASSWORD })).status, 410)
    }
    assert.equal((await world.browser().password(ada, NEW)).location, '/account')
  })

  it('of 50 parallel posts of one link, and of another link of the account, one counts [RA-1602 RA-2502]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada')
    const links = [await linkFor(world, ada), await linkFor(world, ada)]
    const browsers = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const [browser, link] = [world.browser(), links[index % 10 === 0 ? 1 : 0] ?? '']
        await browser.open(link)
        return { browser, link, password: `${NEW} ${index}` }
      }),
    )

    const pages = await Promise.all(
      browsers.map(({ browser, link, password }) => browser.submit(link, { password })),
    )

    const winners = pages.flatMap(({ status }, index) => (status === 303 ? [index] : []))
    assert.equal(winners.length, 1)
    assert.ok(pages.every(({ status }) => [303, 410, 429].includes(status)))
    assert.equal((await world.browser().password(ada, `${NEW} ${winners[0]}`)).location, '/account')
    assert.deepEqual(
      (await world.events(ada)).filter((kind) => kind === 'password-reset'),
      ['password-reset'],
    )
    assert.deepEqual(world.faults, [])
  })

  it('a program that opens the links of mails, by GET or HEAD, changes nothing [RA-1602]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const signedIn = world.browser()
    await signedIn.signIn(ada)
    const link = await linkFor(world, ada)

    for (let times = 0; times < 3; times += 1) {
      assert.equal((await world.browser().open(link)).status, 200)
      assert.equal((await world.browser().client.request('HEAD', link)).status, 200)
      assert.equal((await world.browser().open(`${link}?password=${encodeURIComponent(NEW)}`)).status, 200)
    }
    assert.equal(await signedIn.isSignedIn(), true)
    assert.equal((await choose(world.browser(), link)).status, 303)
  })

  it('answers alike for a known, a disabled and an unknown address; only the mailbox is told [RA-1602 RA-0006]', async (test) => {
    const world = await World.create(test)
    const [ada, dan] = [await world.person('ada'), await world.person('dan')]
    await world.disable(dan)
    const seen: unknown[] = []
    for (const email of [ada.email, dan.email, 'eve@example.test']) {
      const browser = world.browser()
      const asked = await ask(browser, email)
      const sent = await browser.open(asked.location ?? '')
      seen.push([asked.status, asked.location, [...asked.headers.keys()].toSorted(), sent.status, sent.html])
    }

    assert.deepEqual(seen[0], seen[2])
    assert.deepEqual(seen[1], seen[2])
    const [toEve, toDan, toAda] = world.mailbox.list()
    assert.deepEqual([toEve?.to, toDan?.to, toAda?.to], ['eve@example.test', dan.email, ada.email])
    assert.match(toAda?.text ?? '', /\/forgot\/[\w-]{43}\n/)
    assert.match(toEve?.subject ?? '', /There is no account/)
    assert.match(toDan?.subject ?? '', /Your account is disabled/)
    for (const mail of [toEve, toDan]) assert.doesNotMatch(mail?.text ?? '', /forgot\/[\w-]/)
  })

  it('a change of credentials, a disabled account and a second link end the links asked for before [RA-1602]', async (test) => {
    const world = await World.create(test)
    const [ada, dan] = [await world.person('ada'), await world.person('dan')]
    const links = [await linkFor(world, ada), await linkFor(world, dan)]
    await world.identity.users.endSessions(ada.id)
    await world.disable(dan)
    await world.identity.users.enable(dan.id)

    for (const link of links) {
      assert.equal((await world.browser().open(link)).status, 410)
      const browser = world.browser()
      await browser.open('/forgot')
      assert.equal((await browser.submit(link, { password: NEW })).status, 410)
    }
    const [first, second] = [await linkFor(world, ada), await linkFor(world, ada)]
    assert.equal((await choose(world.browser(), second)).status, 303)
    assert.equal((await world.browser().open(first)).status, 410)
  })

  it('refuses a password that the rules refuse, tells why, and leaves the link as it is [RA-1602]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada')
    const link = await linkFor(world, ada)
    const refused: readonly (readonly [password: string, text: RegExp])[] = [
      ['seven77', /Use at least 8 characters/],
      ['password123', /easy to guess/],
      ['ada@example.test', /easy to guess/],
      ['', /Fill in this field/],
    ]

    for (const [password, text] of refused) {
      const page = await choose(world.browser(), link, password)
      assert.deepEqual([page.status, text.test(page.html)], [422, true], password)
      assert.equal(page.html.includes('value="password123"'), false)
    }
    assert.equal((await world.browser().password(ada)).location, '/account')
    assert.equal((await choose(world.browser(), link)).status, 303)
  })

  it('keeps an address that is no address, and says what is wrong with it [RA-1602]', async (test) => {
    const world = await World.create(test)

    const page = await ask(world.browser(), 'ada at example')

    assert.equal(page.status, 422)
    assert.match(page.html, /value="ada at example"[^]*Enter an email address/)
    assert.equal(world.mailbox.list().length, 0)
  })

  it('limits the mails to one address, known or not, and of one client [RA-1602 RA-0006]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada')
    for (const email of [ada.email, 'eve@example.test']) {
      for (let times = 0; times < RESET_ADDRESS_LIMIT.failures; times += 1)
        assert.equal((await ask(world.browser(), times % 2 === 0 ? email : email.toUpperCase())).status, 303)
      const page = await ask(world.browser(), email)
      assert.deepEqual([page.status, page.headers.get('retry-after')], [429, '3600'])
      assert.match(page.html, /Too many links were asked for\. Wait an hour[^]*value="\w+@example\.test"/)
    }
    assert.equal(world.mailbox.list().length, 2 * RESET_ADDRESS_LIMIT.failures)

    const client = { clientAddress: '192.0.2.7' }
    const statuses: number[] = []
    for (let index = 0; index <= RESET_CLIENT_LIMIT.failures; index += 1) {
      const browser = new TestClient(world.app, { origin: 'https://app.test', ...client })
      const html = await (await browser.get('/forgot')).text()
      const token = /name="_csrf" value="([^"]+)"/.exec(html)?.[1] ?? ''
      const form = { _csrf: token, email: `person-${index}@example.test` }
      statuses.push((await browser.post('/forgot', { form })).status)
    }
    assert.deepEqual([statuses.slice(0, -1).every((status) => status === 303), statuses.at(-1)], [true, 429])
    world.clock.advance(RESET_ADDRESS_LIMIT.windowSeconds)
    assert.equal((await ask(world.browser(), ada.email)).status, 303)
  })

  it('forgets the guesses at the old password, and none at the codes [RA-2705 FACTOR-20]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const guess = world.browser()
    for (let times = 0; times < 10; times += 1) {
      if (times % 5 === 0) await guess.password(ada)
      await guess.code(await world.wrongCode(ada))
    }
    for (let times = 0; times < 10; times += 1) await world.browser().password(ada, 'wrong')
    assert.equal((await world.browser().password(ada)).status, 429)

    await choose(world.browser(), await linkFor(world, ada))

    const browser = world.browser()
    assert.equal((await browser.password(ada, NEW)).location, '/login/2fa')
    assert.equal((await browser.code(await world.code(ada))).status, 429)
  })

  it('is recorded and told by mail, without a token or a password [RA-0008 RA-2401]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada')
    const link = await linkFor(world, ada)
    await choose(world.browser(), link)

    assert.deepEqual(await world.events(ada), ['reset-requested', 'password-reset'])
    const [mail] = world.mailbox.list()
    assert.deepEqual([mail?.to, mail?.subject], [ada.email, 'Your password was reset'])
    for (const secret of [NEW, link.split('/').at(-1) ?? '']) assert.equal(mail?.text.includes(secret), false)
    const trail = JSON.stringify(await world.database.selectFrom('event').selectAll().execute())
    assert.equal(trail.includes(link.split('/').at(-1) ?? 'none'), false)
  })

  it('is stored by no cache, tells no other site its link, and needs the token of the form [RA-0003 RA-0004]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada')
    const link = await linkFor(world, ada)
    const browser = world.browser()
    assert.equal((await ask(browser, 'nobody@example.test')).location, '/forgot/sent')

    for (const path of ['/forgot', '/forgot/sent', link]) {
      const page = await browser.open(path)
      assert.equal(page.headers.get('cache-control'), 'no-store')
      assert.match(page.headers.get('referrer-policy') ?? '', /^(no-referrer|same-origin)$/)
      assert.doesNotMatch(page.html, /(?:href|src|action)="(?:https?:)?\/\//)
    }
    for (const path of ['/forgot', link])
      assert.equal((await browser.submit(path, { _csrf: 'x', email: ada.email, password: NEW })).status, 403)
    assert.equal((await world.browser().password(ada)).location, '/account')
  })

  it('shows a signed-in user the page with their address, and signs them out with everybody else', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada')
    const browser = world.browser()
    await browser.signIn(ada)

    const page = await browser.open('/forgot')
    await browser.submit('/forgot', { email: ada.email })
    const done = await choose(browser, newestLink(world))

    assert.match(page.html, /A new password signs you out everywhere[^]*value="ada@example\.test"/)
    assert.deepEqual([done.location, await browser.isSignedIn()], ['/login', false])
    assert.match((await browser.open('/login')).html, /Your password has been changed/)
  })

  it('leaves a session of another account, and a pending login of another one, as they are', async (test) => {
    const world = await World.create(test)
    const [ada, dan] = [await world.person('ada'), await world.person('dan', { factor: 'enabled' })]
    const signedIn = world.browser()
    await signedIn.signIn(dan)

    assert.equal((await choose(signedIn, await linkFor(world, ada))).location, '/login')

    assert.equal(await signedIn.isSignedIn(), true)
  })

  it('a person with a pending login can ask for a link, and goes on until it is used [RA-0405]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const browser = world.browser()
    await browser.password(ada)

    assert.equal((await browser.open('/forgot')).status, 200)
    await browser.submit('/forgot', { email: ada.email })
    assert.equal((await browser.open('/login/2fa')).status, 200)
    await choose(browser, newestLink(world))

    assert.equal('_2fa' in (await browser.session()), false)
    assert.equal((await browser.open('/login/2fa')).location, '/login')
  })

  it('does not exist where no mail can be sent', async (test) => {
    const { database, store, clock } = await World.create(test)
    const app = createApplication({ database, store, clock, keys: [KEY] })
    const client = new TestClient(app, { origin: 'https://app.test' })

    for (const path of ['/forgot', '/forgot/sent', '/forgot/x'])
      assert.equal((await client.get(path)).status, 404)
    assert.equal((await (await client.get('/login')).text()).includes('forgot'), false)
  })
})
