import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { ADMINISTRATOR } from '../../identity/accounts/permission.ts'
import { type EndedRequest, RESET_REQUEST_SECONDS } from '../../identity/administration/factor-resets.ts'
import { hourlyTasks } from '../../operations/hourly-tasks.ts'
import { type Browser, type Person, World } from '../support.ts'

const HOUR_SECONDS = 60 * 60
const REASON = { reason: 'ticket 4711' }
const JSON_ONLY = { headers: { accept: 'application/json' } }
const OLGA = { by: { kind: 'operator', name: 'olga' }, reason: 'seen her passport' } as const

interface Office {
  readonly world: World
  readonly root: Person
  readonly other: Person
  readonly bob: Person
  /** Signed in as an administrator who did not ask. */
  readonly browser: Browser
  /** Identifier of the request. */
  readonly id: string
}

/** A request about bob that waits, and an administrator who may decide it. */
async function office(test: TestContext): Promise<Office> {
  const world = await World.create(test, { resetNeedsApproval: true })
  const root = await world.person('root', { permissions: ADMINISTRATOR, factor: 'enabled' })
  const other = await world.person('other', { permissions: ADMINISTRATOR, factor: 'enabled' })
  const bob = await world.person('bob', { factor: 'enabled' })
  const by = { kind: 'account', id: other.id, clientAddress: '', device: '' } as const
  const { resets } = world.identity.administration
  await resets.reset({ by, reason: 'lost the phone' }, bob.id)
  const browser = world.browser()
  await browser.signIn(root)
  return { world, root, other, bob, browser, id: (await resets.waiting(1))[0]?.id ?? '' }
}

interface Ending {
  readonly happen: (office: Office) => Promise<unknown>
  readonly en: RegExp
  readonly de: RegExp
}

// Complete: every end is told.
const ENDS: Readonly<Record<EndedRequest['end'], Ending>> = {
  approved: {
    happen: ({ world, id }) => world.identity.administration.resets.approve(OLGA, id),
    en: /The reset was approved[^]*Decided[^]*2026-01-01[^]*by olga at the command line/,
    de: /Dem Zurücksetzen wurde zugestimmt[^]*Entschieden[^]*von olga an der Befehlszeile/,
  },
  cancelled: {
    happen: ({ world, id }) => world.identity.administration.resets.cancel(OLGA, id),
    en: /The request was cancelled[^]*by olga at the command line/,
    de: /Der Antrag wurde verworfen[^]*von olga an der Befehlszeile/,
  },
  expired: {
    happen: async ({ world, browser, root }) => {
      world.clock.advance(RESET_REQUEST_SECONDS)
      await browser.signIn(root)
      await browser.open('/admin/resets')
    },
    en: /Nobody approved it within 24 hours/,
    de: /Niemand hat innerhalb von 24 Stunden zugestimmt/,
  },
  changed: {
    happen: ({ world, bob }) => world.browser().signIn(bob),
    en: /The owner signed in with a second step, or the password/,
    de: /Bei dem Konto gab es eine Anmeldung mit einem zweiten Schritt/,
  },
}

// What would have ended it a second earlier.
const LATER: Readonly<Record<string, (office: Office) => Promise<unknown>>> = {
  'the owner signed in': ({ world, bob }) => world.browser().signIn(bob),
  'the credentials changed after the task of every hour': async ({ world, bob }) => {
    for (const { run } of hourlyTasks(world.app)) await run()
    await world.identity.users.endSessions(bob.id)
  },
}

describe('a request for a reset that has ended while its page was open', () => {
  for (const end of Object.keys(ENDS) as readonly EndedRequest['end'][])
    it(`says to who approves or cancels it what happened, and leads back to the list: ${end} [RA-2201 RA-3101]`, async (test) => {
      const { happen, en, de } = ENDS[end]
      const at = await office(test)
      const { browser, id, world } = at
      const paths = ['approve', 'cancel'].map((deed) => `/admin/resets/${id}/${deed}`)
      for (const path of paths) assert.equal((await browser.open(path)).status, 200)

      await happen(at)

      const factors = (await world.identity.factors.list(at.bob.id)).length
      for (const path of paths)
        for (const page of [
          await browser.submit(path, REASON),
          await browser.open(path),
          await browser.submit(path, { reason: '' }),
        ]) {
          assert.equal(page.status, 410, path)
          assert.match(page.html, /This request has ended/)
          assert.match(page.html, en)
          assert.match(page.html, /bob@example\.test/)
          assert.match(page.html, /href="\/admin\/resets"[^>]*>Requests that wait/)
          assert.doesNotMatch(page.html, /name="reason"/)
        }
      const german = await browser.open(paths[0] ?? '', { headers: { 'accept-language': 'de' } })
      assert.match(german.html, /Dieser Antrag ist beendet/)
      assert.match(german.html, de)
      assert.equal((await world.identity.factors.list(at.bob.id)).length, factors)
      assert.deepEqual(world.faults, [])
    })

  for (const [what, later] of Object.entries(LATER))
    it(`says that it expired when nobody looked at it before ${what} [RA-2201]`, async (test) => {
      const at = await office(test)
      const { world, id } = at
      const { resets } = world.identity.administration
      world.clock.advance(RESET_REQUEST_SECONDS)

      await later(at)

      assert.equal((await resets.endOf(id))?.end, 'expired')
      world.clock.advance(-HOUR_SECONDS)
      assert.equal((await resets.endOf(id))?.end, 'expired')
    })

  for (const end of Object.keys(ENDS) as readonly EndedRequest['end'][])
    it(`says the same when the clock is set back afterwards, or much later: ${end} [RA-2201 RA-2708]`, async (test) => {
      const at = await office(test)
      const { world, id } = at
      const { resets } = world.identity.administration
      await ENDS[end].happen(at)
      const told = await resets.endOf(id)
      assert.equal(told?.end, end)
      assert.equal(told.decidedAt === null, told.decidedBy === null)

      for (const seconds of [-2 * HOUR_SECONDS, 3 * RESET_REQUEST_SECONDS, -4 * RESET_REQUEST_SECONDS]) {
        world.clock.advance(seconds)
        assert.deepEqual(await resets.endOf(id), told, String(seconds))
      }
    })

  it('has expired for good once somebody asked what became of it [RA-2201 RA-2708]', async (test) => {
    const { world, id } = await office(test)
    const { resets } = world.identity.administration
    world.clock.advance(RESET_REQUEST_SECONDS)
    assert.equal((await resets.endOf(id))?.end, 'expired')

    world.clock.advance(-2 * HOUR_SECONDS)

    assert.equal((await resets.endOf(id))?.end, 'expired')
    assert.equal(await resets.find(id), undefined)
  })

  it('is a 410 with a code for programs [RA-0007 RA-2201]', async (test) => {
    const at = await office(test)
    await at.browser.open('/admin/resets')
    await ENDS.changed.happen(at)

    for (const deed of ['approve', 'cancel']) {
      const path = `/admin/resets/${at.id}/${deed}`
      const answer = await at.browser.submit(path, REASON, JSON_ONLY)
      assert.equal(answer.status, 410)
      const { code } = JSON.parse(answer.html) as { readonly code?: unknown }
      assert.equal(code, 'ERR_STARTER_RESET_OVER')
    }
  })

  it('is a 404 only where there never was one [RA-2201]', async (test) => {
    const { browser } = await office(test)

    for (const deed of ['approve', 'cancel'])
      assert.equal((await browser.open(`/admin/resets/nobody/${deed}`)).status, 404)
  })
})

describe('the approval of a request that somebody else has to approve', () => {
  it('says so when it is opened, asks for no reason, and lets who asked cancel [RA-2201]', async (test) => {
    const { world, other, browser, id } = await office(test)
    const asking = world.browser()
    await asking.signIn(other)

    const page = await asking.open(`/admin/resets/${id}/approve`)

    assert.equal(page.status, 403)
    assert.match(
      page.html,
      /You asked for this reset, or someone did under your name\. Another person has to approve it/,
    )
    assert.doesNotMatch(page.html, /name="reason"/)
    assert.match(page.html, new RegExp(`href="/admin/resets/${id}/cancel"`))
    const sent = await asking.submit(`/admin/resets/${id}/approve`, REASON)
    assert.deepEqual([sent.status, /Another person has to approve it/.test(sent.html)], [422, true])
    assert.equal((await browser.open(`/admin/resets/${id}/approve`)).status, 200)
  })

  it('says so to who got the permission from the one who asked [MEND-03 RA-2201]', async (test) => {
    const { world, other, id } = await office(test)
    const second = await world.person('second', { factor: 'enabled' })
    const asking = world.browser()
    await asking.signIn(other)
    for (const permission of ADMINISTRATOR) {
      const path = `/admin/accounts/${second.id}/grant/${permission}`
      await asking.open(path)
      assert.equal((await asking.submit(path, REASON)).status, 303)
    }
    const browser = world.browser()
    await browser.signIn(second)
    const path = `/admin/resets/${id}/approve`

    const [list, page] = [await browser.open('/admin/resets'), await browser.open(path)]
    const german = await browser.open(path, { headers: { 'accept-language': 'de' } })
    const sent = await browser.submit(path, REASON)

    assert.doesNotMatch(list.html, new RegExp(path))
    assert.equal(page.status, 403)
    assert.match(page.html, /you or the person who asked got the permission from the other/)
    assert.match(german.html, /haben die Berechtigung voneinander/)
    assert.doesNotMatch(page.html, /name="reason"/)
    assert.match(page.html, new RegExp(`href="/admin/resets/${id}/cancel"`))
    assert.equal(sent.status, 422)
    assert.match(sent.html, /You or the person who asked got the permission from the other/)
  })

  it('says so to the owner of the account [RA-2201 SCOPE-22]', async (test) => {
    const { world, root, browser } = await office(test)
    await world.identity.administration.resets.reset(OLGA, root.id)
    const waiting = await world.identity.administration.resets.waiting(10)
    const request = waiting.find(({ accountId }) => accountId === root.id)

    const page = await browser.open(`/admin/resets/${request?.id ?? ''}/approve`, {
      headers: { 'accept-language': 'de' },
    })

    assert.equal(page.status, 403)
    assert.match(page.html, /Das ist Ihr eigenes Konto\. Eine andere Person muss dem Zurücksetzen zustimmen/)
    assert.doesNotMatch(page.html, /name="reason"/)
  })
})
