import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Gates } from '../gates.ts'
import {
  destroy,
  end,
  keys,
  open,
  policy,
  type RaceRun,
  request,
  rotate,
  visit,
  type Work,
  write,
} from './visits.ts'

/**
 * Declares the tests of overlapping requests on one session. Each test fixes the order of reads and commits.
 *
 * @param start Opens the store, once for each test.
 */
export function testSessionRaces(start: () => Promise<RaceRun>): void {
  testWrites(start)
  testOrder(start)
  testEnds(start)
  testRemovals(start)
  testOldCookies(start)
}

function testWrites(start: () => Promise<RaceRun>): void {
  it('two requests that overlap and write different keys both survive [R-07]', async () => {
    await using run = await start()
    const browser = await open(run)
    const gates = new Gates(run.store)
    const first = await request({ ...run, store: gates.target }, browser, write('first'))
    const second = await request(run, browser, write('second'))

    const gate = gates.hold('update')
    const slow = end(first)
    await gate.reached()
    await end(second)
    gate.release()
    await slow

    assert.deepEqual(await keys(run, browser), ['first', 'second', 'start'])
  })

  it('fifty requests that commit at the same time all survive, including removals [R-07]', async () => {
    await using run = await start()
    const browser = await open(run)
    const numbers = Array.from({ length: 50 }, (_, i) => i)
    const before = await request(run, browser, async (session) => {
      for (const i of numbers) await session.set(`old${i}`, i)
    })
    await end(before)

    const requests = await Promise.all(
      numbers.map((i) =>
        request(run, browser, async (session) => {
          await session.set(`new${i}`, i)
          await session.remove(`old${i}`)
        }),
      ),
    )
    await Promise.all(requests.map(end))

    assert.deepEqual(await keys(run, browser), [...numbers.map((i) => `new${i}`), 'start'].sort())
  })
}

function testOrder(start: () => Promise<RaceRun>): void {
  it('of two overlapping requests that write one key, the later commit wins', async () => {
    await using run = await start()
    const browser = await open(run)
    const first = await request(run, browser, (session) => session.set('key', 'first'))
    const second = await request(run, browser, (session) => session.set('key', 'second'))

    await end(second)
    await end(first)

    assert.equal(await visit(run, browser).get('key'), 'first')
  })

  it('writes nothing when the entries are larger than the policy allows', async () => {
    await using run = await start()
    const browser = await open(run)
    const large = await request(run, browser, async (session) => {
      await session.set('small', 1)
      await session.set('large', 'x'.repeat(policy.maxBytes))
    })

    await assert.rejects(end(large), RangeError)

    assert.deepEqual(await keys(run, browser), ['start'])
  })
}

function testEnds(start: () => Promise<RaceRun>): void {
  for (const [name, work, method] of [
    ['destroyed', destroy, 'destroy'],
    ['rotated', rotate, 'rotate'],
  ] as const) {
    it(`a write that reaches the store after its session was ${name} revives nothing [R-05]`, async () => {
      await using run = await start()
      const browser = await open(run)
      const gates = new Gates(run.store)
      const late = await request({ ...run, store: gates.target }, browser, write('late'))
      const ending = await request(run, browser, work)

      const gate = gates.hold('update')
      const slow = end(late)
      await gate.reached()
      const next = await end(ending)
      gate.release()

      assert.equal(await slow, null)
      assert.deepEqual(await keys(run, browser), [])
      if (typeof next === 'string' && next !== '') assert.deepEqual(await keys(run, next), ['start'])
    })

    it(`a write that reached the store before its session was ${name} is included [R-05]`, async () => {
      await using run = await start()
      const browser = await open(run)
      const gates = new Gates(run.store)
      const early = await request(run, browser, write('early'))
      const ending = await request({ ...run, store: gates.target }, browser, work)

      const gate = gates.hold(method)
      const slow = end(ending)
      await gate.reached()
      await end(early)
      gate.release()
      const next = await slow

      assert.deepEqual(await keys(run, browser), [])
      if (typeof next === 'string' && next !== '') assert.deepEqual(await keys(run, next), ['early', 'start'])
    })
  }

  it('of two overlapping requests that rotate, one gets a new cookie and the other none [R-06]', async () => {
    await using run = await start()
    const browser = await open(run)
    const requests = await Promise.all([request(run, browser, rotate), request(run, browser, rotate)])

    const cookies = await Promise.all(requests.map(end))

    const given = cookies.filter((cookie) => cookie !== null)
    assert.equal(given.length, 1)
    assert.deepEqual(await keys(run, given[0] ?? ''), ['start'])
  })
}

function testRemovals(start: () => Promise<RaceRun>): void {
  const remove: Work = (session) => session.remove('start')
  const rotateAndRemove: Work = async (session) => {
    await session.regenerateId()
    await session.remove('start')
  }
  for (const [name, work] of [
    ['request', remove],
    ['rotation', rotateAndRemove],
  ] as const) {
    it(`a ${name} that removes an entry, after two rotations by others, removes it from the latest record [R-06]`, async () => {
      await using run = await start()
      const browser = await open(run)
      const late = await request(run, browser, async (session) => {
        await work(session)
        await session.set('late', 1)
      })
      await end(await request(run, browser, write('key')))
      const first = await end(await request(run, browser, rotate))
      const second = await end(await request(run, first ?? '', rotate))

      assert.equal(await end(late), null)
      assert.deepEqual(await keys(run, second ?? ''), ['key'])
    })
  }

  for (const [what, other, left] of [
    ['goes when another one only rotated', rotate, undefined],
    ['stays as another one replaced it', replace('other'), 'other'],
    ['stays when another one wrote the same', replace('mine'), 'mine'],
  ] as const) {
    it(`what a late request meant to replace ${what} [R-05]`, async () => {
      await using run = await start()
      const browser = await open(run)
      const late = await request(run, browser, replace('mine'))
      const next = await end(await request(run, browser, other))

      assert.equal(await end(late), null)
      assert.equal(await visit(run, next ?? '').get('start'), left)
    })
  }
}

// The same steps as a login: the previous identity ends, and a new one begins.
function replace(value: string): Work {
  return async (session) => {
    await session.regenerateId()
    await session.remove('start')
    await session.set('start', value)
  }
}

function testOldCookies(start: () => Promise<RaceRun>): void {
  for (const [name, work] of [
    ['rotation', rotate],
    ['destruction', destroy],
  ] as const) {
    it(`an old cookie is anonymous after a ${name}, and its response sets no cookie [R-06]`, async () => {
      await using run = await start()
      const browser = await open(run)
      await end(await request(run, browser, work))

      const reading = visit(run, browser)
      assert.equal(await reading.get('start'), undefined)
      assert.equal(await end(reading), null)
      for (const late of [write('late'), rotate, destroy]) {
        assert.equal(await end(await request(run, browser, late)), null)
      }

      assert.deepEqual(await keys(run, browser), [])
    })
  }

  it('adopts no identifier that it did not issue', async () => {
    await using run = await start()
    const chosen = 'A'.repeat(43)

    const cookie = await end(await request(run, chosen, write('key')))

    assert.match(cookie ?? '', /^[A-Za-z0-9_-]{43}$/)
    assert.notEqual(cookie, chosen)
    assert.deepEqual(await keys(run, chosen), [])
    assert.deepEqual(await keys(run, cookie ?? ''), ['key'])
  })
}
