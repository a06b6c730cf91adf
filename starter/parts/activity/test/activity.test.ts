import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AuditEvent } from '../../../core/audit/audit-trail.ts'
import { ACTIVITY_LINES } from '../activity-controller.ts'
import { itemsOf, signedIn } from '../../../test/flow/steps.ts'
import { act, missing } from '../../../test/facts-of-parts.ts'
import { type Page, type Person, World } from '../../../test/support.ts'

const PATH = '/account/activity'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'
const lines = (page: Page): readonly string[] => itemsOf(page, 'events')

/** Entries of an account, the oldest first. */
async function record(world: World, person: Person, count: number): Promise<void> {
  const entry = { kind: AuditEvent.LoggedIn, accountId: person.id, device: '' }
  for (let number = 0; number < count; number += 1) {
    world.clock.advance(60)
    await world.identity.audit.record({ ...entry, clientAddress: `192.0.2.${number % 250}` })
  }
}

describe('the activity of an account', () => {
  it('says in words what happened, when, where from and with which device [RA-2001 RA-0008 RA-3102]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const browser = world.browser({ userAgent: FIREFOX, clientAddress: '203.0.113.7' })
    await browser.password(ada, 'wrong')
    await browser.password(ada)
    await browser.code(await world.wrongCode(ada))
    await browser.code(await world.code(ada))

    const page = await browser.open(PATH)

    const from = 'Firefox on Linux · 203.0.113.7 · 1 Jan 2026, 00:00 UTC'
    assert.deepEqual(lines(page), [
      `Signed in (authenticator app) ${from}`,
      `Wrong code (authenticator app) ${from}`,
      `Wrong password ${from}`,
    ])
  })

  it('shows nothing of another account, and nothing to nobody [RA-2001]', async (test) => {
    const world = await World.create(test)
    const [ada, bob] = [await world.person('ada'), await world.person('bob')]
    await record(world, ada, 3)
    const browser = world.browser()
    await browser.signIn(bob)

    for (const path of [PATH, `${PATH}?before=9999`, `${PATH}/csv`, `${PATH}/json`]) {
      assert.equal((await browser.open(path)).html.includes('192.0.2.'), false, path)
      assert.match((await world.browser().open(path)).location ?? '', /^\/login/, path)
    }
  })

  it('is paged by the number of an entry, so that new entries move nothing [RA-2001]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada')
    await record(world, ada, 2 * ACTIVITY_LINES)
    const browser = world.browser()
    await browser.signIn(ada)

    const first = await browser.open(PATH)
    await record(world, ada, 5)
    const seen = [...lines(first)]
    for (let page = first; ;) {
      const older = /href="(\/account\/activity\?before=\d+)"/.exec(page.html)?.[1]
      if (older === undefined) break
      page = await browser.open(older)
      assert.match(page.html, /Newest entries/)
      seen.push(...lines(page))
    }

    assert.equal(lines(first).length, ACTIVITY_LINES)
    assert.equal(first.html.includes('Newest entries'), false)
    assert.deepEqual([seen.length, new Set(seen).size], [2 * ACTIVITY_LINES + 1, 2 * ACTIVITY_LINES + 1])
  })

  it('can be changed by nobody: the database refuses [RA-2001]', async (test) => {
    const { world } = await signedIn(test, {})

    const forged = world.database.updateTable('event').set({ kind: 'logged-out' })

    await assert.rejects(forged.execute(), /append-only/)
  })

  it('is exported whole as CSV, with stable columns, and as JSON with the same members [RA-2001]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada')
    await record(world, ada, 3)
    const browser = world.browser({ userAgent: FIREFOX, clientAddress: '203.0.113.7' })
    await browser.signIn(ada)

    const csv = await browser.open(`${PATH}/csv`)
    const json = await browser.open(`${PATH}/json`)

    assert.equal(csv.headers.get('content-disposition'), 'attachment; filename="activity.csv"')
    assert.match(csv.headers.get('content-type') ?? '', /^text\/csv; charset=utf-8/)
    assert.equal(csv.headers.get('cache-control'), 'no-store')
    const rows = csv.html.split('\r\n')
    assert.equal(rows.length, 6)
    assert.equal(
      rows[1],
      '"2026-01-01T00:03:00.000Z","logged-in","Signed in","203.0.113.7","Firefox","Linux","","false"',
    )
    const entries = JSON.parse(json.html) as readonly Readonly<Record<string, unknown>>[]
    const [newest = {}] = entries
    assert.equal(entries.length, 4)
    assert.equal(`"${Object.keys(newest).join('","')}"`, rows[0])
    assert.equal(`"${Object.values(newest).join('","')}"`, rows[1])
  })

  it(
    'shows the device of an administrator neither in a page nor in a file [RA-2001]',
    { skip: missing('administration') },
    async (test) => {
      const world = await World.create(test)
      const root = await world.person('root', { permissions: ['admin.access', 'accounts.manage'] })
      const bob = await world.person('bob')
      const by = { id: root.id, clientAddress: '198.51.100.9', device: 'Opera/macOS' }
      await act('disable')(world, bob.id, by)
      await act('enable')(world, bob.id, by)
      const browser = world.browser()
      await browser.signIn(bob)

      const pages = ['', '/csv', '/json'].map((part) => browser.open(`/account/activity${part}`))
      const shown = (await Promise.all(pages)).map(({ html }) => html)

      const events = await world.database.selectFrom('event').select('device').execute()
      assert.ok(events.some(({ device }) => device === by.device))
      for (const text of shown) {
        assert.match(text, /disabled/)
        assert.doesNotMatch(text, /198\.51\.100\.9|Opera/)
      }
    },
  )
})
