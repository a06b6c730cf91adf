import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { PayloadTooLargeException } from 'sallyport/http'

import { BodyBuffer, BodyCounter } from '../../src/http/internal.ts'
import { Dice } from '../reliability/mutations.ts'

const KIB = 1024

function bytesOf(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => (i * 31 + (i >> 8)) % 256)
}

describe('BodyBuffer', () => {
  for (const size of [0, 1, 2, 4095, 4096, 4097, 65_536, 70_000, 300_000]) {
    it(`joins ${size} bytes unchanged, however they were split [HOLD-04]`, () => {
      const bytes = bytesOf(size)
      const dice = new Dice(size)
      for (const most of [1, 7, 5000, 100_000, 400_000]) {
        if (most === 1 && size > 70_000) continue
        const buffer = new BodyBuffer(size)
        for (let start = 0; start < size;) {
          const end = Math.min(size, start + 1 + dice.below(most))
          buffer.add(bytes.subarray(start, end))
          if (dice.once(5)) buffer.add(new Uint8Array(0))
          start = end
        }

        assert.deepEqual(Buffer.from(buffer.join()), Buffer.from(bytes), `pieces of up to ${most}`)
      }
    })
  }

  it('keeps nothing of the memory that its chunks came in [HOLD-04]', () => {
    const piece = new Uint8Array(2)
    const buffer = new BodyBuffer(100)

    buffer.add(piece.subarray(0, 1))
    buffer.add(piece.subarray(1))
    piece.fill(9)

    assert.deepEqual([...buffer.join()], [0, 0])
  })

  it('costs at most twice its bytes and 64 KiB, in chunks of one byte [HOLD-04]', () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const measured = (): number => {
      collect()
      const { heapUsed, arrayBuffers } = process.memoryUsage()
      return heapUsed + arrayBuffers
    }
    // V8 frees the memory behind dead buffers beside the program: a collection counts what the one before has freed.
    const inUse = (): number => Math.min(...Array.from({ length: 4 }, measured))
    const size = 1000 * KIB
    const piece = new Uint8Array(1)
    const before = inUse()
    const buffer = new BodyBuffer(size)

    for (let i = 0; i < size; i++) buffer.add(piece)
    const kept = inUse() - before
    const joined = buffer.join()
    const after = inUse() - before

    assert.equal(joined.byteLength, size)
    assert.ok(kept <= size + 128 * KIB, `${kept} bytes are kept`)
    assert.ok(after <= size + 128 * KIB, `${after} bytes are left`)
  })
})

for (const [name, sinkOf] of [
  ['BodyBuffer', (limit: number) => new BodyBuffer(limit)],
  ['BodyCounter', (limit: number) => new BodyCounter(limit)],
] as const) {
  describe(`${name}.add()`, () => {
    it('accepts as much as the limit, and nothing beyond [R-35]', () => {
      const sink = sinkOf(10)
      sink.add(new Uint8Array(4))
      sink.add(new Uint8Array(6))
      sink.add(new Uint8Array(0))

      assert.throws(() => sink.add(new Uint8Array(1)), PayloadTooLargeException)
    })

    it('refuses chunks that are not bytes, which would never reach a limit', () => {
      for (const piece of ['text', 5, null, {}])
        assert.throws(() => sinkOf(10).add(piece as Uint8Array), TypeError)
    })
  })
}
