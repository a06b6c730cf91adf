import assert from 'node:assert/strict'
import { it } from 'node:test'
import { TOMBSTONE_MILLISECONDS } from '../../session/index.ts'
import { assertEntries, assertTombstone, idAfter, set, type StartRun, texts } from './run.ts'

const HOUR = 3_600_000

/**
 * Declares the tests of the lifetime of records.
 *
 * @param start Opens the store, once for each test.
 */
export function testExpiry(start: StartRun): void {
  it('forgets a record at the moment it expires, and writes nothing to it afterwards', async () => {
    await using run = await start()
    const { store, clock, id, to, lifetime } = run
    await store.create(id, texts({ a: '1' }), lifetime)

    clock.advance(3599.999)
    assert.notEqual(await store.read(id), null)
    clock.advance(0.001)
    assert.equal(await store.read(id), null)

    const later = { createdAt: lifetime.expiresAt, expiresAt: lifetime.expiresAt + HOUR }
    assert.equal(await store.update(id, set({ b: '2' }), later), false)
    assert.equal(await store.rotate(id, to, set({ b: '2' }), later), false)
    await store.destroy(id)
    assert.equal(await store.read(id), null)
    assert.equal(await store.read(to), null)
  })

  it('moves the expiry with an update that changes nothing', async () => {
    await using run = await start()
    const { store, clock, id, lifetime } = run
    await store.create(id, texts({ a: '1' }), lifetime)

    await store.update(id, set({}), { ...lifetime, expiresAt: lifetime.expiresAt + HOUR })
    clock.advance(5400)

    const record = await store.read(id)
    assertEntries(record, texts({ a: '1' }))
    assert.equal(record?.expiresAt, lifetime.expiresAt + HOUR)
    assert.equal(record.createdAt, lifetime.createdAt)
  })

  it('can also shorten the expiry', async () => {
    await using run = await start()
    const { store, clock, id, lifetime } = run
    await store.create(id, new Map(), lifetime)

    await store.update(id, set({ a: '1' }), { ...lifetime, expiresAt: lifetime.createdAt + 1000 })
    clock.advance(1)

    assert.equal(await store.read(id), null)
  })

  testOddTimes(start)
}

function testOddTimes(start: StartRun): void {
  it('keeps no record that has expired before it is written', async () => {
    await using run = await start()
    const past = { createdAt: run.lifetime.createdAt - 2000, expiresAt: run.lifetime.createdAt - 1000 }

    await run.store.create(run.id, texts({ a: '1' }), past)

    assert.equal(await run.store.read(run.id), null)
  })
}

/**
 * Declares the tests of rotation.
 *
 * @param start Opens the store, once for each test.
 */
export function testRotation(start: StartRun): void {
  it('moves the data with the changes to the new identifier and leaves a tombstone', async () => {
    await using run = await start()
    const { store, id, to, lifetime } = run
    await store.create(id, texts({ a: '1', b: '2' }), lifetime)
    const later = { createdAt: lifetime.createdAt + 1000, expiresAt: lifetime.expiresAt + 1000 }

    const moved = await store.rotate(id, to, { set: texts({ c: '3' }), removed: new Set(['b']) }, later)

    assert.equal(moved, true)
    const record = await store.read(to)
    assertEntries(record, texts({ a: '1', c: '3' }))
    assert.deepEqual({ createdAt: record?.createdAt, expiresAt: record?.expiresAt }, later)
    assert.equal(record?.successor, null)
    await assertTombstone(store, id, to)
  })

  it('never writes to a tombstone, nor rotates it', async () => {
    await using run = await start()
    const { store, id, to, lifetime } = run
    const third = idAfter(id)
    await store.create(id, texts({ a: '1' }), lifetime)
    await store.rotate(id, to, set({}), lifetime)

    assert.equal(await store.update(id, set({ a: '2' }), lifetime), false)
    assert.equal(await store.rotate(id, third, set({ a: '2' }), lifetime), false)
    await store.destroy(id)

    await assertTombstone(store, id)
    assert.equal(await store.read(third), null)
    assertEntries(await store.read(to), texts({ a: '1' }))
  })

  it('follows a chain of rotations: one identifier is live and its data is complete', async () => {
    await using run = await start()
    const { store, id: first, lifetime } = run
    const ids = [first, ...Array.from({ length: 11 }, () => idAfter(first))]
    await store.create(first, texts({ start: '0' }), lifetime)

    for (const [i, id] of ids.slice(1).entries()) {
      assert.equal(await store.rotate(ids[i] ?? '', id, set({ [`step${i}`]: String(i) }), lifetime), true)
    }

    const records = await Promise.all(ids.map((id) => store.read(id)))
    assert.deepEqual(
      records.map((record) => record?.ended),
      [...Array.from({ length: 11 }, () => true), false],
    )
    assert.equal(records.at(-1)?.data.size, 12)
  })
}

/**
 * Declares the tests of destroyed records.
 *
 * @param start Opens the store, once for each test.
 */
export function testDestruction(start: StartRun): void {
  it('drops the data and leaves a tombstone; a second time changes nothing', async () => {
    await using run = await start()
    const { store, clock, id, to, lifetime } = run
    await store.create(id, texts({ a: '1' }), lifetime)

    await store.destroy(id)
    clock.advance(20)
    await store.destroy(id)

    await assertTombstone(store, id, null)
    assert.equal(await store.update(id, set({ a: '2' }), lifetime), false)
    assert.equal(await store.rotate(id, to, set({ a: '2' }), lifetime), false)
    clock.advance(TOMBSTONE_MILLISECONDS / 1000 - 20)
    assert.equal(await store.read(id), null)
    assert.equal(await store.read(to), null)
  })

  it('remembers an end for seconds, not longer', async () => {
    await using run = await start()
    await run.store.create(run.id, new Map(), run.lifetime)
    await run.store.rotate(run.id, run.to, set({}), run.lifetime)

    run.clock.advance(TOMBSTONE_MILLISECONDS / 1000 - 0.001)
    await assertTombstone(run.store, run.id)
    run.clock.advance(0.001)
    assert.equal(await run.store.read(run.id), null)
  })

  it('ends a rotated session only by its new identifier', async () => {
    await using run = await start()
    const { store, id, to, lifetime } = run
    await store.create(id, texts({ a: '1' }), lifetime)
    await store.rotate(id, to, set({}), lifetime)

    await store.destroy(id)
    assert.equal((await store.read(to))?.ended, false)
    await store.destroy(to)
    await assertTombstone(store, to)
  })
}
