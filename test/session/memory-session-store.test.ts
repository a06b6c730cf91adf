import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { MemorySessionStore } from '../../src/session/index.ts'
import { FrozenClock, proveSessionStore } from '../../src/testing/index.ts'

describe('MemorySessionStore as a session store', () => {
  proveSessionStore((clock) => new MemorySessionStore({ clock }))
})

describe('MemorySessionStore', () => {
  it('keeps no more records than it may: the one written longest ago goes', async () => {
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

  it('lets expired records go while it is written to, without a timer', async () => {
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

  for (const maxRecords of [0, -1, Number.NaN]) {
    it(`refuses to keep at most ${maxRecords} records`, () => {
      assert.throws(() => new MemorySessionStore({ maxRecords }), RangeError)
    })
  }
})
