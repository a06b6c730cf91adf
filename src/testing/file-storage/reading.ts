import assert from 'node:assert/strict'
import { it } from 'node:test'
import { SystemClock } from '../../core/index.ts'
import { assertBytes, assertContent, bytesOf, keep, type StartStorage } from './run.ts'

/**
 * Declares the tests of reading: whole files, parts and validators.
 *
 * @param start Opens the storage, once for each test.
 */
export function testReading(start: StartStorage): void {
  it('reads a file twice at the same time, and again after a reader has left [PAGE-06]', async () => {
    await using run = await start()
    const content = bytesOf(300_000)
    const file = await run.storage.find(await keep(run.storage, content))

    const left = file?.stream().getReader()
    await left?.read()
    await left?.cancel()

    await Promise.all([assertContent(file, content), assertContent(file, content)])
  })

  it('reads parts, if it can, with their first and their last byte [PAGE-06]', async (test) => {
    await using run = await start()
    const content = bytesOf(200_000)
    const file = await run.storage.find(await keep(run.storage, content))
    if (file?.part === undefined) return test.diagnostic('The storage reads no parts')

    for (const [first, last] of [
      [0, 0],
      [0, 199_999],
      [199_999, 199_999],
      [65_535, 65_536],
      [70_000, 170_000],
    ] as const) {
      await assertBytes(file.part(first, last), content.subarray(first, last + 1))
    }
  })

  it('gives another tag for each file, if any, and the same each time [PAGE-06]', async (test) => {
    await using run = await start()
    const keys = [await keep(run.storage, bytesOf(9)), await keep(run.storage, bytesOf(9))]
    const [first, second] = await Promise.all(keys.map((key) => run.storage.find(key)))
    const again = await run.storage.find(keys[0] ?? '')

    if (first?.modified !== undefined)
      assert.ok(first.modified.getTime() <= new SystemClock().milliseconds() + 2000)
    assert.equal(again?.modified?.getTime(), first?.modified?.getTime())
    if (first?.tag === undefined) return test.diagnostic('The storage gives no tags')
    assert.equal(again?.tag, first.tag)
    assert.notEqual(second?.tag, first.tag)
  })
}
