import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { randomIdentifier } from '../../src/core/internal.ts'
import { MemorySessionStore } from '../../src/session/index.ts'
import { FrozenClock, proveSessionStore } from '../../src/testing/index.ts'

describe('MemorySessionStore as a session store', () => {
  proveSessionStore((clock) => new MemorySessionStore({ clock }))
})

describe('MemorySessionStore', () => {
  it('keeps no more records than allowed: the one written longest ago is dropped', async () => {
    const clock = new FrozenClock()
    const store = new MemorySessionStore({ clock, maxRecords: 3 })
    const lifetime = { createdAt: 0, expiresAt: clock.milliseconds() + 1000 }
    for (const id of ['a', 'b', 'c']) await store.create(id, new Map(), lifetime)

    await store.update('a', { set: new Map([['x', '1']]), removed: new Set() }, lifetime)
    await store.create('d', new Map(), lifetime)

    assert.equal(store.size, 3)
    assert.equal(await store.read('b'), null)
    assert.notEqual(await store.read('a'), null)
  })

  it('drops expired records during writes, without a timer', async () => {
    const clock = new FrozenClock()
    const store = new MemorySessionStore({ clock })
    for (let i = 0; i < 1000; i++) {
      await store.create(`old${i}`, new Map(), { createdAt: 0, expiresAt: clock.milliseconds() + 1000 })
    }

    clock.advance(2)
    for (let i = 0; i < 400; i++) {
      await store.create(`new${i}`, new Map(), { createdAt: 0, expiresAt: clock.milliseconds() + 1000 })
    }

    assert.equal(store.size, 400)
  })

  it('inspects some records with each eighth write, and not with the others', async () => {
    const clock = new FrozenClock()
    const store = new MemorySessionStore({ clock })
    const write = async (many: number): Promise<number> => {
      for (let i = 0; i < many; i++)
        await store.create(randomIdentifier(), new Map(), {
          createdAt: 0,
          expiresAt: clock.milliseconds() + 1000,
        })
      return store.size
    }
    await write(40)

    clock.advance(1)

    assert.deepEqual([await write(7), await write(1), await write(7), await write(1)], [47, 16, 23, 16])
  })

  it('inspects none when it is exactly full', async () => {
    const clock = new FrozenClock()
    const store = new MemorySessionStore({ clock, maxRecords: 2 })
    const write = (id: string): Promise<void> =>
      store.create(id, new Map(), { createdAt: 0, expiresAt: clock.milliseconds() + 1000 })
    await write('old')

    clock.advance(1)
    await write('new')

    assert.equal(store.size, 2)
  })

  it('keeps an unchanged record, and never changes one that was read', async () => {
    const clock = new FrozenClock()
    const store = new MemorySessionStore({ clock })
    const lifetime = { createdAt: 0, expiresAt: clock.milliseconds() + 1000 }
    const given = new Map([['a', '1']])
    await store.create('id', given, lifetime)
    given.set('a', 'changed')
    const before = await store.read('id')

    await store.update('id', { set: new Map(), removed: new Set() }, lifetime)
    const same = await store.read('id')
    await store.update('id', { set: new Map([['b', '2']]), removed: new Set(['a', 'b']) }, lifetime)

    assert.equal(same?.data, before?.data)
    assert.deepEqual([...(before?.data ?? [])], [['a', '1']])
    assert.deepEqual([...((await store.read('id'))?.data ?? [])], [['b', '2']])
  })

  it('drops a record dated more than a minute in the future, and no other [HOLD-50]', async () => {
    const clock = new FrozenClock()
    const store = new MemorySessionStore({ clock })
    const now = clock.milliseconds()
    const expiresAt = now + 3_600_000
    await store.create('ahead', new Map(), { createdAt: now + 60_000, expiresAt })
    await store.create('too far', new Map(), { createdAt: now + 60_001, expiresAt })

    for (let i = 0; i < 6; i++) await store.create('other', new Map(), { createdAt: now, expiresAt })

    assert.notEqual(await store.read('ahead'), null)
    assert.equal(await store.read('too far'), null)
    assert.equal(store.size, 2)
  })

  it('returns and changes no expired record before it is swept', async () => {
    const clock = new FrozenClock()
    const store = new MemorySessionStore({ clock })
    const now = clock.milliseconds()
    const lifetime = { createdAt: now, expiresAt: now + 1000 }
    await store.create('id', new Map(), lifetime)
    clock.advance(1)

    assert.equal(await store.read('id'), null)
    assert.equal(await store.update('id', { set: new Map(), removed: new Set() }, lifetime), false)
    assert.equal(await store.rotate('id', 'to', { set: new Map(), removed: new Set() }, lifetime), false)
    await store.destroy('id')
    assert.equal(await store.read('id'), null)
    assert.equal(store.size, 1)
  })

  it('with the smallest limit the account that signs in is signed in', async () => {
    const clock = new FrozenClock()
    const store = new MemorySessionStore({ clock, maxRecords: 2 })
    const lifetime = { createdAt: 0, expiresAt: clock.milliseconds() + 1000 }
    const nothing = { set: new Map(), removed: new Set<string>() }
    const identity = { ...nothing, set: new Map([['_auth', '"ada"']]) }

    for (const others of [[], ['x'], ['x', 'y']]) {
      for (const other of others) await store.create(other, new Map(), lifetime)
      await store.create('a', new Map(), lifetime)
      assert.ok(await store.rotate('a', 'b', identity, lifetime))
      assert.ok(await store.rotate('b', 'c', nothing, lifetime))

      assert.equal((await store.read('c'))?.data.get('_auth'), '"ada"')
    }
  })

  for (const maxRecords of [0, 1, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 1e20, '5'] as number[]) {
    it(`refuses to keep at most ${maxRecords} records (${typeof maxRecords}) [HOLD-35]`, () => {
      assert.throws(() => new MemorySessionStore({ maxRecords }), {
        name: 'RangeError',
        message: /^Cannot use .* as maxRecords: it must be a whole number, at least 2/,
      })
    })
  }
})
