import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { RequestSession } from '../../session/internal.ts'
import { destroy, end, keys, open, type RaceRun, request, rotate, type Work, write } from './visits.ts'

/** What a request does; each write has its own key. */
type Deed = 'write' | 'rotate' | 'destroy'

/** Indexes of requests: the first occurrence is reading, the second committing. */
type Order = readonly number[]

const deeds: readonly Deed[] = ['write', 'rotate', 'destroy']

/**
 * Declares the tests of requests that read and commit in every possible order, against a model.
 *
 * @param start Opens the store, once for each test.
 */
export function testInterleavings(start: () => Promise<RaceRun>): void {
  it('two requests end as expected in every order, whatever they do [R-05 R-06]', async () => {
    await using run = await start()
    for (const order of ordersOf([0, 0, 1, 1])) {
      for (let i = 0; i < 9; i++) await testOrder(run, order, deedsOf(i, 2))
    }
  })

  it('three requests end as expected in every order [R-05 R-06]', async () => {
    await using run = await start()
    // Seven and the number of combinations are coprime, so that all of them occur.
    for (const [i, order] of ordersOf([0, 0, 1, 1, 2, 2]).entries())
      await testOrder(run, order, deedsOf((i * 7) % 27, 3))
  })
}

async function testOrder(run: RaceRun, order: Order, work: readonly Deed[]): Promise<void> {
  const browser = await open(run)
  const requests = new Map<number, RequestSession>()
  const cookies: string[] = []
  for (const index of order) {
    const session = requests.get(index)
    if (session === undefined) {
      requests.set(index, await request(run, browser, workOf(work[index], index)))
    } else {
      const cookie = await end(session)
      if (cookie !== null && cookie !== '') cookies.push(cookie)
    }
  }
  const expected = modelOf(order, work)
  const label = `${work.join(', ')} in the order ${order.join('')}`

  assert.deepEqual(await keys(run, browser), expected.underOldCookie, `${label}: the old cookie`)
  assert.equal(cookies.length, expected.underNewCookie === null ? 0 : 1, `${label}: number of new cookies`)
  if (expected.underNewCookie !== null) {
    assert.deepEqual(await keys(run, cookies[0] ?? ''), expected.underNewCookie, `${label}: the new cookie`)
  }
}

/**
 * The expected outcome. Writes and rotations take effect in the order of their commits, until the session is rotated or
 * destroyed. A destruction also reaches the session that an earlier or concurrent rotation created, so that a confirmed
 * logout is reliable. A request that comes after an end adds nothing.
 */
function modelOf(
  order: Order,
  work: readonly Deed[],
): { underOldCookie: readonly string[]; underNewCookie: readonly string[] | null } {
  let underOldCookie = ['start']
  let underNewCookie: string[] | null = null
  const hasRead = new Set<number>()
  for (const index of order) {
    const isLive = underOldCookie.length > 0
    if (!hasRead.has(index)) {
      hasRead.add(index)
    } else if (work[index] === 'destroy') {
      underOldCookie = []
      if (underNewCookie !== null) underNewCookie = []
    } else if (work[index] === 'rotate' && isLive) {
      underNewCookie = underOldCookie
      underOldCookie = []
    } else if (work[index] === 'write' && isLive) {
      underOldCookie = [...underOldCookie, `w${index}`].sort()
    }
  }
  return { underOldCookie, underNewCookie }
}

function workOf(deed: Deed | undefined, index: number): Work {
  if (deed === 'rotate') return rotate
  return deed === 'destroy' ? destroy : write(`w${index}`)
}

/** The combination with the given number: its digits in base three. */
function deedsOf(number: number, count: number): Deed[] {
  return Array.from({ length: count }, (_, i) => deeds[Math.floor(number / 3 ** i) % 3] ?? 'write')
}

/** Every distinct order of the steps. */
function ordersOf(steps: Order): Order[] {
  if (steps.length === 0) return [[]]
  return [...new Set(steps)].flatMap((step) => {
    const at = steps.indexOf(step)
    return ordersOf(steps.toSpliced(at, 1)).map((rest) => [step, ...rest])
  })
}
