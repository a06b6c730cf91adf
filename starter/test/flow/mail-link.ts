/** What a link of a mail must do that works once, in whichever browser it is opened. @module */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ledgerOf } from '../crash/ledger.ts'
import { ofParts } from '../facts-of-parts.ts'
import { World } from '../support.ts'

/** A link, and what it does. */
export interface MailLink {
  /** Clauses of it, in brackets. */
  readonly clauses: string
  /** Brings it about that somebody gets a mail with it. @returns Its path. */
  readonly make: (world: World) => Promise<string>
  /** What is recorded when it is used. */
  readonly event: string
  /** The table that knows it. */
  readonly table: string
  /** What its form asks for. Default: nothing. */
  readonly fields?: Readonly<Record<string, string>>
  /** Status of the answer to its form. Default: it redirects. */
  readonly status?: 200
  /** For how long it works. Default: as long as there is something that it ends. */
  readonly seconds?: number
}

async function recorded({ database }: World, event: string): Promise<number> {
  return (await database.selectFrom('event').select('id').where('kind', '=', event).execute()).length
}

async function opened(world: World, path: string): Promise<number> {
  return (await world.browser().open(path)).status
}

/** @param links Links by what people call them. */
export function testMailLinks(links: Readonly<Record<string, MailLink>>): void {
  for (const [name, link] of Object.entries(links)) {
    const { clauses, make, event, table, fields, status = 303, seconds } = link
    describe(name, () => {
      it(`is stored as a digest, and does nothing when it is opened, or posted without the token of its page ${clauses}`, async (test) => {
        const world = await World.create(test, ofParts('settings'))
        const path = await make(world)
        const before = await ledgerOf(world.database)
        const browser = world.browser()

        const page = await browser.open(path)
        const head = await browser.client.request('HEAD', path)
        const forged = await browser.submit(path, { ...fields, _csrf: 'x' })
        const blind = await world.browser().submit(path, fields)

        assert.deepEqual(
          [page, head, forged, blind].map((each) => each.status),
          [200, 200, 403, 403],
        )
        assert.deepEqual(await ledgerOf(world.database), before)
        const stored = await world.database
          .selectFrom(table as 'account')
          .selectAll()
          .execute()
        assert.notEqual(stored.length, 0)
        assert.equal(JSON.stringify(stored).includes(path.split('/').at(-1) ?? ''), false)
      })

      it(`works once, of 50 posts at once ${clauses}`, async (test) => {
        const world = await World.create(test, ofParts('settings'))
        const path = await make(world)
        const browsers = Array.from({ length: 50 }, () => world.browser())
        for (const browser of browsers) await browser.open(path)

        const pages = await Promise.all(browsers.map((browser) => browser.submit(path, fields)))

        const [won, ...lost] = pages.map((page) => page.status).toSorted()
        assert.equal(won, status)
        // One that makes a hash has a limit, too.
        assert.ok(lost.every((each) => each === 410 || (each === 429 && fields !== undefined)))
        assert.equal(await recorded(world, event), 1)
        assert.equal(await opened(world, path), 410)
        for (const browser of browsers) assert.equal(await browser.isSignedIn(), false)
        assert.deepEqual(world.faults, [])
      })

      it(`works until its time is over, and no other one works ${clauses}`, async (test) => {
        const world = await World.create(test, ofParts('settings'))
        const path = await make(world)
        const beginning = path.slice(0, path.lastIndexOf('/') + 1)
        for (const other of [`${path}x`, `${beginning}x`, path.toLowerCase(), beginning + 'A'.repeat(43)])
          assert.equal(await opened(world, other), 410, other)
        if (seconds === undefined) return
        const late = world.browser()

        world.clock.advance(seconds - 1)
        assert.equal((await late.open(path)).status, 200)
        world.clock.advance(1)

        assert.equal((await late.submit(path, fields)).status, 410)
        assert.equal(await opened(world, path), 410)
        assert.equal(await recorded(world, event), 0)
      })
    })
  }
}
