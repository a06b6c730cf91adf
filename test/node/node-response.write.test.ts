import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { describe, it, type TestContext } from 'node:test'

import { LightResponse, textResponse } from '../../src/http/internal.ts'
import { writeResponse } from '../../src/node/node-response.ts'

interface Written {
  /** Everything that came until the connection closed. */
  readonly received: string
  readonly outgoing: ServerResponse
}

/** What a client that asks once receives of a response. */
async function written(
  t: TestContext,
  make: () => LightResponse,
  { draining = true, lines = [] as readonly string[] } = {},
): Promise<Written> {
  let sent: ServerResponse | undefined
  const server = createServer((_, outgoing) => {
    sent = outgoing
    writeResponse(make(), outgoing, draining)
  }).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const received: Buffer[] = []
  client.on('data', (piece: Buffer) => received.push(piece))
  client.on('error', () => undefined)
  client.write(`${['GET / HTTP/1.1', 'Host: a', ...lines].join('\r\n')}\r\n\r\n`)
  await new Promise((resolve) => client.on('close', resolve))
  assert.ok(sent !== undefined)
  return { received: Buffer.concat(received).toString('latin1'), outgoing: sent }
}

const streamed = (...parts: unknown[]): LightResponse =>
  new LightResponse(
    200,
    new ReadableStream<Uint8Array>({
      pull(controller) {
        const part = parts.shift()
        if (part === undefined) controller.close()
        else if (part instanceof Error) controller.error(part)
        else controller.enqueue(part as Uint8Array)
      },
    }),
    [],
  )
const latin1 = (text: string): string => Buffer.from(text).toString('latin1')

describe('writeResponse()', () => {
  it('asks the client to close if the server is closing, and nothing else', async (t) => {
    const make = (): LightResponse => textResponse(200, 'x', 'text/plain')
    const [closing, going] = [
      await written(t, make),
      await written(t, make, { draining: false, lines: ['Connection: close'] }),
    ]

    assert.equal(closing.received.split(/\r\nconnection: close\r\n/i).length, 2)
    assert.equal(going.received.match(/\r\nconnection: close\r\n/gi)?.length, 1)
    assert.ok(closing.received.endsWith('\r\n\r\nx'))
  })

  it('says it once where the response says it', async (t) => {
    const { received } = await written(t, () => new LightResponse(200, null, ['connection', 'close']))

    assert.equal(received.match(/connection: close/gi)?.length, 1)
  })

  for (const [what, make, body, header] of [
    ['ASCII', () => textResponse(200, 'abc', 'text/plain'), 'abc', 'text/plain'],
    ['UTF-8', () => textResponse(200, 'é€', 'text/plain'), latin1('é€'), 'text/plain'],
    ['UTF-8 behind a header in Latin-1', () => textResponse(200, 'é€', 'text/é'), latin1('é€'), 'text/é'],
    [
      'text that nobody measured',
      () => new LightResponse(200, 'é', ['content-length', '2']),
      latin1('é'),
      '',
    ],
    [
      'bytes',
      () => new LightResponse(200, Uint8Array.of(255, 0, 65), ['content-length', '3']),
      '\xff\0A',
      '',
    ],
    ['nothing', () => new LightResponse(200, null, ['content-length', '0']), '', ''],
  ] as const) {
    it(`sends ${what} byte for byte`, async (t) => {
      const { received } = await written(t, () => {
        const light = make()
        // A header that was appended is judged by its value, one of the framework's own is not.
        if (header.includes('é')) light.headers.set('content-type', header)
        return light
      })

      assert.equal(received.slice(received.indexOf('\r\n\r\n') + 4), body)
      if (header !== '') assert.match(received, new RegExp(`content-type: ${header}\r\n`))
    })
  }

  it('sends a stream chunk by chunk, to its end', async (t) => {
    const { received } = await written(t, () => streamed(Buffer.from('one'), Buffer.from('two')))

    assert.ok(received.startsWith('HTTP/1.1 200'))
    assert.match(received, /3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n$/)
  })

  for (const [what, parts] of [
    ['fails', [Buffer.from('one'), new Error('the disk')]],
    ['gives something else than bytes', [Buffer.from('one'), 'two']],
  ] as const) {
    it(`cuts the connection when a stream ${what}, and reports it once [PAGE-15 HOLD-49]`, async (t) => {
      const faults: unknown[] = []
      const { received, outgoing } = await written(t, () => {
        const light = streamed(...parts)
        light.onBodyFault((fault) => faults.push(fault))
        return light
      })

      assert.ok(!received.includes('\r\n0\r\n\r\n'))
      assert.ok(outgoing.destroyed)
      assert.equal(faults.length, 1)
    })
  }

  it('cuts the connection when a stream yields more or less than its length [HOLD-49]', async (t) => {
    for (const length of ['2', '4']) {
      const faults: unknown[] = []
      const { received } = await written(t, () => {
        const light = streamed(Buffer.from('one'))
        light.append('content-length', length)
        light.onBodyFault((fault) => faults.push(fault))
        return light
      })

      assert.equal(faults.length, 1, received)
    }
  })

  it('refuses a stream that is already read before the head is sent [HOLD-49]', () => {
    const light = streamed(Buffer.from('one'))
    if (light.payload instanceof ReadableStream) light.payload.getReader()
    let isOut = false
    const outgoing = { writeHead: () => (isOut = true) } as unknown as ServerResponse

    assert.throws(() => writeResponse(light, outgoing, false), TypeError)
    assert.equal(isOut, false)
  })

  it('cancels a stream whose client has disconnected [R-39]', async () => {
    let isCancelled = false
    const stream = new ReadableStream<Uint8Array>({ cancel: () => void (isCancelled = true) })
    const outgoing = { writeHead: () => undefined, destroyed: true } as unknown as ServerResponse

    writeResponse(new LightResponse(200, stream, []), outgoing, false)
    await new Promise((resolve) => setImmediate(resolve))

    assert.ok(isCancelled)
  })
})

/** The connection's side of a response to a client that takes what it is told to. */
class Outgoing extends EventEmitter {
  readonly limits: number[] = []
  readonly written: unknown[] = []
  isEnded = false
  destroyed = false
  strictContentLength = false
  /** Whether the client has taken all; what `write()` tells. */
  takes = true
  writableLength = 0
  readonly socket = {
    destroyed: false,
    setTimeout: (milliseconds: number) => this.limits.push(milliseconds),
  }

  writeHead(): void {
    // Nothing is to be seen of it.
  }

  flushHeaders(): void {
    // Nor of this.
  }

  write(piece: unknown): boolean {
    this.written.push(piece)
    return this.takes
  }

  end(piece?: unknown): void {
    if (piece !== undefined) this.written.push(piece)
    this.isEnded = true
  }

  destroy(): void {
    this.destroyed = true
    this.socket.destroyed = true
    this.emit('close')
  }

  send(light: LightResponse): void {
    writeResponse(light, this as unknown as ServerResponse, false)
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('a client that reads nothing', () => {
  for (const [what, make] of [
    ['text', () => textResponse(200, 'x', 'text/plain')],
    ['bytes', () => new LightResponse(200, Uint8Array.of(1), [])],
    ['the end of a stream', () => streamed(Buffer.from('x'))],
  ] as const) {
    it(`has half a minute for the rest of ${what}, and no limit when nothing waits [R-34]`, async () => {
      const [taking, waiting] = [new Outgoing(), new Outgoing()]
      waiting.writableLength = 1

      for (const outgoing of [taking, waiting]) outgoing.send(make())
      await turn()
      await turn()

      assert.deepEqual([taking.isEnded, taking.limits], [true, []])
      assert.deepEqual([waiting.isEnded, waiting.limits], [true, [30_000]])
    })
  }

  it('is awaited in the middle of a stream, half a minute for each chunk, and no more is pulled [R-34]', async () => {
    let pulled = 0
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
      if (++pulled > 20) controller.close()
      else controller.enqueue(Buffer.from(String(pulled)))
    }
    const outgoing = new Outgoing()
    outgoing.takes = false
    outgoing.writableLength = 1
    outgoing.send(new LightResponse(200, new ReadableStream({ pull }, { highWaterMark: 0 }), []))
    for (let piece = 1; piece <= 20; piece++) {
      for (let i = 0; i < 3; i++) await turn()
      assert.deepEqual([outgoing.written.length, pulled], [piece, piece])
      assert.deepEqual(outgoing.limits.splice(0), piece === 1 ? [30_000] : [0, 30_000])
      assert.equal(outgoing.listenerCount('drain'), 1)
      outgoing.emit('drain')
    }
    for (let i = 0; i < 3; i++) await turn()

    assert.equal(outgoing.isEnded, true)
    assert.equal(outgoing.listenerCount('drain') + outgoing.listenerCount('close'), 0)
  })

  it('leaves nothing behind when it disconnects in the middle of a stream, which is cancelled [R-39]', async () => {
    const faults: unknown[] = []
    for (const goes of ['while it is waited for', 'while it is written to'] as const) {
      let cancelled = 0
      const stream = new ReadableStream<Uint8Array>({
        pull: (controller) => controller.enqueue(Buffer.from('x')),
        cancel: () => void cancelled++,
      })
      const light = new LightResponse(200, stream, [])
      light.onBodyFault((fault) => faults.push(fault))
      const outgoing = new Outgoing()
      outgoing.takes = false
      if (goes === 'while it is written to') outgoing.write = () => (outgoing.destroy(), false)
      outgoing.send(light)
      for (let i = 0; i < 3; i++) await turn()

      outgoing.destroy()
      for (let i = 0; i < 3; i++) await turn()

      assert.equal(cancelled, 1, goes)
      assert.equal(outgoing.listenerCount('drain') + outgoing.listenerCount('close'), 0, goes)
      assert.equal(outgoing.isEnded, false)
    }
    assert.deepEqual(faults, [])
  })

  it('a stream that cannot be cancelled reaches neither a listener nor the process [R-39]', async (t) => {
    const unhandled: unknown[] = []
    const listen = (fault: unknown): void => void unhandled.push(fault)
    process.on('unhandledRejection', listen)
    t.after(() => process.off('unhandledRejection', listen))
    const outgoing = new Outgoing()
    const cancel = (): Promise<void> => Promise.reject(new Error('the disk'))
    outgoing.send(new LightResponse(200, new ReadableStream({ cancel }), []))
    await turn()

    outgoing.destroy()
    for (let i = 0; i < 5; i++) await turn()

    assert.deepEqual(unhandled, [])
  })
})

describe('a stream that fails', () => {
  const failing = (when: Promise<unknown>): ReadableStream<Uint8Array> =>
    new ReadableStream({ pull: async () => void (await when) })

  for (const isHeard of [true, false]) {
    it(`is reported once, ${isHeard ? 'to its listener' : 'to stderr'}, and its connection cut [PAGE-15]`, async (t) => {
      const said: string[] = []
      t.mock.method(process.stderr, 'write', (piece: string) => said.push(piece) > 0)
      const faults: unknown[] = []
      const light = new LightResponse(200, failing(Promise.reject(new Error('the disk'))), [])
      if (isHeard) light.onBodyFault((fault) => faults.push(fault))
      const outgoing = new Outgoing()

      outgoing.send(light)
      for (let i = 0; i < 5; i++) await turn()

      assert.equal(outgoing.destroyed, true)
      assert.equal(faults.length, isHeard ? 1 : 0)
      assert.equal(said.join('').split('Error: the disk').length, isHeard ? 1 : 2)
    })
  }

  it('is reported at once and once, although its client takes nothing [PAGE-15]', async () => {
    const faults: unknown[] = []
    let fail: ((fault: unknown) => void) | undefined
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(Buffer.from('x'))
        fail = (fault) => controller.error(fault)
      },
    })
    const light = new LightResponse(200, stream, [])
    light.onBodyFault((fault) => faults.push(fault))
    const outgoing = new Outgoing()
    outgoing.takes = false
    outgoing.send(light)
    for (let i = 0; i < 3; i++) await turn()
    assert.deepEqual([outgoing.written.length, outgoing.destroyed], [1, false])

    const fault = new Error('the disk')
    fail?.(fault)
    for (let i = 0; i < 3; i++) await turn()

    assert.equal(outgoing.destroyed, true)
    assert.deepEqual(faults, [fault])
  })

  it('is not reported when its client has disconnected before [PAGE-15]', async (t) => {
    const said: string[] = []
    t.mock.method(process.stderr, 'write', (piece: string) => said.push(piece) > 0)
    const faults: unknown[] = []
    for (const isHeard of [true, false]) {
      const gate = Promise.withResolvers<void>()
      const light = new LightResponse(200, failing(gate.promise), [])
      if (isHeard) light.onBodyFault((fault) => faults.push(fault))
      const outgoing = new Outgoing()
      outgoing.send(light)
      await turn()

      outgoing.socket.destroyed = true
      gate.reject(new Error('the disk'))
      for (let i = 0; i < 5; i++) await turn()

      assert.equal(outgoing.destroyed, true)
    }
    assert.deepEqual([faults, said], [[], []])
  })
})

describe('the head of a stream', () => {
  it('is sent at once, though the first chunk is slow', async () => {
    const outgoing = new Outgoing()
    let flushed = 0
    outgoing.flushHeaders = () => void flushed++

    outgoing.send(new LightResponse(200, new ReadableStream(), []))
    await turn()
    await turn()

    assert.equal(flushed, 1)
    outgoing.destroy()
  })

  it('is sent with the first chunk when that is available', async () => {
    const outgoing = new Outgoing()
    let flushed = 0
    outgoing.flushHeaders = () => void flushed++

    outgoing.send(streamed(Buffer.from('x')))
    outgoing.send(new LightResponse(200, ReadableStream.from([]), []))
    for (let i = 0; i < 3; i++) await turn()

    assert.equal(flushed, 0)
    assert.deepEqual(outgoing.written, [Buffer.from('x')])
  })
})
