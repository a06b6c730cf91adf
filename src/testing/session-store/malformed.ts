import assert from 'node:assert/strict'
import { it } from 'node:test'
import { randomIdentifier } from '../../core/internal.ts'
import { type SessionStore, SessionStoreException } from '../../session/index.ts'
import { type ConformanceRun, set, texts } from './run.ts'

/**
 * Declares the tests of records that other software has written.
 *
 * @param start Opens the store, once for each test.
 * @param spoil Replaces the stored record of an identifier by a value that is not a session.
 */
export function testMalformedRecords<S extends SessionStore>(
  start: () => Promise<ConformanceRun & { readonly store: S }>,
  spoil: (store: S, id: string) => void | Promise<void>,
): void {
  it('reports a malformed record, or returns no record [HOLD-25]', async () => {
    await using run = await start()
    await run.store.create(run.id, texts({ a: '1' }), run.lifetime)
    await spoil(run.store, run.id)

    const reading = run.store.read(run.id).catch((error: unknown) => error)

    const outcome = await reading
    if (outcome === null) return
    assert.ok(outcome instanceof SessionStoreException, 'read() rejects with a SessionStoreException')
    assert.equal(outcome.code, 'ERR_SESSION_STORE_MALFORMED')
  })

  it('makes no live record of a malformed one [HOLD-25]', async () => {
    await using run = await start()
    const { store, id, to, lifetime } = run
    await store.create(id, texts({ a: '1' }), lifetime)
    await spoil(store, id)
    const refused = (error: unknown): boolean => {
      assert.ok(error instanceof Error)
      return false
    }

    assert.equal(await store.update(id, set({ b: '2' }), lifetime).catch(refused), false)
    assert.equal(await store.rotate(id, to, set({ b: '2' }), lifetime).catch(refused), false)

    assert.equal(await store.read(to), null)
  })

  it('stores another record under the identifier of a malformed one [HOLD-25]', async () => {
    await using run = await start()
    await run.store.create(run.id, texts({ a: '1' }), run.lifetime)
    await spoil(run.store, run.id)

    await run.store.create(run.id, texts({ b: '2' }), run.lifetime)

    assert.deepEqual((await run.store.read(run.id))?.data, texts({ b: '2' }))
  })

  it('destroys a malformed record [HOLD-25]', async () => {
    await using run = await start()
    const { store, id, lifetime } = run
    await store.create(id, texts({ a: '1' }), lifetime)
    await spoil(store, id)

    await store.destroy(id)

    const record = await store.read(id)
    assert.ok(record === null || record.ended)
  })

  testMalformedList(start, spoil)
}

function testMalformedList<S extends SessionStore>(
  start: () => Promise<ConformanceRun & { readonly store: S }>,
  spoil: (store: S, id: string) => void | Promise<void>,
): void {
  it('lists a malformed record without its entries, or not at all [ACCT-02 HOLD-25]', async () => {
    await using run = await start()
    const { store, id, to, lifetime } = run
    const owner = randomIdentifier()
    await store.create(id, texts({ a: '1' }), { ...lifetime, owner })
    await store.create(to, texts({ a: '2' }), { ...lifetime, owner })
    await spoil(store, id)

    const listed = (await store.sessionsOf?.(owner)) ?? []

    for (const { id: each, record } of listed) if (record === null) await store.destroy(each)
    const left = (await store.sessionsOf?.(owner)) ?? []
    assert.equal(left.length, store.sessionsOf === undefined ? 0 : 1)
    assert.ok(left.every(({ record }) => record?.data.get('a') === '2'))
  })
}
