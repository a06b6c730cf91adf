import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { describe, it, type TestContext } from 'node:test'

import { LightResponse, textResponse } from '../../src/http/index.ts'
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
  it('asks the client to close where the server is closing, and nothing else of it', async (t) => {
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

  it('sends a stream piece by piece, to its end', async (t) => {
    const { received } = await written(t, () => streamed(Buffer.from('one'), Buffer.from('two')))

    assert.ok(received.startsWith('HTTP/1.1 200'))
    assert.match(received, /3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n$/)
  })

  for (const [what, parts] of [
    ['fails', [Buffer.from('one'), new Error('the disk')]],
    ['gives something else than bytes', [Buffer.from('one'), 'two']],
  ] as const) {
    it(`PAGE-15, HOLD-49: cuts the connection where a stream ${what}, and reports it once`, async (t) => {
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

  it('HOLD-49: cuts the connection where a stream gives more or less than its length', async (t) => {
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

  it('HOLD-49: refuses a stream that somebody reads before the head is out', () => {
    const light = streamed(Buffer.from('one'))
    if (light.payload instanceof ReadableStream) light.payload.getReader()
    let isOut = false
    const outgoing = { writeHead: () => (isOut = true) } as unknown as ServerResponse

    assert.throws(() => writeResponse(light, outgoing, false), TypeError)
    assert.equal(isOut, false)
  })

  it('R-39: cancels a stream whose client has gone before', async () => {
    let isCancelled = false
    const stream = new ReadableStream<Uint8Array>({ cancel: () => void (isCancelled = true) })
    const outgoing = { writeHead: () => undefined, destroyed: true } as unknown as ServerResponse

    writeResponse(new LightResponse(200, stream, []), outgoing, false)
    await new Promise((resolve) => setImmediate(resolve))

    assert.ok(isCancelled)
  })
})
