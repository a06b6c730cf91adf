import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { App, Controller, defineModule, ProblemErrors, type ResponseEvent } from 'sallyport'
import { DiskFileStorage } from 'sallyport/files'
import { type FileDraft, type FileFacts, FileStorage, type Submitted, type Uploaded } from 'sallyport/input'
import { serve, type Server, type ServeOptions } from 'sallyport/node'
import { type Actions, form, input, upload } from 'sallyport/routing'
import { z } from 'zod'
import { temporaryFolder } from '../files/fixture.ts'
import { parse, within } from './raw.ts'

const Fields = z.object({})
const files = { file: { types: ['*/*'], maxBytes: 50_000_000, optional: true } }

class FileController extends Controller {
  static readonly actions = {
    indexPost: [upload(Fields, { files })],
    patientPost: [upload(Fields, { files })],
    formPost: [form(Fields)],
    jsonPost: [input(Fields)],
    slowPost: [],
  } satisfies Actions<FileController>
  static readonly limits = { patientPost: { bodyMilliseconds: 5000 } }

  indexPost({ ok }: Uploaded<typeof Fields>): unknown {
    return { ok }
  }

  patientPost({ ok }: Uploaded<typeof Fields>): unknown {
    return { ok }
  }

  formPost({ ok }: Submitted<typeof Fields>): unknown {
    return { ok }
  }

  jsonPost(fields: z.infer<typeof Fields>): unknown {
    return fields
  }

  async slowPost(): Promise<unknown> {
    await pause(500)
    return { bytes: (await this.context.request().text()).length }
  }
}

/** Takes as long for each piece as a slow disk. */
class SlowStorage extends DiskFileStorage {
  override async begin(facts: FileFacts): Promise<FileDraft> {
    const draft = await super.begin(facts)
    const write = async (bytes: Uint8Array): Promise<void> => {
      await pause(60)
      await draft.write(bytes)
    }
    return { write, keep: () => draft.keep(), discard: () => draft.discard() }
  }
}

interface Serving {
  readonly server: Server
  readonly events: readonly ResponseEvent[]
  readonly stored: () => readonly string[]
}

const QUICK: ServeOptions = { bodyMilliseconds: 250, uploadBytesPerSecond: 1000 }

async function serving(t: TestContext, options: ServeOptions = QUICK, isSlow = false): Promise<Serving> {
  const folder = temporaryFolder()
  const events: ResponseEvent[] = []
  const storage = new (isSlow ? SlowStorage : DiskFileStorage)({ directory: folder.url })
  const app = App.create()
    .modules(
      defineModule('Site', (module) => module.mount('/').controllers(FileController).errors(ProblemErrors)),
    )
    .configure((definitions) => definitions.set(FileStorage, storage))
    .onResponse((event) => events.push(event))
  const server = await serve(app, { port: 0, signals: [], drainMilliseconds: 100, ...options })
  t.after(() => server.close())
  return { server, events, stored: () => readdirSync(folder.path) }
}

const BEGIN = '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n'
const END = '\r\n--b--\r\n'
const PARTS = 'multipart/form-data; boundary=b'

interface Sending {
  readonly socket: Socket
  readonly answer: () => string
  readonly closed: Promise<void>
}

function post(port: number, path: string, [type, length]: readonly [string, number]): Sending {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  let answer = ''
  socket.setEncoding('latin1').on('data', (piece: string) => (answer += piece))
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`,
  )
  return { socket, answer: () => answer, closed }
}

/** Sends a text in pieces of some bytes, with a pause before each. */
async function drip(
  socket: Socket,
  text: string,
  [bytes, milliseconds]: readonly [number, number],
): Promise<void> {
  for (let at = 0; at < text.length && socket.writable; at += bytes) {
    await pause(milliseconds)
    if (socket.writable) socket.write(text.slice(at, at + bytes))
  }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(5)
}

describe('the time of a body', () => {
  it('grows with what arrives of a form with files [PAGE-06]', async (t) => {
    const { server, events } = await serving(t)
    const body = `${BEGIN}${'x'.repeat(1500)}${END}`
    const { socket, answer, closed } = post(server.port, '/file', [PARTS, body.length])

    // Some 2000 bytes a second, for longer than three times the limit.
    await drip(socket, body, [100, 50])
    await closed

    assert.equal(parse(answer()).status, 200)
    assert.ok((events[0]?.milliseconds ?? 0) > 750)
  })

  it('of a form with files is over for a client that sends a byte now and then [R-34]', async (t) => {
    const { server, events, stored } = await serving(t)
    const { socket, answer, closed } = post(server.port, '/file', [PARTS, 5000])
    socket.write(BEGIN)

    void drip(socket, 'x'.repeat(2000), [1, 20])
    await within(3000, closed)

    assert.equal(parse(answer()).status, 408)
    await until(() => events.length > 0 && stored().length === 0)
  })

  it('of a form with files is over for a client that falls silent, however much it has sent [R-34]', async (t) => {
    const { server, stored } = await serving(t)
    const { socket, answer, closed } = post(server.port, '/file', [PARTS, 5_000_000])

    socket.write(`${BEGIN}${'x'.repeat(1_000_000)}`)
    await within(3000, closed)

    assert.equal(parse(answer()).status, 408)
    await until(() => stored().length === 0)
  })

  it('counts only while the client is waited for, not what a storage takes [PAGE-06]', async (t) => {
    const { server } = await serving(t, QUICK, true)
    const body = `${BEGIN}${'x'.repeat(600_000)}${END}`
    const { socket, answer, closed } = post(server.port, '/file', [PARTS, body.length])

    socket.write(body)
    await closed

    assert.equal(parse(answer()).status, 200)
  })

  it('counts only while it is read: an action may be slow before it reads [R-34]', async (t) => {
    const { server } = await serving(t)
    const { socket, answer, closed } = post(server.port, '/file/slow', ['text/plain', 5])
    socket.write('hel')
    await pause(600)

    socket.write('lo')
    await closed

    assert.match(answer(), /"bytes":5/)
  })

  for (const [what, path, type] of [
    ['a form', '/file/form', 'application/x-www-form-urlencoded'],
    ['JSON', '/file/json', 'application/json'],
    ['JSON for an action with files', '/file', 'application/json'],
    ['a form with files that is kept in memory', '/file/form', PARTS],
  ] as const) {
    it(`does not grow for ${what}, and the refusal is that of its module [R-34]`, async (t) => {
      const { server, events } = await serving(t)
      const { socket, answer, closed } = post(server.port, path, [type, 50_000])

      void drip(socket, ' '.repeat(50_000), [100, 20])
      await within(3000, closed)

      const response = parse(answer())
      assert.equal(response.status, 408)
      assert.match(response.body, /"code":"ERR_HTTP_REQUEST_TIMEOUT"/)
      assert.match(answer(), /content-type: application\/problem\+json/)
      await until(() => events.length > 0)
      const [event] = events
      assert.deepEqual([event?.status, event?.pattern, events.length], [408, path, 1])
    })
  }

  it('ends a body in chunks that nobody reads [R-34]', async (t) => {
    const { server } = await serving(t)
    const socket = connect(server.port, '127.0.0.1').on('error', () => undefined)
    let answer = ''
    socket.setEncoding('latin1').on('data', (piece: string) => (answer += piece))
    const closed = new Promise((resolve) => socket.once('close', resolve))

    socket.write('POST /nowhere HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n')
    await within(3000, closed)

    assert.equal(parse(answer).status, 408)
  })

  it('is that of the route, also for one with files [PAGE-05]', async (t) => {
    const { server } = await serving(t)
    const body = `${BEGIN}${END}`
    const { socket, answer, closed } = post(server.port, '/file/patient', [PARTS, body.length])
    socket.write(BEGIN)
    await pause(700)

    socket.write(END)
    await closed

    assert.equal(parse(answer()).status, 200)
  })

  it('refuses options that are no time and no rate', async () => {
    for (const wrong of [0, -1, Number.NaN, '5', null])
      for (const name of ['bodyMilliseconds', 'uploadBytesPerSecond'])
        await assert.rejects(serve(App.create(), { [name]: wrong }), new RegExp(name))
  })
})

describe('an upload that is cut off', () => {
  for (const cut of ['destroyed', 'ended'] as const) {
    it(`is logged as not complete when its connection is ${cut} [PAGE-16]`, async (t) => {
      const { server, events, stored } = await serving(t, {})
      const { socket } = post(server.port, '/file', [PARTS, 5_000_000])
      socket.write(`${BEGIN}${'x'.repeat(300_000)}`)
      await until(() => stored().length > 0)

      if (cut === 'destroyed') socket.destroy()
      else socket.end()
      await within(
        3000,
        until(() => events.length > 0),
      )

      const [event] = events
      assert.deepEqual([event?.status, event?.isComplete, event?.pattern], [400, false, '/file'])
      socket.destroy()
    })
  }

  it('is logged as not complete when its client leaves before an action has answered [PAGE-16]', async (t) => {
    const { server, events } = await serving(t, {})
    const { socket } = post(server.port, '/file/slow', ['text/plain', 0])
    await pause(100)

    socket.destroy()
    await within(
      3000,
      until(() => events.length > 0),
    )

    assert.deepEqual([events[0]?.status, events[0]?.isComplete], [200, false])
  })

  it('is discarded and logged before close() resolves [PAGE-06]', async (t) => {
    const { server, events, stored } = await serving(t, { drainMilliseconds: 50 }, true)
    const { socket } = post(server.port, '/file', [PARTS, 5_000_000])
    socket.write(`${BEGIN}${'x'.repeat(300_000)}`)
    await until(() => stored().length > 0)
    const left = post(server.port, '/file', [PARTS, 5_000_000])
    left.socket.write(`${BEGIN}${'x'.repeat(300_000)}`)
    await until(() => stored().length > 1)
    left.socket.destroy()

    await server.close()

    assert.deepEqual(stored(), [])
    assert.deepEqual(
      events.map(({ isComplete }) => isComplete),
      [false, false],
    )
  })
})
