import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runInNewContext } from 'node:vm'

import { assertBytes, LightResponse } from '../../src/http/internal.ts'

/** A stream of some parts, then of `last`, with what its source learns. */
function feed(
  parts: readonly unknown[],
  last: (controller: ReadableStreamDefaultController) => void = (controller) => controller.close(),
): { stream: ReadableStream<Uint8Array>; pulled: () => number; reasons: unknown[] } {
  let pulled = 0
  const reasons: unknown[] = []
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const part = parts[pulled++]
        if (part === undefined) last(controller)
        else controller.enqueue(part as Uint8Array)
      },
      cancel: (reason) => void reasons.push(reason),
    },
    { highWaterMark: 0 },
  )
  return { stream, pulled: () => pulled, reasons }
}

/** What a host other than ours reads, with a listener to its faults. */
function watched(stream: ReadableStream<Uint8Array>, listener: (fault: unknown) => void): ReadableStream {
  const response = new LightResponse(200, stream, [])
  response.onBodyFault(listener)
  const { body } = response.toSent()
  assert.ok(body instanceof ReadableStream)
  return body
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('the body of LightResponse.toSent()', () => {
  it('returns the same bytes, and nothing to its listener', async () => {
    const faults: unknown[] = []
    const { stream } = feed([Buffer.from('a'), Buffer.from('b')])

    const body = watched(stream, (fault) => faults.push(fault))

    assert.equal(await new Response(body).text(), 'ab')
    assert.deepEqual(faults, [])
  })

  it('takes a client that leaves while it waits for the next bytes for no fault [PAGE-15]', async () => {
    const faults: unknown[] = []
    const silent = new ReadableStream<Uint8Array>({ pull: () => new Promise(() => undefined) })

    const reader = watched(silent, (fault) => faults.push(fault)).getReader()
    const read = reader.read()
    await turn()
    await reader.cancel()

    assert.equal((await read).done, true)
    assert.deepEqual(faults, [])
  })

  it('requests nothing before it is read', async () => {
    const { stream, pulled } = feed([Buffer.from('a')])

    const reader = watched(stream, () => undefined).getReader()
    await turn()

    assert.equal(pulled(), 0)
    await reader.read()
    await turn()
    assert.equal(pulled(), 1)
  })

  it('reports the error of the body once, and fails with it [PAGE-15]', async () => {
    const fault = new Error('the disk')
    const faults: unknown[] = []
    const { stream } = feed([Buffer.from('a')], (controller) => controller.error(fault))

    const text = new Response(watched(stream, (heard) => faults.push(heard))).text()

    await assert.rejects(text, fault)
    assert.deepEqual(faults, [fault])
  })

  it('reports a chunk that is not bytes, and cancels the source of the body [HOLD-49]', async () => {
    const faults: unknown[] = []
    const { stream, reasons } = feed([Buffer.from('a'), 'text', Buffer.from('b')])
    const reader = watched(stream, (heard) => faults.push(heard)).getReader()

    await reader.read()

    await assert.rejects(reader.read(), TypeError)
    await assert.rejects(reader.read(), TypeError)
    assert.equal(faults.length, 1)
    assert.deepEqual(reasons, faults)
  })

  it('a body that cannot be cancelled reaches neither the listener nor the process [HOLD-49]', async (t) => {
    const unhandled: unknown[] = []
    const listen = (reason: unknown): void => void unhandled.push(reason)
    process.on('unhandledRejection', listen)
    t.after(() => process.off('unhandledRejection', listen))
    const stream = new ReadableStream({
      pull: (controller) => controller.enqueue('text'),
      cancel: () => Promise.reject(new Error('the disk')),
    })

    const reader = watched(stream, () => undefined).getReader()

    await assert.rejects(reader.read(), TypeError)
    await turn()
    assert.deepEqual(unhandled, [])
  })

  it('tells the source of the body when its reader has gone', async () => {
    const { stream, reasons } = feed([Buffer.from('a')])

    await watched(stream, () => undefined).cancel('gone')

    assert.deepEqual(reasons, ['gone'])
  })
})

describe('assertBytes()', () => {
  it('accepts bytes of this realm and of another one', () => {
    for (const part of [new Uint8Array(1), Buffer.from('a'), runInNewContext('new Uint8Array(1)')])
      assert.doesNotThrow(() => assertBytes(part))
  })

  for (const part of [
    'text',
    5,
    null,
    undefined,
    {},
    [],
    new ArrayBuffer(1),
    new Uint16Array(1),
    new DataView(new ArrayBuffer(1)),
  ]) {
    it(`refuses ${Object.prototype.toString.call(part)} [HOLD-49]`, () => {
      assert.throws(() => assertBytes(part), TypeError)
    })
  }
})
