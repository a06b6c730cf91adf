/**
 * What every session store must do, whatever it keeps its records in. Run it once for each store.
 *
 * @module
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { type SessionChanges, type SessionStore, TOMBSTONE_MILLISECONDS } from '../../src/session/index.ts'
import { FrozenClock } from '../../src/testing/index.ts'

/** A store under test. */
export interface OpenedStore {
  readonly store: SessionStore
  /** Gives back what the store holds open. */
  close(): void
}

const HOUR = 3_600_000

/**
 * @param name Name of the store.
 * @param open Opens an empty store that follows the clock.
 */
export function describeSessionStore(name: string, open: (clock: FrozenClock) => OpenedStore): void {
  describe(`${name} as a session store`, () => {
    describeRecords(open)
    describeEnds(open)
    describeConcurrency(open)
  })
}

type Open = (clock: FrozenClock) => OpenedStore

function describeRecords(open: Open): void {
  it('gives null for an identifier it does not know', async () => {
    await using run = start(open)

    assert.equal(await run.store.read('unknown'), null)
  })

  it('gives back what it was given', async () => {
    await using run = start(open)
    const data = new Map([['a', '1'], ['b', '"two"']])

    await run.store.create('id', data, run.lifetime)
    data.set('a', 'changed by the caller')

    const record = await run.store.read('id')
    assert.deepEqual([...(record?.data ?? [])].sort(), [['a', '1'], ['b', '"two"']])
    assert.equal(record?.ended, false)
    assert.deepEqual({ createdAt: record?.createdAt, expiresAt: record?.expiresAt }, run.lifetime)
  })

  for (const key of ['__proto__', 'constructor', 'toString', '', '0', '-1', 'a.b', 'é', '\ud83d\ude00', "'; DROP TABLE x; --", '"', '\0']) {
    it(`keeps an entry under the key ${JSON.stringify(key)}`, async () => {
      await using run = start(open)

      await run.store.create('id', new Map([[key, '"first"']]), run.lifetime)
      await run.store.update('id', set({ other: '1' }), run.lifetime)

      const record = await run.store.read('id')
      assert.equal(record?.data.get(key), '"first"')
      assert.equal(record?.data.size, 2)
      assert.equal(await run.store.update('id', remove(key), run.lifetime), true)
      assert.deepEqual([...((await run.store.read('id'))?.data.keys() ?? [])], ['other'])
    })
  }

  it('keeps a large text as it is', async () => {
    await using run = start(open)
    const text = JSON.stringify('\u0000\ud800\u2028"\\é'.repeat(5000))

    await run.store.create('id', new Map([['a', text]]), run.lifetime)

    assert.equal((await run.store.read('id'))?.data.get('a'), text)
  })

  it('applies changes to a live record and leaves its other entries', async () => {
    await using run = start(open)
    await run.store.create('id', new Map([['a', '1'], ['b', '2'], ['c', '3']]), run.lifetime)

    const written = await run.store.update('id', { set: new Map([['b', '20'], ['d', '4']]), removed: new Set(['c', 'x']) }, run.lifetime)

    assert.equal(written, true)
    const record = await run.store.read('id')
    assert.deepEqual([...(record?.data ?? [])].sort(), [['a', '1'], ['b', '20'], ['d', '4']])
  })

  it('moves the expiry with an update that changes nothing', async () => {
    await using run = start(open)
    await run.store.create('id', new Map([['a', '1']]), run.lifetime)

    await run.store.update('id', set({}), { ...run.lifetime, expiresAt: run.lifetime.expiresAt + HOUR })

    run.clock.advance(5400)
    assert.equal((await run.store.read('id'))?.data.get('a'), '1')
  })

  it('keeps two records apart', async () => {
    await using run = start(open)
    await run.store.create('one', new Map([['a', '1']]), run.lifetime)
    await run.store.create('two', new Map([['a', '2']]), run.lifetime)

    await run.store.update('one', set({ a: '10' }), run.lifetime)
    await run.store.destroy('one')

    assert.equal((await run.store.read('two'))?.data.get('a'), '2')
  })

  it('does not change a record that was read before', async () => {
    await using run = start(open)
    await run.store.create('id', new Map([['a', '1']]), run.lifetime)
    const before = await run.store.read('id')

    await run.store.update('id', set({ a: '2', b: '3' }), run.lifetime)
    await run.store.destroy('id')

    assert.deepEqual([...(before?.data ?? [])], [['a', '1']])
    assert.equal(before?.ended, false)
  })
}

function describeEnds(open: Open): void {
  it('forgets a record at the moment it expires', async () => {
    await using run = start(open)
    await run.store.create('id', new Map([['a', '1']]), run.lifetime)

    run.clock.advance(3599.999)
    assert.notEqual(await run.store.read('id'), null)
    run.clock.advance(0.001)
    assert.equal(await run.store.read('id'), null)
  })

  it('writes nothing to a record that has expired', async () => {
    await using run = start(open)
    await run.store.create('id', new Map([['a', '1']]), run.lifetime)
    run.clock.advance(3600)
    const later = { createdAt: run.clock.milliseconds(), expiresAt: run.clock.milliseconds() + HOUR }

    assert.equal(await run.store.update('id', set({ b: '2' }), later), false)
    assert.equal(await run.store.rotate('id', 'to', set({ b: '2' }), later), false)
    await run.store.destroy('id')

    assert.equal(await run.store.read('id'), null)
    assert.equal(await run.store.read('to'), null)
  })

  it('writes nothing to an identifier it does not know', async () => {
    await using run = start(open)

    assert.equal(await run.store.update('id', set({ a: '1' }), run.lifetime), false)
    assert.equal(await run.store.rotate('id', 'to', set({ a: '1' }), run.lifetime), false)
    await run.store.destroy('id')

    assert.equal(await run.store.read('id'), null)
    assert.equal(await run.store.read('to'), null)
  })

  it('rotates: the data with the changes goes to the new identifier, a tombstone stays', async () => {
    await using run = start(open)
    await run.store.create('from', new Map([['a', '1'], ['b', '2']]), run.lifetime)
    const later = { createdAt: run.lifetime.createdAt + 1000, expiresAt: run.lifetime.expiresAt + 1000 }

    const moved = await run.store.rotate('from', 'to', { set: new Map([['c', '3']]), removed: new Set(['b']) }, later)

    assert.equal(moved, true)
    const record = await run.store.read('to')
    assert.deepEqual([...(record?.data ?? [])].sort(), [['a', '1'], ['c', '3']])
    assert.deepEqual({ createdAt: record?.createdAt, expiresAt: record?.expiresAt }, later)
    const tombstone = await run.store.read('from')
    assert.equal(tombstone?.ended, true)
    assert.equal(tombstone?.data.size, 0)
  })

  it('never writes to a tombstone, nor rotates it', async () => {
    await using run = start(open)
    await run.store.create('from', new Map([['a', '1']]), run.lifetime)
    await run.store.rotate('from', 'to', set({}), run.lifetime)

    assert.equal(await run.store.update('from', set({ a: '2' }), run.lifetime), false)
    assert.equal(await run.store.rotate('from', 'third', set({ a: '2' }), run.lifetime), false)

    assert.equal((await run.store.read('from'))?.ended, true)
    assert.equal(await run.store.read('third'), null)
    assert.equal((await run.store.read('to'))?.data.get('a'), '1')
  })

  it('remembers an end for seconds, not longer', async () => {
    await using run = start(open)
    await run.store.create('from', new Map(), run.lifetime)
    await run.store.rotate('from', 'to', set({}), run.lifetime)

    run.clock.advance(TOMBSTONE_MILLISECONDS / 1000 - 0.001)
    assert.equal((await run.store.read('from'))?.ended, true)
    run.clock.advance(0.001)
    assert.equal(await run.store.read('from'), null)
    assert.ok(TOMBSTONE_MILLISECONDS <= 60_000)
  })

  it('destroys: the data is gone, a tombstone stays; a second time changes nothing', async () => {
    await using run = start(open)
    await run.store.create('id', new Map([['a', '1']]), run.lifetime)

    await run.store.destroy('id')
    run.clock.advance(20)
    await run.store.destroy('id')

    const tombstone = await run.store.read('id')
    assert.equal(tombstone?.ended, true)
    assert.equal(tombstone?.data.size, 0)
    run.clock.advance(10)
    assert.equal(await run.store.read('id'), null)
  })

  it('ends a rotated session by its new identifier only', async () => {
    await using run = start(open)
    await run.store.create('from', new Map([['a', '1']]), run.lifetime)
    await run.store.rotate('from', 'to', set({}), run.lifetime)

    await run.store.destroy('from')
    assert.equal((await run.store.read('to'))?.ended, false)
    await run.store.destroy('to')
    assert.equal((await run.store.read('to'))?.ended, true)
  })

  it('stays whole when the clock is put back', async () => {
    await using run = start(open)
    await run.store.create('id', new Map([['a', '1']]), run.lifetime)

    run.clock.advance(-86_400)

    assert.equal(await run.store.update('id', set({ b: '2' }), run.lifetime), true)
    assert.equal((await run.store.read('id'))?.data.size, 2)
  })
}

function describeConcurrency(open: Open): void {
  it('R-07: keeps every one of a hundred parallel writes of different keys', async () => {
    await using run = start(open)
    await run.store.create('id', new Map(), run.lifetime)

    await Promise.all(Array.from({ length: 100 }, (_, i) => run.store.update('id', set({ [`k${i}`]: String(i) }), run.lifetime)))

    const record = await run.store.read('id')
    assert.equal(record?.data.size, 100)
    assert.equal(record?.data.get('k57'), '57')
  })

  it('R-06: lets one of many parallel rotations win; the others change nothing', async () => {
    await using run = start(open)
    await run.store.create('from', new Map([['a', '1']]), run.lifetime)

    const moved = await Promise.all(
      Array.from({ length: 20 }, (_, i) => run.store.rotate('from', `to${i}`, set({ winner: String(i) }), run.lifetime)),
    )

    const records = await Promise.all(Array.from({ length: 20 }, (_, i) => run.store.read(`to${i}`)))
    assert.equal(moved.filter(Boolean).length, 1)
    assert.equal(records.filter((record) => record !== null).length, 1)
    assert.equal(records[moved.indexOf(true)]?.data.get('winner'), String(moved.indexOf(true)))
  })

  it('R-05: brings no session back, whatever the order of an end and a write', async () => {
    const ends: ((run: Run) => Promise<unknown>)[] = [
      ({ store }) => store.destroy('id'),
      ({ store, lifetime }) => store.rotate('id', 'to', set({}), lifetime),
    ]
    for (const end of ends) {
      for (const endsFirst of [true, false]) {
        await using run = start(open)
        await run.store.create('id', new Map([['a', '1']]), run.lifetime)
        const write = (): Promise<boolean> => run.store.update('id', set({ a: '2' }), run.lifetime)

        await Promise.all(endsFirst ? [end(run), write()] : [write(), end(run)])

        assert.equal((await run.store.read('id'))?.ended, true)
        assert.equal((await run.store.read('id'))?.data.size, 0)
      }
    }
  })
}

interface Run extends AsyncDisposable {
  readonly store: SessionStore
  readonly clock: FrozenClock
  readonly lifetime: { readonly createdAt: number; readonly expiresAt: number }
}

function start(open: Open): Run {
  const clock = new FrozenClock()
  const { store, close } = open(clock)
  const now = clock.milliseconds()
  return {
    store,
    clock,
    lifetime: { createdAt: now, expiresAt: now + HOUR },
    [Symbol.asyncDispose]: async () => close(),
  }
}

function set(entries: Record<string, string>): SessionChanges {
  return { set: new Map(Object.entries(entries)), removed: new Set() }
}

function remove(...keys: string[]): SessionChanges {
  return { set: new Map(), removed: new Set(keys) }
}
