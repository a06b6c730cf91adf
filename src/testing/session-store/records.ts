import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertEntries, set, type StartRun, texts } from './run.ts'

const KEYS = [
  '__proto__',
  'constructor',
  'toString',
  '',
  '0',
  '-1',
  'a.b',
  'é',
  '\u{1f600}',
  "'; DROP TABLE x; --",
  '"',
  '\\',
  '\0',
  '\u001e\u001f',
  '\n',
  '\ud800',
  '{}',
  '$1',
]

/**
 * Declares the tests of stored records.
 *
 * @param start Opens the store, once for each test.
 */
export function testRecords(start: StartRun): void {
  it('returns null for an unknown identifier, and writes nothing to it', async () => {
    await using run = await start()
    const { store, id, to, lifetime } = run

    assert.equal(await store.read(id), null)
    assert.equal(await store.update(id, set({ a: '1' }), lifetime), false)
    assert.equal(await store.rotate(id, to, set({ a: '1' }), lifetime), false)
    await store.destroy(id)

    assert.equal(await store.read(id), null)
    assert.equal(await store.read(to), null)
  })

  it('returns what it was given', async () => {
    await using run = await start()
    const data = texts({ a: '1', b: '"two"' })

    await run.store.create(run.id, data, run.lifetime)
    data.set('a', '"changed by the caller"')

    const record = await run.store.read(run.id)
    assertEntries(record, texts({ a: '1', b: '"two"' }))
    assert.equal(record?.ended, false)
    assert.deepEqual({ createdAt: record.createdAt, expiresAt: record.expiresAt }, run.lifetime)
  })

  it('applies changes to a live record and leaves its other entries', async () => {
    await using run = await start()
    await run.store.create(run.id, texts({ a: '1', b: '2', c: '3' }), run.lifetime)

    const changes = {
      set: texts({ b: '20', d: '4' }),
      removed: new Set(['c', 'x']),
    }
    const written = await run.store.update(run.id, changes, run.lifetime)

    assert.equal(written, true)
    assertEntries(await run.store.read(run.id), texts({ a: '1', b: '20', d: '4' }))
  })

  testExpectation(start)
  testSeparation(start)
}

function testExpectation(start: StartRun): void {
  it('applies an update only if the entries are the expected ones [HOLD-20]', async () => {
    await using run = await start()
    const { store, id, lifetime } = run
    await store.create(id, new Map(KEYS.map((key, i) => [key, String(i)])), lifetime)
    const expected = (await store.read(id))?.data ?? new Map<string, string>()
    const fewer = new Map([...expected].slice(1))

    assert.equal(await store.update(id, { ...set({ x: '1' }), expected: fewer }, lifetime), false)
    assert.equal(await store.update(id, { ...set({ x: '1' }), expected: new Map() }, lifetime), false)
    assertEntries(await store.read(id), [...expected])
    const removed = new Set(KEYS)
    assert.equal(await store.update(id, { ...set({ a: '1' }), removed, expected }, lifetime), true)
    assert.equal(await store.update(id, { ...set({ a: '2' }), expected }, lifetime), false)

    assertEntries(await store.read(id), texts({ a: '1' }))
  })

  it('applies it to no entries, and to entries that were written one after another [HOLD-20]', async () => {
    await using run = await start()
    const { store, id, lifetime } = run
    await store.create(id, new Map(), lifetime)

    assert.equal(await store.update(id, { ...set({ a: '1' }), expected: new Map() }, lifetime), true)
    await store.update(id, set({ b: '2' }), lifetime)
    await store.update(id, set({ a: '3' }), lifetime)
    const expected = (await store.read(id))?.data ?? new Map<string, string>()
    assert.equal(await store.update(id, { ...set({ c: '4' }), expected }, lifetime), true)

    assertEntries(await store.read(id), texts({ a: '3', b: '2', c: '4' }))
  })
}

function testSeparation(start: StartRun): void {
  it('keeps two records apart', async () => {
    await using run = await start()
    const { store, id, to, lifetime } = run
    await store.create(id, texts({ a: '1' }), lifetime)
    await store.create(to, texts({ a: '2' }), lifetime)

    await store.update(id, set({ a: '10' }), lifetime)
    await store.destroy(id)

    assertEntries(await store.read(to), texts({ a: '2' }))
  })

  it('does not change a record that was returned before', async () => {
    await using run = await start()
    await run.store.create(run.id, texts({ a: '1' }), run.lifetime)
    const before = await run.store.read(run.id)

    await run.store.update(run.id, set({ a: '2', b: '3' }), run.lifetime)
    await run.store.destroy(run.id)

    assertEntries(before, texts({ a: '1' }))
    assert.equal(before?.ended, false)
  })
}

/**
 * Declares the tests of unusual keys and of large values.
 *
 * @param start Opens the store, once for each test.
 */
export function testTexts(start: StartRun): void {
  for (const key of KEYS) {
    it(`keeps, changes and removes an entry under the key ${JSON.stringify(key)}`, async () => {
      await using run = await start()
      const { store, id, to, lifetime } = run

      await store.create(
        id,
        new Map([
          [key, '"first"'],
          ['other', '1'],
        ]),
        lifetime,
      )
      assert.equal((await store.read(id))?.data.get(key), '"first"')
      await store.update(id, { set: new Map([[key, '"second"']]), removed: new Set() }, lifetime)
      assertEntries(await store.read(id), [
        [key, '"second"'],
        ['other', '1'],
      ])
      await store.rotate(id, to, { set: new Map(), removed: new Set([key]) }, lifetime)

      assertEntries(await store.read(to), texts({ other: '1' }))
    })
  }

  for (const value of ['\0', '\ud800', '\u2028"\\é', '\u001e\u001f\n', '}{', '\u{1f600}']) {
    it(`keeps the string ${JSON.stringify(value)} unchanged, even a hundred thousand times`, async () => {
      await using run = await start()
      const data = new Map([
        ['short', JSON.stringify(value)],
        ['long', JSON.stringify(value.repeat(100_000))],
      ])

      await run.store.create(run.id, data, run.lifetime)
      await run.store.update(run.id, set({ other: ' [ 1,\n2 ] ' }), run.lifetime)

      const record = await run.store.read(run.id)
      assert.equal(record?.data.get('short'), data.get('short'))
      assert.ok(record?.data.get('long') === data.get('long'), 'the long text has changed')
      assert.equal(record?.data.get('other'), ' [ 1,\n2 ] ')
    })
  }

  it('keeps a thousand entries, and removes and adds as many in one update', async () => {
    await using run = await start()
    const numbers = Array.from({ length: 1000 }, (_, i) => i)
    await run.store.create(run.id, new Map(numbers.map((i) => [`old${i}`, String(i)])), run.lifetime)

    const fresh = new Map(numbers.map((i) => [`new${i}`, String(i)]))
    const removed = new Set(numbers.map((i) => `old${i}`))
    await run.store.update(run.id, { set: fresh, removed }, run.lifetime)

    assertEntries(await run.store.read(run.id), [...fresh])
  })
}
