import assert from 'node:assert/strict'
import { existsSync, readdirSync, readlinkSync, truncateSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { serve } from 'sallyport/node'
import { serveFolder, temporaryFolder, type TemporaryFolder } from './fixture.ts'

const DESCRIPTORS = '/proc/self/fd'
const skip = existsSync(DESCRIPTORS) ? false : 'open files are not listed here'

function opened({ path }: TemporaryFolder): number {
  const targets = readdirSync(DESCRIPTORS).map((name) => {
    try {
      return readlinkSync(join(DESCRIPTORS, name))
    } catch {
      // The one that listed them.
      return ''
    }
  })
  return targets.filter((target) => target.startsWith(path)).length
}

async function closes(folder: TemporaryFolder): Promise<void> {
  for (let wait = 0; opened(folder) > 0 && wait < 300; wait++) await setTimeout(10)
  assert.equal(opened(folder), 0)
}

describe('streamPieces()', { skip }, () => {
  it('closes the file at the end, when the client leaves, and when nobody reads [PAGE-09]', async () => {
    const folder = temporaryFolder({ 'big.bin': Buffer.alloc(20_000_000, 'x') })
    const { app, client } = serveFolder(folder)
    const server = await serve(app, { port: 0, host: '127.0.0.1' })
    try {
      const whole = await client.get('/assets/big.bin')
      assert.equal((await whole.arrayBuffer()).byteLength, 20_000_000)
      await closes(folder)

      const unread = await client.get('/assets/big.bin')
      await unread.body?.cancel()
      await closes(folder)

      const socket = connect(server.port, '127.0.0.1')
      socket.write('GET /assets/big.bin HTTP/1.1\r\nhost: a\r\n\r\n')
      await new Promise((resolve) => socket.once('data', resolve))
      assert.equal(opened(folder), 1)
      socket.destroy()
      await closes(folder)
    } finally {
      await server.close()
    }
  })

  it('cuts the connection when the file becomes shorter while it is sent [PAGE-09]', async () => {
    const folder = temporaryFolder({ 'big.bin': Buffer.alloc(20_000_000, 'x') })
    const { app } = serveFolder(folder)
    const errors: unknown[] = []
    app.onError((error) => errors.push(error))
    const server = await serve(app, { port: 0, host: '127.0.0.1' })
    try {
      const socket = connect(server.port, '127.0.0.1')
      let length = 0
      socket.write('GET /assets/big.bin HTTP/1.1\r\nhost: a\r\n\r\n')
      await new Promise((resolve) => socket.once('readable', resolve))
      truncateSync(join(folder.path, 'big.bin'), 1000)
      socket.on('data', (chunk: Buffer) => (length += chunk.length)).on('error', () => undefined)
      await new Promise((resolve) => socket.once('close', resolve))

      assert.ok(length < 20_000_000)
      assert.match(String(errors[0]), /it has become shorter/)
      await closes(folder)
    } finally {
      await server.close()
    }
  })
})
