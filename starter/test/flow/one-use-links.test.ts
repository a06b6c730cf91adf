import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { ledgerOf } from '../crash/ledger.ts'
import { ofParts } from '../facts-of-parts.ts'
import { assertDone, type MadeLink, madeIn, CORE_LINKS, type MailLink } from '../mail-link.ts'
import { World } from '../support.ts'
import { testNewIdentifiers } from './new-identifiers.ts'

// What an operator does to an account, in the words of the tests.
const ENDS = { credentials: ['endSessions', 'disable'], account: ['disable'] } as const

interface Scene extends MadeLink {
  readonly world: World
}

async function sceneOf(test: TestContext, link: MailLink): Promise<Scene> {
  const world = await World.create(test, ofParts('settings'))
  return { world, ...(await madeIn(world, link)) }
}

async function used({ database }: World, { event }: MailLink): Promise<number> {
  return (await database.selectFrom('event').select('id').where('kind', '=', event).execute()).length
}

for (const [name, link] of Object.entries({ ...CORE_LINKS, ...ofParts('mailLinks') })) {
  const { clauses, table, fields, seconds, endsWith, status = 303 } = link

  describe(name, () => {
    it(`is stored as a digest, and does nothing when it is opened, or posted without the token of its page ${clauses}`, async (test) => {
      const { world, path, another } = await sceneOf(test, link)
      const before = await ledgerOf(world.database)
      const browser = another()

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

    it(`works once, of 50 posts at once, and signs nobody in, and nobody else out ${clauses}`, async (test) => {
      const { world, person, path, another, isOpen } = await sceneOf(test, link)
      const bob = await world.inside(await world.person('bob'))
      const browsers = Array.from({ length: 50 }, another)
      for (const browser of browsers) await browser.open(path)

      const pages = await Promise.all(browsers.map((browser) => browser.submit(path, fields)))

      const [won, ...lost] = pages.map((page) => page.status).toSorted()
      assert.equal(won, status)
      // One that makes a hash has a limit, too.
      assert.ok(lost.every((each) => each === 410 || (each === 429 && fields !== undefined)))
      assert.equal(await used(world, link), 1)
      assert.equal(await isOpen(), false)
      for (const browser of browsers) assert.equal(await browser.isSignedIn(), false)
      assert.equal(await bob.isSignedIn(), true)
      await assertDone(world, person, link)
      assert.deepEqual(world.faults, [])
    })

    it(`works until its time is over, and no other one works ${clauses}`, async (test) => {
      const { world, path, another, isOpen } = await sceneOf(test, link)
      const beginning = path.slice(0, path.lastIndexOf('/') + 1)
      for (const other of [`${path}x`, `${beginning}x`, path.toLowerCase(), beginning + 'A'.repeat(43)])
        assert.equal((await another().open(other)).status, 410, other)
      if (seconds === undefined) return
      const late = another()

      world.clock.advance(seconds - 1)
      assert.equal((await late.open(path)).status, 200)
      world.clock.advance(1)

      assert.equal((await late.submit(path, fields)).status, 410)
      assert.equal(await isOpen(), false)
      assert.equal(await used(world, link), 0)
    })

    if (endsWith !== undefined)
      it(`ends with a change of the ${endsWith} ${clauses}`, async (test) => {
        for (const end of ENDS[endsWith]) {
          const { world, person, path, another, isOpen } = await sceneOf(test, link)
          const late = another()
          await late.open(path)

          await world.identity.users[end](person.id)

          assert.equal(await isOpen(), false, end)
          assert.equal((await late.submit(path, fields)).status, 410, end)
          assert.equal(await used(world, link), 0)
        }
      })

    if (link.isBound)
      it(`works in no other browser ${clauses}`, async (test) => {
        const { world, path, another } = await sceneOf(test, link)
        const other = world.browser()

        const shown = await other.open(path)
        await other.open('/login')
        const posted = await other.submit(path)

        assert.deepEqual([shown.status, posted.status], [410, 410])
        assert.equal((await another().send(path, fields)).status, status, 'nor was it used up')
      })
  })

  if (link.gains !== undefined)
    testNewIdentifiers({
      [name]: {
        gains: link.gains,
        async before(test) {
          const { browser, path } = await sceneOf(test, link)
          await browser.open(path)
          return { browser, act: () => browser.submit(path, fields) }
        },
      },
    })
}
