import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CONFIRMATION_SECONDS } from '../../core/sign-up/sign-up.ts'
import { SIGN_UP_ADDRESS_LIMIT } from '../../core/limits/limits.ts'
import { createApplication } from '../../application.ts'
import { TestClient } from 'sallyport/testing'
import { Browser, KEY, type Page, PASSWORD, World } from '../support.ts'

const EVE = 'eve@example.test'
const PROFILE = { name: 'Eve Adams', password: PASSWORD }

async function ask(browser: Browser, email: string): Promise<Page> {
  await browser.open('/sign-up')
  return browser.submit('/sign-up', { email })
}

/** Path of the link in the newest mail. */
function newestLink(world: World): string {
  const [mail] = world.mailbox.list()
  return /https:\/\/app\.test(\/\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
}

async function confirm(
  browser: Browser,
  path: string,
  profile: Readonly<Record<string, string>> = PROFILE,
): Promise<Page> {
  await browser.open(path)
  return browser.submit(path, profile)
}

describe('signing up', () => {
  it('sends a link, behind which the owner of the address chooses name and password [RA-0103]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()

    const asked = await ask(browser, ` ${EVE} `)
    const [mail] = world.mailbox.list()
    const page = await browser.open(newestLink(world))
    const created = await browser.submit(newestLink(world), PROFILE)

    assert.deepEqual([asked.status, asked.location], [303, '/sign-up/sent'])
    assert.equal(mail?.to, EVE)
    assert.match(page.html, /eve@example\.test[^]*autocomplete="new-password"/)
    assert.equal(created.status, 303)
    assert.equal((await world.browser().password({ email: EVE })).location, '/account')
  })

  it('a link works once, and for one hour [RA-0103]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()
    await ask(browser, EVE)
    const used = newestLink(world)
    await confirm(browser, used)
    await ask(browser, 'ann@example.test')
    const expired = newestLink(world)
    world.clock.advance(CONFIRMATION_SECONDS)

    for (const path of [used, expired, '/sign-up/confirm/x']) {
      const opened = await world.browser().open(path)
      assert.deepEqual([opened.status, /This link is out of date/.test(opened.html)], [410, true])
      const late = world.browser()
      await late.open('/sign-up')
      assert.equal((await late.submit(path, PROFILE)).status, 410)
    }
    const accounts = await world.database.selectFrom('account').select('email').execute()
    assert.deepEqual(
      accounts.map(({ email }) => email),
      [EVE],
    )
  })

  it('of many requests with one link, one creates the account [RA-0103 RA-2502]', async (test) => {
    const world = await World.create(test)
    await ask(world.browser(), EVE)
    await ask(world.browser(), EVE.toUpperCase())
    const links = world.mailbox.list().map(({ text }) => /https:\/\/app\.test(\/\S+)/.exec(text)?.[1] ?? '')
    const browsers = await Promise.all(
      Array.from({ length: 10 }, async (_, index) => {
        const browser = world.browser()
        const path = links[index % 2] ?? ''
        await browser.open(path)
        return { browser, path }
      }),
    )

    const pages = await Promise.all(browsers.map(({ browser, path }) => browser.submit(path, PROFILE)))

    assert.deepEqual(pages.map(({ status }) => status).toSorted(), [303, ...Array<number>(9).fill(410)])
    assert.equal((await world.database.selectFrom('account').select('id').execute()).length, 1)
    assert.deepEqual(world.faults, [])
  })

  it('opening a link uses nothing up [RA-0103]', async (test) => {
    const world = await World.create(test)
    await ask(world.browser(), EVE)

    for (let times = 0; times < 3; times += 1)
      assert.equal((await world.browser().open(newestLink(world))).status, 200)
    assert.equal((await confirm(world.browser(), newestLink(world))).status, 303)
  })

  it('answers alike for a known, a disabled and a new address; only the mailbox is told [RA-0103 RA-0006]', async (test) => {
    const world = await World.create(test)
    const [ada, dan] = [await world.person('ada'), await world.person('dan')]
    await world.disable(dan)
    const seen: unknown[] = []
    for (const email of [ada.email, dan.email, EVE]) {
      const browser = world.browser()
      const asked = await ask(browser, email)
      const sent = await browser.open(asked.location ?? '')
      const headers = [...asked.headers.keys()].toSorted()
      seen.push([asked.status, asked.location, headers, sent.status, sent.html])
    }

    assert.deepEqual(seen[0], seen[2])
    assert.deepEqual(seen[1], seen[2])
    const [toEve, toDan, toAda] = world.mailbox.list()
    assert.deepEqual([toEve?.to, toDan?.to, toAda?.to], [EVE, dan.email, ada.email])
    assert.match(toEve?.text ?? '', /\/sign-up\/confirm\/[\w-]{43}/)
    assert.match(toAda?.text ?? '', /https:\/\/app\.test\/login/)
    assert.match(toDan?.subject ?? '', /Your account is disabled/)
    for (const mail of [toDan, toAda]) assert.doesNotMatch(mail?.text ?? '', /confirm/)
  })

  it('has no account before the address is confirmed, so nobody can prepare one for someone else [RA-0104]', async (test) => {
    const world = await World.create(test)
    await ask(world.browser(), EVE)

    assert.equal(await world.identity.users.findByEmail(EVE), null)
    assert.equal((await world.browser().password({ email: EVE })).status, 422)
    const tokens = await world.database.selectFrom('confirmation').selectAll().execute()
    assert.equal(tokens.length, 1)
    assert.equal(JSON.stringify(tokens).includes(newestLink(world).split('/').at(-1) ?? 'none'), false)
  })

  it('refuses a password that is short, common or made of the name and address [RA-0101 RA-0102]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()
    await ask(browser, EVE)
    const path = newestLink(world)
    const refused: readonly (readonly [password: string, text: RegExp])[] = [
      ['seven77', /Use at least 8 characters/],
      ['password123', /easy to guess/],
      ['EveAdams2026', /easy to guess/],
      ['', /Fill in this field/],
    ]

    for (const [password, text] of refused) {
      const page = await confirm(browser, path, { name: 'Eve Adams', password })
      assert.equal(page.status, 422)
      assert.match(page.html, text)
      assert.match(page.html, /value="Eve Adams"/)
      assert.equal(page.html.includes('value="password123"'), false)
    }
    const long = `${'correct horse '.repeat(5)}with every character that was typed`
    assert.equal((await confirm(browser, path, { name: 'Eve', password: long })).status, 303)
    assert.equal((await world.browser().password({ email: EVE }, long.slice(0, -1))).status, 422)
    assert.equal((await world.browser().password({ email: EVE }, long)).location, '/account')
  })

  it('limits the mails to one address, known or not, in the same words [RA-0006]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada')
    const last: Page[] = []
    for (const email of [ada.email, EVE]) {
      for (let times = 0; times < SIGN_UP_ADDRESS_LIMIT.failures; times += 1)
        assert.equal((await ask(world.browser(), email)).status, 303)
      last.push(await ask(world.browser(), email))
    }

    for (const page of last) {
      assert.equal(page.status, 429)
      assert.match(page.html, /Too many links were asked for\. Wait an hour/)
    }
    assert.equal(world.mailbox.list().length, 2 * SIGN_UP_ADDRESS_LIMIT.failures)
  })

  it('is never stored by caches and needs the token of the form [RA-0003 RA-0004 FLOW-48]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()
    await ask(browser, EVE)
    const path = newestLink(world)

    for (const page of [
      await browser.open('/sign-up'),
      await browser.open(path),
      await browser.open('/sign-up/sent'),
    ])
      assert.equal(page.headers.get('cache-control'), 'no-store')
    for (const form of ['/sign-up', path])
      assert.equal((await browser.submit(form, { _csrf: 'x', email: EVE, ...PROFILE })).status, 403)
    assert.match(
      (await browser.open(path)).headers.get('referrer-policy') ?? '',
      /no-referrer|same-origin|strict-origin/,
    )
  })

  it('records the new account, and no token or password [RA-0008]', async (test) => {
    const world = await World.create(test)
    await ask(world.browser(), EVE)
    await confirm(world.browser(), newestLink(world))

    const events = await world.database.selectFrom('event').selectAll().execute()
    assert.deepEqual(
      events.map(({ kind }) => kind),
      ['account-created'],
    )
  })

  it('shows a signed-in user the account page', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()
    await browser.signIn(await world.person('ada'))

    assert.equal((await browser.open('/sign-up')).location, '/account')
  })
})

describe('an application without mails', () => {
  it('has no sign-up, no link to one, and no mailbox', async (test) => {
    const { database, store, clock } = await World.create(test)
    const app = createApplication({ database, store, clock, keys: [KEY] })
    const client = new TestClient(app, { origin: 'https://app.test' })

    for (const path of ['/sign-up', '/dev/mail']) assert.equal((await client.get(path)).status, 404)
    assert.equal((await (await client.get('/login')).text()).includes('sign-up'), false)
  })
})

/** The browser of a developer. */
function atThisMachine(world: World): Browser {
  const here = { origin: 'http://localhost:3000', clientAddress: '127.0.0.1' }
  return new Browser(world, new TestClient(world.app, here))
}

describe('the mailbox of a development machine', () => {
  it('shows the mails, newest first, with links that can be opened', async (test) => {
    const world = await World.create(test)
    const here = atThisMachine(world)
    assert.match((await here.open('/dev/mail')).html, /No emails yet/)
    await ask(world.browser(), '<b>@example.test')
    await ask(world.browser(), EVE)

    const { html } = await here.open('/dev/mail')

    assert.ok(html.includes(`<a href="https://app.test${newestLink(world)}">`))
    assert.equal(html.includes('<b>'), false)
  })
})
