import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertEntries, assertTombstone, idAfter, newId, set, type StartRun, texts } from './run.ts'

/**
 * Declares the tests of concurrent operations.
 *
 * @param start Opens the store, once for each test.
 */
export function testParallelWrites(start: StartRun): void {
  testExpectedUpdates(start)
  it('keeps all of a hundred parallel writes of different keys [R-07]', async () => {
    await using run = await start()
    const { store, id, lifetime } = run
    await store.create(id, new Map(), lifetime)

    const numbers = Array.from({ length: 100 }, (_, i) => i)
    const written = await Promise.all(
      numbers.map((i) => store.update(id, set({ [`k${i}`]: String(i) }), lifetime)),
    )

    assert.ok(written.every(Boolean))
    assertEntries(
      await store.read(id),
      numbers.map((i) => [`k${i}`, String(i)]),
    )
  })

  it('lets one of many parallel rotations win; the others change nothing [R-06]', async () => {
    await using run = await start()
    const { store, id, lifetime } = run
    const targets = Array.from({ length: 20 }, () => idAfter(id))
    await store.create(id, texts({ a: '1' }), lifetime)

    const moved = await Promise.all(
      targets.map((to) => store.rotate(id, to, set({ winner: `"${to}"` }), lifetime)),
    )

    const records = await Promise.all(targets.map((to) => store.read(to)))
    const winner = moved.indexOf(true)
    assert.equal(moved.filter(Boolean).length, 1)
    assert.equal(records.filter((record) => record !== null).length, 1)
    assert.equal(records[winner]?.data.get('winner'), `"${targets[winner]}"`)
  })

  it('loses no write from before a parallel end, and keeps none from after it [R-05]', async () => {
    await using run = await start()
    const { store, lifetime } = run
    for (let round = 0; round < 20; round++) {
      const id = newId()
      const to = idAfter(id)
      await store.create(id, new Map(), lifetime)
      const writes = Array.from(
        { length: 8 },
        (_, i) => (): Promise<boolean> => store.update(id, set({ [`k${i}`]: '1' }), lifetime),
      )
      const end = (): Promise<unknown> =>
        round % 2 === 0 ? store.rotate(id, to, set({}), lifetime) : store.destroy(id)

      const work: (() => Promise<unknown>)[] = [...writes]
      work.splice(round % 9, 0, end)
      const outcomes = await Promise.all(work.map((each) => each()))

      const confirmed = outcomes.filter((outcome, i) => i !== round % 9 && outcome === true).length
      await assertTombstone(store, id)
      if (round % 2 === 0) assert.equal((await store.read(to))?.data.size, confirmed)
    }
  })
}

function testExpectedUpdates(start: StartRun): void {
  it('lets only one of many parallel updates win that expect the same entries [HOLD-20]', async () => {
    await using run = await start()
    const { store, id, lifetime } = run
    const expected = texts({ a: '0' })
    await store.create(id, expected, lifetime)

    const numbers = Array.from({ length: 20 }, (_, i) => i + 1)
    const written = await Promise.all(
      numbers.map((i) => store.update(id, { ...set({ a: String(i) }), expected }, lifetime)),
    )

    assert.equal(written.filter(Boolean).length, 1)
    assertEntries(await store.read(id), texts({ a: String(written.indexOf(true) + 1) }))
  })
}
