import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { randomIdentifier } from '../../core/internal.ts'
import type { OwnedSession, SessionStore } from '../../session/index.ts'
import { type ConformanceRun, idAfter, newId, set, type StartRun, texts } from './run.ts'

/** One test of a store that lists the sessions of an owner. */
interface OwnerRun extends ConformanceRun {
  /** An owner that no other test has. */
  readonly owner: string
  /** Lists sessions; the store has the optional method. */
  readonly list: (owner: string) => Promise<readonly OwnedSession[]>
}

/**
 * Declares the tests of `sessionsOf()`. They are skipped for a store that does not implement it.
 *
 * @param start Opens the store, once for each test.
 */
export function testOwners(start: StartRun): void {
  const test = (name: string, prove: (run: OwnerRun) => Promise<void>): void => {
    it(name, async (t) => {
      await using run = await start()
      const ownerRun = ownerRunOf(run, t)
      if (ownerRun !== null) await prove(ownerRun)
    })
  }
  test('lists the sessions of an owner, and no others [ACCT-05]', testLists)
  test('returns identifiers that read() and destroy() know [ACCT-05]', testIdentifiers)
  test('keeps an owner in update() and rotate(), unless they set or take it away [ACCT-03]', testChanges)
  test('takes the owner with a rotation, and lists no tombstone [ACCT-03]', testRotation)
  test('changes no owner when it writes nothing [ACCT-03]', testRefusals)
  test('lists no destroyed and no expired session [ACCT-03]', testEnds)
  test('lists all of a hundred sessions that begin at once [ACCT-03]', testMany)
  test('misses no session that is rotated while it lists [ACCT-03]', testRotations)
  test('updates nothing that was listed and then destroyed [ACCT-02]', testRevival)
}

function ownerRunOf(run: ConformanceRun, t: TestContext): OwnerRun | null {
  const { store } = run
  if (typeof store.sessionsOf !== 'function') {
    t.skip('the store does not implement sessionsOf()')
    return null
  }
  const list = async (owner: string): Promise<readonly OwnedSession[]> =>
    (await store.sessionsOf?.(owner)) ?? []
  return { ...run, owner: randomIdentifier(), list }
}

async function testLists({ store, id, to, lifetime, owner, list }: OwnerRun): Promise<void> {
  const other = randomIdentifier()
  await store.create(id, texts({ a: '1' }), { ...lifetime, owner })
  await store.create(to, texts({ a: '2' }), { ...lifetime, owner: other })
  await store.create(newId(), texts({ a: '3' }), { ...lifetime, owner: null })
  await store.create(newId(), texts({ a: '4' }), lifetime)

  const [first, ...more] = await list(owner)

  assert.deepEqual(more, [])
  const { data, ended, successor, createdAt, expiresAt } = first?.record ?? {}
  assert.deepEqual(new Map(data), texts({ a: '1' }))
  assert.deepEqual({ ended, successor, createdAt, expiresAt }, { ended: false, successor: null, ...lifetime })
  assert.deepEqual([first?.record?.owner, (await store.read(id))?.owner], [owner, owner])
  assert.deepEqual(await namesOf(list(other)), ['2'])
  assert.deepEqual(await list(randomIdentifier()), [])
}

async function testIdentifiers({ store, id, lifetime, owner, list }: OwnerRun): Promise<void> {
  await store.create(id, texts({ a: '1' }), { ...lifetime, owner })

  const [listed] = await list(owner)
  assert.deepEqual(await store.read(listed?.id ?? ''), await store.read(id))
  await store.destroy(listed?.id ?? '')

  assert.equal((await store.read(id))?.ended, true)
  assert.deepEqual(await list(owner), [])
}

async function testChanges({ store, id, to, lifetime, owner, list }: OwnerRun): Promise<void> {
  const [other, third] = [randomIdentifier(), idAfter(id)]
  await store.create(id, texts({ a: '1' }), lifetime)

  await store.update(id, { ...set({}), owner }, lifetime)
  await store.update(id, set({ b: '2' }), lifetime)
  await store.update(id, set({}), { ...lifetime, expiresAt: lifetime.expiresAt + 1000 })
  assert.deepEqual(await namesOf(list(owner)), ['1'])

  await store.update(id, { ...set({ a: '2' }), owner: other }, lifetime)
  assert.deepEqual([await list(owner), await namesOf(list(other))], [[], ['2']])

  await store.rotate(id, to, { ...set({ a: '3' }), owner }, lifetime)
  assert.deepEqual([await namesOf(list(owner)), await list(other)], [['3'], []])

  await store.rotate(to, third, { ...set({}), owner: null }, lifetime)
  assert.deepEqual([await list(owner), (await store.read(third))?.owner ?? null], [[], null])
}

async function testRotation({ store, lifetime, owner, list }: OwnerRun): Promise<void> {
  const first = newId()
  const ids = [first, ...Array.from({ length: 4 }, () => idAfter(first))]
  await store.create(ids[0] ?? '', texts({ a: '1' }), { ...lifetime, owner })

  for (const [i, id] of ids.slice(1).entries())
    assert.equal(await store.rotate(ids[i] ?? '', id, set({ a: String(i) }), lifetime), true)

  assert.deepEqual(await namesOf(list(owner)), ['3'])
  assert.equal((await store.read(ids[0] ?? ''))?.owner ?? null, null)
}

async function testRefusals({ store, id, to, lifetime, owner, list }: OwnerRun): Promise<void> {
  const other = randomIdentifier()
  const expected = texts({ a: '2' })
  await store.create(id, texts({ a: '1' }), { ...lifetime, owner })

  assert.equal(await store.update(id, { ...set({}), owner: other, expected }, lifetime), false)
  assert.equal(await store.rotate(to, idAfter(to), { ...set({}), owner: other }, lifetime), false)
  assert.equal(await store.update(to, { ...set({}), owner: other }, lifetime), false)

  assert.deepEqual([await namesOf(list(owner)), await list(other)], [['1'], []])
}

async function testEnds({ store, clock, id, to, lifetime, owner, list }: OwnerRun): Promise<void> {
  await store.create(id, texts({ a: '1' }), { ...lifetime, owner })
  await store.create(to, texts({ a: '2' }), { ...lifetime, expiresAt: lifetime.expiresAt - 1000, owner })
  const late = newId()
  await store.create(late, texts({ a: '3' }), { ...lifetime, owner })

  await store.destroy(id)
  assert.deepEqual(await namesOf(list(owner)), ['2', '3'])
  clock.advance(3599)
  assert.deepEqual(await namesOf(list(owner)), ['3'])
  clock.advance(1)

  assert.deepEqual(await list(owner), [])
}

async function testMany({ store, lifetime, owner, list }: OwnerRun): Promise<void> {
  const names = Array.from({ length: 100 }, (_, i) => String(i))

  await Promise.all(names.map((name) => store.create(newId(), texts({ a: name }), { ...lifetime, owner })))

  assert.deepEqual(await namesOf(list(owner)), names.toSorted())
}

async function testRotations({ store, lifetime, owner, list }: OwnerRun): Promise<void> {
  let id = newId()
  await store.create(id, texts({ a: '1' }), { ...lifetime, owner })
  await store.create(newId(), texts({ a: '2' }), { ...lifetime, owner })

  for (let round = 0; round < 40; round++) {
    const to = idAfter(id)
    const before = Array.from({ length: round % 4 }, () => list(owner))
    const rotated = store.rotate(id, to, set({}), lifetime)
    const found = await Promise.all([...before, ...Array.from({ length: 4 }, () => list(owner))])
    const moved = await rotated
    id = to

    assert.equal(moved, true)
    for (const sessions of found)
      assert.deepEqual(new Set(sessions.map(({ record }) => record?.data.get('a'))), new Set(['1', '2']))
  }
}

async function testRevival({ store, lifetime, owner, list }: OwnerRun): Promise<void> {
  for (let round = 0; round < 20; round++) {
    const id = newId()
    const to = idAfter(id)
    await store.create(id, texts({ a: '1' }), { ...lifetime, owner })
    const work: (() => Promise<unknown>)[] = [
      () => store.update(id, { ...set({ b: '2' }), owner }, lifetime),
      () => store.rotate(id, to, { ...set({ c: '3' }), owner }, lifetime),
      () => endListed(store, list, owner),
    ]
    work.splice(round % 3, 0, () => endListed(store, list, owner))

    await Promise.all(work.map((each) => each()))
    await endListed(store, list, owner)

    assert.deepEqual(await list(owner), [])
    for (const each of [id, to]) assert.notEqual((await store.read(each))?.ended, false)
    assert.equal(await store.update(id, { ...set({ b: '2' }), owner }, lifetime), false)
  }
}

async function endListed(store: SessionStore, list: OwnerRun['list'], owner: string): Promise<void> {
  await Promise.all((await list(owner)).map(({ id }) => store.destroy(id)))
}

// What each session has under `a`, sorted.
async function namesOf(listing: Promise<readonly OwnedSession[]>): Promise<string[]> {
  return (await listing).map(({ record }) => record?.data.get('a') ?? 'malformed').sort()
}
