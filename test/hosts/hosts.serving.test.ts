import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'

import { commandOf, type Runtime } from './hosts.ts'
import { installHosts } from './installation.ts'
import { type Running, start } from './running.ts'

const GET = 'GET / HTTP/1.1\r\nHost: app.test\r\n\r\n'
const LONG_EXTENSION = `POST / HTTP/1.1\r\nHost: app.test\r\nTransfer-Encoding: chunked\r\n\r\n1;${'a'.repeat(20_000)}\r\nx\r\n0\r\n\r\n`
const LARGE_PAGE = 'GET /large HTTP/1.1\r\nHost: app.test\r\nConnection: close\r\n\r\n'
const LARGE_BYTES = 40_000_000
// Longer than a client may accept nothing, with the time between two checks.
const STALL_MILLISECONDS = 75_000
const isNight = process.env['NIGHTLY'] === '1'
const installation = installHosts()
const skip = typeof installation === 'string' ? installation : false

function startOn(runtime: Runtime): Promise<Running> {
  assert.ok(typeof installation !== 'string')
  return start([...commandOf(runtime, installation), 'serving.mjs'], installation)
}

/** What the program writes on a runtime, which gets some bytes of a client that resets its connection. */
async function writtenOn(runtime: Runtime, bytes: string): Promise<string> {
  const running = await startOn(runtime)
  const client = connect(running.port, '127.0.0.1')
  client.write(bytes)
  await once(client, 'connect')
  await pause(50)
  client.resetAndDestroy()
  await pause(500)
  await running.stop()
  return running.output()
}

/** How many bytes a client gets of a page of 40 MB, if it accepts none at first and then so many in a second. */
async function bytesReceived(
  port: number,
  { silence, perSecond }: { readonly silence: number; readonly perSecond: number },
): Promise<number> {
  const client = connect(port, '127.0.0.1')
  client.write(LARGE_PAGE)
  let bytes = 0
  await pause(silence)
  try {
    for await (const chunk of client as AsyncIterable<Buffer>) {
      bytes += chunk.length
      await pause((chunk.length / perSecond) * 1000)
    }
  } catch {
    // The server has reset the connection.
  }
  return bytes
}

/** Status and body of the response to a request with so many header lines. The body is the value of the last one. */
async function statusWith(port: number, lines: number): Promise<string> {
  const client = connect(port, '127.0.0.1')
  client.write(
    `GET /last HTTP/1.1\r\nHost: app.test\r\nConnection: close\r\n${'a:b\r\n'.repeat(lines)}Last: here\r\n\r\n`,
  )
  const text = (await client.setEncoding('latin1').toArray()).join('')
  return `${text.slice(9, 12)} ${text.split('\r\n\r\n')[1] ?? ''}`
}

describe('serve() on a runtime that does not keep all its promises', { skip }, () => {
  for (const { runtime, bytes, there, onNode, warning } of [
    {
      runtime: 'bun',
      bytes: GET,
      there: 'the address is ""',
      onNode: 'the address is "127.0.0.1"',
      warning: 'it forgets the address of a client that disconnects. Pass app.fetch to Bun.serve() instead',
    },
    {
      runtime: 'deno',
      bytes: LONG_EXTENSION,
      there: 'the length of the body is 1',
      onNode: '',
      warning: 'it does not limit the size of chunk extensions. Pass app.fetch to Deno.serve() instead',
    },
  ] as const)
    it(`says so at once on ${runtime}, which still differs from Node [HOST-05]`, async () => {
      const [written, writtenByNode] = [await writtenOn(runtime, bytes), await writtenOn('node', bytes)]

      assert.ok(written.includes(warning), written)
      assert.ok(written.includes(there), written)
      assert.ok(writtenByNode.includes(onNode) && !writtenByNode.includes(there), writtenByNode)
      assert.ok(!writtenByNode.includes('promises'), writtenByNode)
    })

  for (const runtime of ['bun', 'deno'] as const)
    it(`reads a body whole on ${runtime}, and finishes what is in flight when it closes [HOST-05]`, async () => {
      const running = await startOn(runtime)
      const url = `http://127.0.0.1:${running.port}`

      const length = await (await fetch(url, { method: 'POST', body: 'x'.repeat(70_000) })).text()
      const inFlight = fetch(`${url}/slow`)
      await pause(100)
      await running.stop()

      assert.equal(length, '70000')
      assert.equal(await (await inFlight).text(), 'slow')
    })

  for (const { runtime, lines } of [
    { runtime: 'node', lines: 990 },
    { runtime: 'deno', lines: 990 },
    { runtime: 'bun', lines: 190 },
  ] as const)
    it(`drops no header line on ${runtime}, and refuses a request with too many [HOST-05]`, async () => {
      const running = await startOn(runtime)

      const [fewer, tooMany] = [await statusWith(running.port, lines), await statusWith(running.port, 1500)]
      await running.stop()

      assert.equal(fewer, '200 here')
      assert.equal(tooMany.slice(0, 3), '431')
    })

  // It takes more than a minute.
  if (isNight)
    it('sends a large page to a slow client on bun, and disconnects one that accepts nothing [HOST-05]', async () => {
      const running = await startOn('bun')

      const [slow, stalled] = await Promise.all([
        bytesReceived(running.port, { silence: 0, perSecond: 1_000_000 }),
        bytesReceived(running.port, { silence: STALL_MILLISECONDS, perSecond: Infinity }),
      ])
      await running.stop()

      assert.ok(slow > LARGE_BYTES, String(slow))
      assert.ok(stalled < LARGE_BYTES, String(stalled))
    })
})
