import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { DEFAULT_LIMITS, FetchSource } from '../../src/http/internal.ts'
import { PayloadTooLargeException } from '../../src/http/index.ts'

describe('DEFAULT_LIMITS', () => {
  it('admit a body of 1 MiB, and none that is a byte longer [R-35]', async () => {
    const read = (length: number): unknown =>
      new FetchSource(
        new Request('http://localhost/', { method: 'POST', body: new Uint8Array(length) }),
        DEFAULT_LIMITS,
      ).bytes()

    assert.equal(((await read(1_048_576)) as Uint8Array).byteLength, 1_048_576)
    await assert.rejects(async () => read(1_048_577), PayloadTooLargeException)
  })
})
