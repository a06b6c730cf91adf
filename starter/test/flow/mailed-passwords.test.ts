import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Limit } from 'sallyport-app/limits'
import { RESET_ADDRESS_LIMIT, RESET_CLIENT_LIMIT, SIGN_UP_ADDRESS_LIMIT } from '../../core/limits/limits.ts'
import { RESET_SECONDS } from '../../core/reset/password-reset.ts'
import { CONFIRMATION_SECONDS } from '../../core/sign-up/sign-up.ts'
import { type Browser, type Page, PASSWORD, type Person, World } from '../support.ts'
import { newestLink, signUp, ownerOf } from './steps.ts'

const EVE = 'eve@example.test'
const NEW = 'a quiet orchard in the rain'

/** A form for an address, a link by mail, and behind it a password. */
interface Flow {
  readonly start: '/sign-up' | '/forgot'
  readonly seconds: number
  readonly table: 'confirmation' | 'password_reset'
  readonly limit: Limit
  /** What the link asks for beside the password. */
  readonly fields: Readonly<Record<string, string>>
  /** Where the password leads to. */
  readonly next: string
  /** The event of it. */
  readonly event: string
  /** Makes Eve somebody who gets a link. */
  prepare(world: World): Promise<unknown>
}

const FLOWS: Readonly<Record<string, Flow>> = {
  'signing up': {
    start: '/sign-up',
    seconds: CONFIRMATION_SECONDS,
    table: 'confirmation',
    limit: SIGN_UP_ADDRESS_LIMIT,
    fields: { name: 'Eve Adams' },
    next: '/enroll',
    event: 'account-created',
    prepare: async () => undefined,
  },
  'a forgotten password': {
    start: '/forgot',
    seconds: RESET_SECONDS,
    table: 'password_reset',
    limit: RESET_ADDRESS_LIMIT,
    fields: {},
    next: '/login',
    event: 'password-reset',
    prepare: (world) => world.person('eve'),
  },
}

async function ask(browser: Browser, start: Flow['start'], email: string): Promise<Page> {
  return browser.send(start, { email })
}

async function linkFor(world: World, { start }: Pick<Flow, 'start'>, email = EVE): Promise<string> {
  assert.equal((await ask(world.browser(), start, email)).status, 303)
  return newestLink(world)
}

async function choose(
  browser: Browser,
  link: string,
  fields: Readonly<Record<string, string>>,
): Promise<Page> {
  return browser.send(link, { password: NEW, ...fields })
}

for (const [name, flow] of Object.entries(FLOWS))
  describe(name, () => {
    it('sends a link, behind which the owner of the address chooses a password [RA-0103 RA-1602]', async (test) => {
      const world = await World.create(test)
      await flow.prepare(world)
      const browser = world.browser()

      const asked = await ask(browser, flow.start, ` ${EVE} `)
      const link = newestLink(world)
      // As programs do that open the links of mails.
      await world.browser().open(`${link}?password=${encodeURIComponent(NEW)}`)
      await world.browser().client.request('HEAD', link)
      const page = await browser.open(link)
      const done = await browser.submit(link, { password: NEW, ...flow.fields })

      assert.deepEqual([asked.status, asked.location], [303, `${flow.start}/sent`])
      assert.equal(world.mailbox.list().at(-1)?.to, EVE)
      assert.match(page.html, /eve@example\.test[^]*autocomplete="new-password"/)
      assert.deepEqual([done.status, done.location], [303, flow.next])
      assert.equal(await browser.isSignedIn(), false)
      assert.equal((await world.browser().password({ email: EVE }, NEW)).location, '/account')
    })

    it('has links that work once and for their time, and are stored as digests [RA-0103 RA-1602]', async (test) => {
      const world = await World.create(test)
      await flow.prepare(world)
      const used = await linkFor(world, flow)
      const stored = JSON.stringify(await world.database.selectFrom(flow.table).selectAll().execute())
      assert.equal((await choose(world.browser(), used, flow.fields)).status, 303)
      if (flow.start === '/forgot') await world.person('ann')
      const expired = await linkFor(world, flow, 'ann@example.test')
      world.clock.advance(flow.seconds - 1)
      assert.equal((await world.browser().open(expired)).status, 200)
      world.clock.advance(1)

      assert.equal(stored.includes(used.split('/').at(-1) ?? 'none'), false)
      for (const link of [
        used,
        expired,
        used.replace(/[^/]+$/, 'x'),
        used.replace(/[^/]+$/, 'a'.repeat(43)),
      ]) {
        const opened = await world.browser().open(link)
        assert.deepEqual([opened.status, /This link is out of date/.test(opened.html)], [410, true])
        const late = world.browser()
        await late.open(flow.start)
        assert.equal((await late.submit(link, { password: PASSWORD, ...flow.fields })).status, 410)
      }
    })

    it('counts one of many posts of two links [RA-0103 RA-1602 RA-2502]', async (test) => {
      const world = await World.create(test)
      await flow.prepare(world)
      const links = [await linkFor(world, flow), await linkFor(world, flow, EVE.toUpperCase())]
      const browsers = await Promise.all(
        Array.from({ length: 30 }, async (_, index) => {
          const [browser, link] = [world.browser(), links[index % 2] ?? '']
          await browser.open(link)
          return { browser, link, fields: { ...flow.fields, password: `${NEW} ${index}` } }
        }),
      )

      const pages = await Promise.all(
        browsers.map(({ browser, link, fields }) => browser.submit(link, fields)),
      )

      const winners = pages.flatMap(({ status }, index) => (status === 303 ? [index] : []))
      assert.equal(winners.length, 1)
      assert.ok(pages.every(({ status }) => [303, 410, 429].includes(status)))
      const login = await world.browser().password({ email: EVE }, `${NEW} ${winners[0]}`)
      assert.equal(login.location, '/account')
      const events = await world.database
        .selectFrom('event')
        .select('kind')
        .where('kind', '=', flow.event)
        .execute()
      assert.equal(events.length, 1)
      assert.deepEqual(world.faults, [])
    })

    it('answers alike for every address; only the mailbox is told [RA-0103 RA-1602 RA-0006]', async (test) => {
      const world = await World.create(test)
      const [ada, dan] = [await world.person('ada'), await world.person('dan')]
      await world.disable(dan)
      const seen: unknown[] = []
      for (const email of [ada.email, dan.email, EVE]) {
        const browser = world.browser()
        const asked = await ask(browser, flow.start, email)
        const sent = await browser.open(asked.location ?? '')
        seen.push([
          asked.status,
          asked.location,
          [...asked.headers.keys()].toSorted(),
          sent.status,
          sent.html,
        ])
      }

      assert.deepEqual(seen[0], seen[2])
      assert.deepEqual(seen[1], seen[2])
      const [toEve, toDan, toAda] = world.mailbox.list()
      assert.deepEqual([toEve?.to, toDan?.to, toAda?.to], [EVE, dan.email, ada.email])
      const linked = [toEve, toDan, toAda].map((mail) => /\/[\w-]{43}\n/.test(mail?.text ?? ''))
      assert.deepEqual(linked, flow.start === '/forgot' ? [false, false, true] : [true, false, false])
      assert.match(toDan?.subject ?? '', /Your account is disabled/)
    })

    it('refuses what is no address and a password that the rules refuse, shows the address again, leaves the link as it is, and takes every character of a long one [RA-0101 RA-0102]', async (test) => {
      const world = await World.create(test)
      await flow.prepare(world)
      const unfit = await ask(world.browser(), flow.start, 'eve at example')
      assert.deepEqual([unfit.status, /value="eve at example"/.test(unfit.html)], [422, true])
      const link = await linkFor(world, flow)

      const page = await choose(world.browser(), link, { ...flow.fields, password: 'password123' })
      assert.deepEqual([page.status, /easy to guess/.test(page.html)], [422, true])
      assert.equal(page.html.includes('value="password123"'), false)
      const long = `${'correct horse '.repeat(5)}with every character that was typed`
      assert.equal((await choose(world.browser(), link, { ...flow.fields, password: long })).status, 303)
      assert.equal((await world.browser().password({ email: EVE }, long.slice(0, -1))).status, 422)
      assert.equal((await world.browser().password({ email: EVE }, long)).location, '/account')
    })

    it('limits the mails to one address, known or not, in the same words [RA-0006 RA-1602]', async (test) => {
      const { world, person: ada } = await ownerOf(test, { factor: 'none' })
      for (const email of [ada.email, EVE]) {
        for (let times = 0; times < flow.limit.failures; times += 1)
          assert.equal((await ask(world.browser(), flow.start, email)).status, 303)
        const page = await ask(world.browser(), flow.start, email.toUpperCase())
        assert.deepEqual([page.status, page.headers.get('retry-after')], [429, '3600'])
        assert.match(page.html, /Too many links were asked for\. Wait an hour/)
      }
      assert.equal(world.mailbox.list().length, 2 * flow.limit.failures)
      world.clock.advance(flow.limit.windowSeconds)
      assert.equal((await ask(world.browser(), flow.start, EVE)).status, 303)
    })

    it('does not exist where no mail can be sent', async (test) => {
      const browser = (await World.create(test, { sendsMails: false })).browser()

      for (const path of [flow.start, `${flow.start}/sent`, '/dev/mail'])
        assert.equal((await browser.open(path)).status, 404)
      assert.equal((await browser.open('/login')).html.includes(flow.start), false)
    })
  })

describe('signing up', () => {
  it('makes no account before the address is confirmed, so nobody can prepare one for someone else [RA-0104 RA-0008]', async (test) => {
    const world = await World.create(test)
    const link = await linkFor(world, { start: '/sign-up' })

    assert.equal(await world.identity.users.findByEmail(EVE), null)
    assert.equal((await world.browser().password({ email: EVE })).status, 422)
    await choose(world.browser(), link, { name: 'Eve' })
    const { id = '' } = (await world.identity.users.findByEmail(EVE)) ?? {}
    assert.deepEqual(await world.events({ id, email: EVE, secret: undefined }), ['account-created'])
  })
})

describe('a new password by mail', () => {
  const FORGOT = { start: '/forgot' } as const

  it('signs nobody in, and the next login still asks for the second factor [RA-1601 RA-2706]', async (test) => {
    const { world, person: ada } = await ownerOf(test)
    const before = await world.database.selectFrom('factor').selectAll().execute()
    const browser = world.browser()

    const done = await choose(browser, await linkFor(world, FORGOT, ada.email), {})

    assert.deepEqual([done.status, done.location], [303, '/login'])
    assert.match((await browser.open('/login')).html, /Your password has been changed/)
    assert.equal('_auth' in (await browser.session()), false)
    assert.deepEqual(await world.database.selectFrom('factor').selectAll().execute(), before)
    assert.equal((await browser.password(ada)).status, 422)
    assert.equal((await browser.password(ada, NEW)).location, '/login/2fa')
    assert.equal(await browser.isSignedIn(), false)
    assert.equal((await browser.code(await world.code(ada))).location, '/account')
  })

  it('ends every session, every pending login and every enrollment of the account, and of no other one [RA-1602 RA-0405]', async (test) => {
    const { world, person: ada } = await ownerOf(test)
    const [signedIn, pending, enrolling, other] = [1, 2, 3, 4].map(() => world.browser())
    assert.ok(signedIn && pending && enrolling && other)
    await signedIn.signIn(ada)
    await pending.password(ada)
    await other.signIn(await world.person('dan'))
    world.clock.advance(30)
    await signUp(world, enrolling, 'eve')
    assert.match(
      (await signedIn.open('/forgot')).html,
      /signs you out everywhere[^]*value="ada@example\.test"/,
    )
    await pending.open('/forgot')
    assert.equal((await pending.open('/login/2fa')).status, 200)

    await choose(other, await linkFor(world, FORGOT, ada.email), {})
    await choose(world.browser(), await linkFor(world, FORGOT), {})

    assert.deepEqual([await signedIn.isSignedIn(), await other.isSignedIn()], [false, true])
    assert.equal((await enrolling.open('/enroll')).location, '/login')
    const late = await pending.submit('/login/2fa', { code: await world.code(ada) })
    assert.deepEqual([late.status, late.location, await pending.isSignedIn()], [303, '/login', false])
    // The code was not used up by it.
    const browser = world.browser()
    await browser.password(ada, NEW)
    assert.equal((await browser.code(await world.code(ada))).location, '/account')
  })

  it('is set by no link that a change of credentials, a disabled account or another link has ended [RA-1602]', async (test) => {
    const world = await World.create(test)
    const people = [await world.person('ada'), await world.person('dan'), await world.person('eve')]
    const [ada, dan, eve] = people as [Person, Person, Person]
    const links: string[] = []
    for (const { email } of people) links.push(await linkFor(world, FORGOT, email))
    await world.identity.users.endSessions(ada.id)
    await world.disable(dan)
    await world.identity.users.enable(dan.id)
    assert.equal((await choose(world.browser(), await linkFor(world, FORGOT, eve.email), {})).status, 303)

    for (const link of links) {
      assert.equal((await world.browser().open(link)).status, 410)
      const browser = world.browser()
      await browser.open('/forgot')
      assert.equal((await browser.submit(link, { password: NEW })).status, 410)
    }
  })

  it('limits the mails of one client [RA-1602 RA-0006]', async (test) => {
    const world = await World.create(test)
    const statuses: number[] = []
    for (let index = 0; index <= RESET_CLIENT_LIMIT.failures; index += 1) {
      const browser = world.browser({ clientAddress: '192.0.2.7' })
      statuses.push((await ask(browser, '/forgot', `person-${index}@example.test`)).status)
    }

    assert.deepEqual([statuses.slice(0, -1).every((status) => status === 303), statuses.at(-1)], [true, 429])
  })

  it('forgets the guesses at the old password, and none at the codes [RA-2705 FACTOR-20]', async (test) => {
    const { world, person: ada } = await ownerOf(test)
    const guess = world.browser()
    for (let times = 0; times < 10; times += 1) {
      if (times % 5 === 0) await guess.password(ada)
      await guess.code(await world.wrongCode(ada))
    }
    for (let times = 0; times < 10; times += 1) await world.browser().password(ada, 'wrong')
    assert.equal((await world.browser().password(ada)).status, 429)

    await choose(world.browser(), await linkFor(world, FORGOT, ada.email), {})

    const browser = world.browser()
    assert.equal((await browser.password(ada, NEW)).location, '/login/2fa')
    assert.equal((await browser.code(await world.code(ada))).status, 429)
  })
})
