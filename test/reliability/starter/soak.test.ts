import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type Held, slopeOf, Tally } from '../../../packages/sallyport-app/src/testing/soak/index.ts'
import { Closing, withoutPostgres, withoutRedis } from '../../../packages/sallyport-app/src/testing/index.ts'
import { type Deed, Soak } from './soak.ts'

const IS_NIGHT = process.env['NIGHTLY'] === '1'
// By day a short one shows that the program works: the machine is busy then, and a minute says nothing of memory.
const MINUTES = IS_NIGHT ? Number(process.env['SOAK_MINUTES'] ?? 30) : 1
const MINUTE_MILLISECONDS = IS_NIGHT ? 60_000 : 20_000
const MEMBERS = IS_NIGHT ? 40 : 8
// A machine that is busy with something else refuses what waits too long.
const ALWAYS_EXCUSED = IS_NIGHT ? [] : [503]

// Until then caches fill, and code is compiled.
const WARM_MINUTES = 10
const MEBIBYTE = 2 ** 20
const MAX_HEAP_BYTES_PER_MINUTE = MEBIBYTE / 60
const MAX_RSS_DRIFT = 0.05
// Connections come and go.
const MAX_MORE_RESOURCES = 20

const DEEDS: readonly Deed[] = ['end', 'postgres', 'kill', 'redis']

/** What is done in a minute: one thing at night, and everything by day. */
function deedsOf(minute: number): readonly Deed[] {
  return IS_NIGHT ? DEEDS.slice((minute - 1) % DEEDS.length).slice(0, 1) : DEEDS
}

function mebibytes(values: readonly number[]): string {
  return values.map((value) => (value / MEBIBYTE).toFixed(1)).join(', ')
}

describe('members of four processes', { skip: withoutPostgres || withoutRedis }, () => {
  const closing = new Closing()
  const held: (readonly Held[])[] = []
  let soak: Soak
  before(async () => {
    const tally = new Tally(ALWAYS_EXCUSED)
    soak = await Soak.begin(closing, { members: MEMBERS, tally })
  })
  after(() => closing.close())

  for (let minute = 1; minute <= MINUTES; minute += 1)
    it(`see nothing unexpected in minute ${minute}, although things break [RA-3202 R-70]`, async (test) => {
      const [before, deeds] = [soak.tally.count, deedsOf(minute)]
      const began = performance.now()
      for (const deed of deeds) {
        await pause(MINUTE_MILLISECONDS / (deeds.length + 1) / 2)
        await soak.do(deed)
      }
      await pause(Math.max(0, began + MINUTE_MILLISECONDS - performance.now()))
      held.push(await soak.held())

      const { excused, unexpected } = soak.tally.judge()
      const answered = soak.tally.count - before
      const seconds = (performance.now() - began) / 1000
      const now = held.at(-1) ?? []
      test.diagnostic(
        `minute ${minute}: ${(answered / seconds).toFixed(0)} requests/s, ${deeds.join(', ')}; ` +
          `excused ${JSON.stringify(Object.fromEntries(excused))}, members ${soak.members.length}; ` +
          `heap ${mebibytes(now.map(({ heapUsed }) => heapUsed))} MiB, of it code ${mebibytes(now.map(({ code }) => code))} MiB, memory ${mebibytes(now.map(({ rss }) => rss))} MiB, ` +
          `resources ${now.map(({ resources }) => resources).join(', ')}`,
      )
      assert.ok(answered > 0)
      assert.deepEqual(unexpected, [])
    })

  it('find everything at the end that was confirmed: account, password, authenticator app [RA-3202]', async (test) => {
    await soak.end()

    await soak.readBack()

    const { unexpected } = soak.tally.judge()
    test.diagnostic(
      `${soak.members.length} accounts, ${soak.tally.count} requests, ${soak.tally.faults.length} faults`,
    )
    assert.deepEqual(unexpected, [])
    assert.ok(soak.members.some(({ secret }) => secret !== undefined))
  })

  // A shorter run says nothing of it.
  if (MINUTES >= 2 * WARM_MINUTES)
    it('let no process grow [RA-3202 R-70]', (test) => {
      for (const [index] of (held[0] ?? []).entries()) {
        const own = held
          .slice(WARM_MINUTES)
          .map((minute) => minute[index])
          .filter((each) => each !== undefined)
        const half = Math.floor(own.length / 2)
        const meanOf = (part: readonly Held[], what: keyof Held): number =>
          part.reduce((sum, each) => sum + each[what], 0) / part.length
        const slope = slopeOf(own.map(({ heapUsed, code }) => heapUsed - code))
        const ofCode = slopeOf(own.map(({ code }) => code))
        const [first, last] = [own.slice(0, half), own.slice(half)]
        const drift = meanOf(last, 'rss') / meanOf(first, 'rss') - 1
        const more = meanOf(last, 'resources') - meanOf(first, 'resources')
        test.diagnostic(
          `process ${index + 2}: heap ${((60 * slope) / MEBIBYTE).toFixed(2)} MiB an hour and code ${((60 * ofCode) / MEBIBYTE).toFixed(2)}, memory ${(100 * drift).toFixed(1)} %, resources ${more.toFixed(1)}`,
        )
        assert.ok(slope <= MAX_HEAP_BYTES_PER_MINUTE, 'the heap grows')
        assert.ok(drift <= MAX_RSS_DRIFT, 'the memory grows')
        assert.ok(more <= MAX_MORE_RESOURCES, 'connections or timers grow')
      }
    })
})
