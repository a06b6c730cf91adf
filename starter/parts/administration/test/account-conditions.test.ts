import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
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
})
