import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Attempts, type Limit } from 'sallyport-app/limits'
import {
  FACTOR_LIMIT,
  PASSWORD_LIMIT,
  RESET_ADDRESS_LIMIT,
  RESET_CLIENT_LIMIT,
  SIGN_UP_ADDRESS_LIMIT,
} from '../../core/limits/limits.ts'
import { type Browser, type Page, type Person, World } from '../support.ts'
import { newestLink, signUp, ownerOf } from './steps.ts'

const EVE = 'eve@example.test'
// What a mailer may read as Eve's, and a limit that counts what was typed as another one; and what is no address at all.
const UNFIT = [
  `<${EVE}>`,
  `"${EVE}"`,
  '"eve"@example.test',
  `Eve <${EVE}>`,
  `${EVE}.`,
  `${EVE}\0`,
  `${EVE}(comment)`,
  `${EVE},`,
  `${EVE}@`,
  'eve\u200b@example.test',
  'eve at example',
]
const NEW = 'a quiet orchard in the rain'
const LONG = `${'correct horse '.repeat(5)}with every character that was typed`

/** A form for an address, a link by mail, and behind it a password. */
interface Flow {
  readonly start: '/sign-up' | '/forgot'
  readonly limit: Limit
  /** What the form behind the link asks for beside the password. */
  readonly fields: Readonly<Record<string, string>>
  /** Where the password leads to. */
  readonly next: string
}

const FLOWS: Readonly<Record<string, Flow>> = {
  'signing up': {
    start: '/sign-up',
    limit: SIGN_UP_ADDRESS_LIMIT,
    fields: { name: 'Eve Adams' },
    next: '/enroll',
  },
  'a forgotten password': {
    start: '/forgot',
    limit: RESET_ADDRESS_LIMIT,
    fields: {},
    next: '/login',
  },
}

/** Asks for a link with a form for an address. */
function ask(browser: Browser, start: Flow['start'], email: string): Promise<Page> {
  return browser.send(start, { email })
}

async function linkFor(world: World, start: Flow['start'], email = EVE): Promise<string> {
  const asked = await ask(world.browser(), start, ` ${email} `)
  assert.deepEqual([asked.status, asked.location], [303, `${start}/sent`])
  assert.equal(world.mailbox.list()[0]?.to, email)
  return newestLink(world)
}

for (const [name, { start, limit, next, fields }] of Object.entries(FLOWS))
  describe(name, () => {
    it('sends a link, behind which the owner of the address chooses a password by the rules: every character of it counts, and what they refuse uses nothing up; what is no address gets none [RA-0101 RA-0102 RA-0103 RA-1602 MEND-05]', async (test) => {
      const world = await World.create(test)
      for (const email of UNFIT) {
        const unfit = await ask(world.browser(), start, email)
        assert.equal(unfit.status, 422, email)
        assert.match(unfit.html, /value="[^"]*eve/i)
      }
      assert.deepEqual(world.mailbox.list(), [])
      if (start === '/forgot') await world.person('eve')
      const link = await linkFor(world, start)
      const browser = world.browser()
      assert.match((await browser.open(link)).html, /eve@example\.test[^]*autocomplete="new-password"/)

      const refused = await browser.submit(link, { ...fields, password: 'password123' })
      const done = await browser.submit(link, { ...fields, password: LONG })

      assert.deepEqual([refused.status, /easy to guess/.test(refused.html)], [422, true])
      assert.equal(refused.html.includes('value="password123"'), false)
      assert.deepEqual([done.status, done.location], [303, next])
      assert.equal(await browser.isSignedIn(), false)
      assert.equal((await world.browser().password({ email: EVE }, LONG.slice(0, -1))).status, 422)
      assert.equal((await world.browser().password({ email: EVE }, LONG)).location, '/account')
    })

    it('answers alike for every address; only the mailbox is told [RA-0103 RA-1602 RA-0006]', async (test) => {
      const world = await World.create(test)
      const [ada, dan] = [await world.person('ada'), await world.person('dan')]
      await world.disable(dan)
      const seen: unknown[] = []
      for (const email of [ada.email, dan.email, EVE]) {
        const browser = world.browser()
        const asked = await ask(browser, start, email)
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
      assert.deepEqual(linked, start === '/forgot' ? [false, false, true] : [true, false, false])
      assert.match(toDan?.subject ?? '', /Your account is disabled/)
    })

    it('limits the mails to one address, known or not and however it is spelled, in the same words; a link for a new password goes to the spelling of the account [RA-0006 RA-1602 MEND-05]', async (test) => {
      const world = await World.create(test)
      const [email, passwordHash] = ['ada@bücher.example', await world.hasher.hash(NEW)]
      await world.identity.users.add({ email, name: 'Ada', passwordHash, permissions: [] }, world.clock)
      for (const name of ['eve', 'ada']) {
        // As it is typed, and as browsers and the DNS spell it.
        const spellings = [
          `${name}@bücher.example`,
          ` ${name.toUpperCase()}@BÜCHER.example `,
          `${name}@xn--bcher-kva.example`,
          `${name}@XN--BCHER-KVA.example`,
        ]
        const asking = (times: number): Promise<Page> =>
          ask(world.browser(), start, spellings[times % 4] ?? '')
        for (let times = 0; times < limit.failures; times += 1)
          assert.equal((await asking(times)).status, 303)
        for (const times of spellings.keys()) {
          const page = await asking(times)
          assert.deepEqual([page.status, page.headers.get('retry-after')], [429, '3600'])
          assert.match(page.html, /Too many links were asked for\. Wait an hour/)
        }
      }
      const mails = world.mailbox.list()
      assert.equal(mails.length, 2 * limit.failures)
      const own = new Set(mails.slice(0, limit.failures).map(({ to }) => to))
      if (start === '/forgot') assert.deepEqual(own, new Set([email]))
      world.clock.advance(limit.windowSeconds)
      assert.equal((await ask(world.browser(), start, email)).status, 303)
    })

    it('does not exist where no mail can be sent', async (test) => {
      const browser = (await World.create(test, { sendsMails: false })).browser()

      for (const path of [start, `${start}/sent`, '/dev/mail'])
        assert.equal((await browser.open(path)).status, 404)
      assert.equal((await browser.open('/login')).html.includes(start), false)
    })
  })

describe('signing up', () => {
  it('makes no account before the address is confirmed, so nobody can prepare one for someone else, and one of two links at once [RA-0103 RA-0104 RA-0008]', async (test) => {
    const world = await World.create(test)
    const links = [await linkFor(world, '/sign-up'), await linkFor(world, '/sign-up')]

    assert.equal(await world.identity.users.findByEmail(EVE), null)
    assert.equal((await world.browser().password({ email: EVE })).status, 422)
    const pages = await sendAtOnce(world, links, { name: 'Eve', password: NEW })
    assert.deepEqual(pages, [303, 410])
    const { id = '' } = (await world.identity.users.findByEmail(EVE)) ?? {}
    assert.deepEqual(await world.events({ id, email: EVE, secret: undefined }), ['account-created'])
  })
})

describe('a new password by mail', () => {
  it('signs nobody in, and ends every session, every pending login and every enrollment of the account, and of no other one; the next login still asks for the second factor [RA-1601 RA-1602 RA-2706 RA-0405]', async (test) => {
    const { world, person: ada, browser } = await ownerOf(test)
    const [signedIn, pending, enrolling, other] = [1, 2, 3, 4].map(() => world.browser())
    assert.ok(signedIn && pending && enrolling && other)
    await signedIn.signIn(ada)
    await pending.password(ada)
    await other.signIn(await world.person('dan'))
    world.clock.advance(30)
    await signUp(world, enrolling, 'eve')
    const shown = await signedIn.open('/forgot')
    assert.match(shown.html, /signs you out everywhere[^]*value="ada@example\.test"/)
    await pending.open('/forgot')
    assert.equal((await pending.open('/login/2fa')).status, 200)

    await other.send(await linkFor(world, '/forgot', ada.email), { password: NEW })
    await browser.send(await linkFor(world, '/forgot'), { password: NEW })

    assert.match((await browser.open('/login')).html, /Your password has been changed/)
    const inside = await Promise.all([browser, signedIn, other].map((each) => each.isSignedIn()))
    assert.deepEqual(inside, [false, false, true])
    assert.equal((await enrolling.open('/enroll')).location, '/login')
    const late = await pending.submit('/login/2fa', { code: await world.code(ada) })
    assert.deepEqual([late.status, late.location, await pending.isSignedIn()], [303, '/login', false])
    assert.equal((await browser.password(ada)).status, 422)
    assert.equal((await browser.password(ada, NEW)).location, '/login/2fa')
    // The code was not used up by the late login.
    assert.equal((await browser.code(await world.code(ada))).location, '/account')
  })

  it('is set by no link that a change of credentials, a disabled account or another link, also one at the same time, has ended [RA-1602]', async (test) => {
    const world = await World.create(test)
    const people = [await world.person('ada'), await world.person('dan'), await world.person('eve')]
    const [ada, dan, eve] = people as [Person, Person, Person]
    const links: string[] = []
    for (const { email } of people) links.push(await linkFor(world, '/forgot', email))
    await world.identity.users.endSessions(ada.id)
    await world.disable(dan)
    await world.identity.users.enable(dan.id)
    const both = [links.pop() ?? '', await linkFor(world, '/forgot', eve.email)]

    assert.deepEqual(await sendAtOnce(world, both, { password: NEW }), [303, 410])

    for (const link of [...links, ...both]) {
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
    const { world, person: ada, browser } = await ownerOf(test)
    const attempts = world.app.get(Attempts)
    for (const guessed of [PASSWORD_LIMIT.ofAddress(ada.email), FACTOR_LIMIT.of(ada.id)])
      for (let times = 0; times < guessed.limit.failures; times += 1) await attempts.count([guessed])
    assert.equal((await browser.password(ada)).status, 429)

    await browser.send(await linkFor(world, '/forgot', ada.email), { password: NEW })

    assert.equal((await browser.password(ada, NEW)).location, '/login/2fa')
    assert.equal((await browser.code(await world.code(ada))).status, 429)
  })
})

/** Fills in the forms of several links at the same time. @returns The statuses in ascending order. */
async function sendAtOnce(
  world: World,
  links: readonly string[],
  fields: Readonly<Record<string, string>>,
): Promise<readonly number[]> {
  const pages = await Promise.all(links.map((link) => world.browser().send(link, fields)))
  return pages.map(({ status }) => status).toSorted()
}
