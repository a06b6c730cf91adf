import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type SessionRecord, TOMBSTONE_MILLISECONDS } from '../../session/index.ts'
import {
  assertEntries,
  assertTombstone,
  type ConformanceRun,
  idAfter,
  newId,
  set,
  type StartRun,
  texts,
} from './run.ts'

const HOUR = 3_600_000
const YEAR = 31_536_000
const JUMPS: readonly number[] = [1, 29, 31, 61, 3599, 3601, 86_400, YEAR, 20 * YEAR].flatMap((s) => [s, -s])

/**
 * Declares the tests of a clock that steps in both directions, by seconds to years. A store may keep or delete records from
 * before the step that are dated in the future. It must never fail, and later records must live exactly as long as they say.
 *
 * @param start Opens the store, once for each test.
 */
export function testClocks(start: StartRun): void {
  it('keeps records written after a clock step exactly as long as their lifetime [HOLD-50]', async () => {
    await using run = await start()
    for (const jump of JUMPS) {
      await run.store.create(newId(), texts({ a: '1' }), anHour(run))
      run.clock.advance(jump)
      await settled(() => testLife(run))
      run.clock.advance(-jump)
      await settled(() => testLife(run))
    }
  })

  it('never fails on a record from before a step, nor changes it partially [HOLD-50]', async () => {
    await using run = await start()
    for (const jump of JUMPS) await settled(() => testOld(run, jump))
  })

  it('revives no ended identifier, whatever the clock does [HOLD-50]', async () => {
    await using run = await start()
    for (const jump of JUMPS) await testEnded(run, jump)
  })

  testFractions(start)
}

// A sweep that began before the step may still run and delete by the old time. This happens at most once.
async function settled(prove: () => Promise<void>): Promise<void> {
  for (let left = 3; ; left--) {
    try {
      return await prove()
    } catch (error) {
      if (left === 0) throw error
    }
  }
}

function anHour({ clock }: ConformanceRun): { createdAt: number; expiresAt: number } {
  return { createdAt: clock.milliseconds(), expiresAt: clock.milliseconds() + HOUR }
}

async function testLife(run: ConformanceRun): Promise<void> {
  const { clock } = run
  const begin = clock.now()
  try {
    await testLifeOf(run)
  } finally {
    clock.set(begin)
  }
}

async function testLifeOf(run: ConformanceRun): Promise<void> {
  const { store, clock } = run
  const id = newId()
  const next = idAfter(id)
  const lifetime = anHour(run)
  await store.create(id, texts({ a: '1' }), lifetime)
  assert.equal(await store.update(id, set({ b: '2' }), lifetime), true)
  assert.equal(await store.rotate(id, next, set({}), lifetime), true)

  clock.advance(TOMBSTONE_MILLISECONDS / 1000 - 0.001)
  await assertTombstone(store, id, next)
  clock.advance(0.001)
  assert.equal(await store.read(id), null)
  clock.advance((HOUR - TOMBSTONE_MILLISECONDS) / 1000 - 0.001)
  assertEntries(await store.read(next), texts({ a: '1', b: '2' }))
  clock.advance(0.001)
  assert.equal(await store.read(next), null)
  assert.equal(await store.update(next, set({ c: '3' }), anHour(run)), false)
}

async function testOld(run: ConformanceRun, jump: number): Promise<void> {
  const { store, clock } = run
  const id = newId()
  const begin = clock.now()
  await store.create(id, texts({ a: '1' }), anHour(run))
  clock.advance(jump)
  try {
    await testWhole(run, id)
  } finally {
    clock.set(begin)
  }
}

async function testWhole(run: ConformanceRun, id: string): Promise<void> {
  const { store } = run
  const before = await store.read(id)
  assert.ok(before === null || isFirst(before))
  const isWritten = await store.update(id, set({ b: '2' }), anHour(run))
  if (before === null) assert.equal(isWritten, false)
  const after = await store.read(id)
  if (isWritten) assertEntries(after, texts({ a: '1', b: '2' }))
  else assert.ok(after === null || isFirst(after))
}

function isFirst({ ended, data }: SessionRecord): boolean {
  return !ended && data.size === 1 && data.get('a') === '1'
}

async function testEnded(run: ConformanceRun, jump: number): Promise<void> {
  const { store, clock } = run
  const rotated = newId()
  const [next, destroyed, other] = [idAfter(rotated), idAfter(rotated), idAfter(rotated)]
  await store.create(rotated, texts({ a: '1' }), anHour(run))
  await store.create(destroyed, texts({ a: '1' }), anHour(run))
  await store.rotate(rotated, next, set({}), anHour(run))
  await store.destroy(destroyed)

  for (const step of [jump, -jump]) {
    clock.advance(step)
    for (const id of [rotated, destroyed]) {
      assert.equal(await store.update(id, set({ b: '2' }), anHour(run)), false, `${jump} s`)
      assert.equal(await store.rotate(id, other, set({ b: '2' }), anHour(run)), false, `${jump} s`)
      await store.destroy(id)
      assert.notEqual((await store.read(id))?.ended, false, `${jump} s`)
    }
    assert.equal(await store.read(other), null)
  }
}

function testFractions(start: StartRun): void {
  it('accepts times with a fraction, to the millisecond', async () => {
    await using run = await start()
    const whole = run.clock.milliseconds.bind(run.clock)
    run.clock.milliseconds = () => whole() + 0.75
    await settled(() => testFraction(run))
  })
}

async function testFraction(run: ConformanceRun): Promise<void> {
  const { store, clock } = run
  const id = newId()
  const to = idAfter(id)
  await store.create(id, texts({ a: '1' }), anHour(run))
  assert.equal(await store.update(id, set({ b: '2' }), anHour(run)), true)
  assert.equal(await store.rotate(id, to, set({}), anHour(run)), true)

  await assertTombstone(store, id, to)
  const record = await store.read(to)
  assertEntries(record, texts({ a: '1', b: '2' }))
  assert.ok(Math.abs((record?.createdAt ?? 0) - clock.milliseconds()) < 1)
  clock.advance(HOUR / 1000 + 0.001)
  assert.equal(await store.read(to), null)
  await store.destroy(to)
}
