import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { AUTHENTICATOR_LIMIT, PASSWORD_LIMIT } from '../../../core/limits/limits.ts'
import { missing } from '../../../test/facts-of-parts.ts'
import { type Browser, type Person, World } from '../../../test/support.ts'

const DAY = 24 * 60 * 60
const RECOVERY_CONFIRM_SECONDS = 30 * 60
const RECOVERY_WAIT_SECONDS = 3 * DAY
const RECOVERY_OPEN_SECONDS = 7 * DAY
const skip = missing('lost-factor')
const ADMIN = { permissions: ['admin.access'], factor: 'enabled' } as const

interface Office {
  readonly world: World
  readonly bob: Person
  readonly root: Person
}

/** An administrator, and an account with a factor. */
async function office(test: TestContext): Promise<Office> {
  const world = await World.create(test)
  const root = await world.person('root', ADMIN)
  return { world, root, bob: await world.person('bob', { factor: 'enabled' }) }
}

/** What the administrator sees: the words beside the account in the list, and the first card of its page. */
async function seen({
  world,
  root,
  bob,
}: Office): Promise<{ readonly marks: string; readonly card: string }> {
  world.clock.advance(30)
  const browser = world.browser()
  await browser.signIn(root)
  const list = await browser.open('/admin?q=bob')
  const { html } = await browser.open(`/admin/accounts/${bob.id}`)
  return {
    marks: /class="marks">([\s\S]*?)<\/span>\s*<\/li>/.exec(list.html)?.[1] ?? '',
    card: /<dl class="facts">[\s\S]*?<\/dl>/.exec(html)?.[0] ?? '',
  }
}

/** The time beside a label of the card. */
function timeOf(card: string, label: string): number {
  const found = new RegExp(`<dt>${label}</dt>[\\s\\S]*?datetime="([^"]+)"`).exec(card)?.[1]
  return found === undefined ? Number.NaN : Date.parse(found) / 1000
}

async function post(browser: Browser, path: string): Promise<void> {
  await browser.open(path)
  await browser.submit(path)
}

describe('the pages of the administration about what is under way', () => {
  it('show that an account will be erased, and when, until its owner stops it [RA-2202]', async (test) => {
    const at = await office(test)
    const { world, bob } = at
    const due = world.clock.timestamp() + 14 * DAY
    const leave = (leavesAt: number | null): Promise<unknown> =>
      world.database.updateTable('account').set({ leaves_at: leavesAt }).where('id', '=', bob.id).execute()

    await leave(due)
    const waiting = await seen(at)
    await leave(null)
    const stopped = await seen(at)

    assert.match(waiting.marks, />Deletion requested</)
    assert.equal(timeOf(waiting.card, 'Deletion requested by its owner'), due)
    assert.doesNotMatch(stopped.marks + stopped.card, /Deletion requested/)
  })

  it(
    'show the recovery of a lost factor from its request to its end [RA-2202 RA-2101]',
    { skip },
    async (test) => {
      const at = await office(test)
      const { world, bob } = at
      const browser = world.browser()
      await browser.password(bob)
      await post(browser, '/lost')
      const asked = world.clock.timestamp()

      const request = await seen(at)
      const texts = world.mailbox.list().map(({ text }) => text)
      const link = texts
        .map((text) => /https:\/\/app\.test(\/lost\/confirm\/\S+)/.exec(text)?.[1])
        .find(Boolean)
      await post(world.browser(), link ?? '')
      const ready = world.clock.timestamp() + RECOVERY_WAIT_SECONDS
      const waiting = await seen(at)
      world.clock.advance(RECOVERY_WAIT_SECONDS + RECOVERY_OPEN_SECONDS)
      const over = await seen(at)

      for (const { marks } of [request, waiting]) assert.match(marks, />Recovery</)
      const until = asked + RECOVERY_CONFIRM_SECONDS
      assert.equal(timeOf(request.card, 'Recovery requested, not confirmed'), until)
      assert.equal(timeOf(waiting.card, 'Recovery of a lost second step waits'), ready)
      assert.doesNotMatch(over.marks + over.card, /Recovery of|New second step|>Recovery</)
    },
  )

  it('show which lock holds, of what, and until when [RA-2202 RA-0801]', async (test) => {
    const at = await office(test)
    const { world, bob } = at
    const [factor] = await world.identity.factors.list(bob.id)
    const wrong = await world.wrongCode(bob)
    const browser = world.browser()
    for (let tries = 0; tries < AUTHENTICATOR_LIMIT.failures; tries += 1) {
      if (tries % 4 === 0) await browser.password(bob)
      await browser.open('/login/2fa')
      await browser.code(wrong)
    }
    const codes = world.clock.timestamp() + AUTHENTICATOR_LIMIT.windowSeconds
    const byCodes = await seen(at)
    for (let tries = 0; tries < PASSWORD_LIMIT.failures; tries += 1)
      await world.browser().password(bob, 'wrong')
    const passwords = world.clock.timestamp() + PASSWORD_LIMIT.windowSeconds
    const byBoth = await seen(at)
    world.clock.advance(PASSWORD_LIMIT.windowSeconds)
    const over = await seen(at)

    assert.equal(timeOf(byCodes.card, 'Code checks paused'), codes)
    assert.match(byCodes.card, new RegExp(`Code checks paused</dt>\\s*<dd>\\s*${factor?.label},`))
    assert.doesNotMatch(byCodes.card, /Password checks paused/)
    assert.equal(timeOf(byBoth.card, 'Password checks paused'), passwords)
    for (const { marks } of [byCodes, byBoth]) assert.equal(marks.match(/>Paused</g)?.length, 1)
    assert.doesNotMatch(over.marks + over.card, /[Pp]aused/)
  })
})
