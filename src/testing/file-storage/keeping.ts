import assert from 'node:assert/strict'
import { it } from 'node:test'
import { bytesOf, assertContent, keep, PICTURE, type StartStorage } from './run.ts'

const HOSTILE = [
  '',
  '.',
  '..',
  '../secret',
  '..\\secret',
  '%2e%2e%2fsecret',
  '/etc/passwd',
  'a\0',
  'x'.repeat(5000),
]
const PROTOTYPE = ['__proto__', 'constructor', 'toString']

/**
 * Declares the tests of drafts, keys and removals.
 *
 * @param start Opens the storage, once for each test.
 */
export function testKeeping(start: StartStorage): void {
  testDrafts(start)
  testManyDrafts(start)
  testKeys(start)
}

function testDrafts(start: StartStorage): void {
  it('keeps what was written, in order, under the type that it was given [PAGE-06]', async () => {
    await using run = await start()
    const content = bytesOf(300_000)

    const draft = await run.storage.begin(PICTURE)
    for (let at = 0; at < content.length; at += 70_000) await draft.write(content.subarray(at, at + 70_000))
    const key = await draft.keep()
    const file = await run.storage.find(key)

    assert.deepEqual([file?.type, file?.size], [PICTURE.type, content.length])
    await assertContent(file, content)
    assert.equal(await draft.keep(), key)
    await draft.discard()
    await assertContent(await run.storage.find(key), content)
  })

  it('keeps an empty file [PAGE-06]', async () => {
    await using run = await start()

    const file = await run.storage.find(await (await run.storage.begin(PICTURE)).keep())

    assert.equal(file?.size, 0)
    await assertContent(file, new Uint8Array(0))
  })

  it('copies what is written, because the buffer is used again [PAGE-06]', async () => {
    await using run = await start()
    const buffer = new Uint8Array(1000)

    const draft = await run.storage.begin(PICTURE)
    for (const value of [1, 2, 3]) await draft.write(buffer.fill(value))
    buffer.fill(9)
    const file = await run.storage.find(await draft.keep())

    const expected = [1, 2, 3].flatMap((value) => Array.from({ length: 1000 }, () => value))
    await assertContent(file, Uint8Array.from(expected))
  })

  it('leaves nothing of a discarded file, and refuses to keep it [PAGE-06]', async () => {
    await using run = await start()
    const before = await run.count?.()

    const draft = await run.storage.begin(PICTURE)
    await draft.write(bytesOf(1000))
    await draft.discard()
    await draft.discard()

    await assert.rejects(draft.keep())
    assert.equal(await run.count?.(), before)
  })
}

function testManyDrafts(start: StartStorage): void {
  it('keeps apart uploads that are written and kept at the same time [PAGE-06]', async () => {
    await using run = await start()
    const contents = Array.from({ length: 20 }, () => bytesOf(5000))

    const drafts = await Promise.all(contents.map(() => run.storage.begin(PICTURE)))
    for (let at = 0; at < 5000; at += 1000)
      await Promise.all(
        drafts.map((draft, i) => draft.write((contents[i] ?? bytesOf(0)).subarray(at, at + 1000))),
      )
    const keys = await Promise.all(drafts.map((draft) => draft.keep()))

    assert.equal(new Set(keys).size, keys.length)
    for (const [i, key] of keys.entries())
      await assertContent(await run.storage.find(key), contents[i] ?? bytesOf(0))
  })

  it('gives the same content, stored twice, two keys: removing one leaves the other [PAGE-06]', async () => {
    await using run = await start()
    const content = bytesOf(100)
    const [one, other] = [await keep(run.storage, content), await keep(run.storage, content)]

    assert.notEqual(one, other)
    assert.equal(await run.storage.remove(one), true)
    await assertContent(await run.storage.find(other), content)
  })
}

function testKeys(start: StartStorage): void {
  it('removes a file once [PAGE-06]', async () => {
    await using run = await start()
    const before = await run.count?.()
    const key = await keep(run.storage, bytesOf(10))

    assert.deepEqual([await run.storage.remove(key), await run.storage.remove(key)], [true, false])
    assert.equal(await run.storage.find(key), null)
    assert.equal(await run.count?.(), before)
  })

  it('finds and removes nothing by a key that a client made up [PAGE-06]', async () => {
    await using run = await start()
    const key = await keep(run.storage, bytesOf(10))

    for (const wrong of [...HOSTILE, ...PROTOTYPE, `${key}x`, `${key}/`, `./${key}`, key.slice(1)]) {
      assert.equal(await run.storage.find(wrong), null, wrong)
      assert.equal(await run.storage.remove(wrong), false, wrong)
    }
    assert.notEqual(await run.storage.find(key), null)
  })

  it('gives keys that are not told from others [PAGE-06]', async () => {
    await using run = await start()
    const keys = await Promise.all(Array.from({ length: 50 }, () => keep(run.storage, bytesOf(1))))

    // A key with 128 random bits has at least 22 characters, and no two share a long beginning.
    assert.equal(new Set(keys.map((key) => key.slice(0, 8))).size, keys.length)
    assert.ok(keys.every((key) => key.length >= 22))
  })
}
