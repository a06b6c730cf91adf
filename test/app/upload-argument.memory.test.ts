import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { App, Controller, defineModule, type HttpContext } from 'sallyport'
import { DiskFileStorage } from 'sallyport/files'
import type { Middleware, MiddlewareClass, Next } from 'sallyport/http'
import { FileStorage, type Uploaded } from 'sallyport/input'
import { CsrfMiddleware, MethodOverrideMiddleware } from 'sallyport/middleware'
import { serve, type Server } from 'sallyport/node'
import { type Actions, upload } from 'sallyport/routing'
import { TestClient } from 'sallyport/testing'
import { z } from 'zod'
import { temporaryFolder } from '../files/fixture.ts'

const MIB = 1024 * 1024
const Fields = z.object({})
const files = { video: { types: ['*/*'], maxBytes: 200 * MIB, optional: true } }

class VideoController extends Controller {
  static readonly actions = {
    indexPost: [upload(Fields, { files })],
    jsonPut: [],
    jsonPost: [upload(Fields, { files })],
  } satisfies Actions<VideoController>
  static readonly limits = { jsonPut: { bodyBytes: 3 * MIB } }

  indexPost(form: Uploaded<typeof Fields>): unknown {
    return { ok: form.ok }
  }

  jsonPost(form: Uploaded<typeof Fields>): unknown {
    return { ok: form.ok }
  }

  async jsonPut(): Promise<unknown> {
    return { bytes: (await this.context.request().text()).length }
  }
}

/** Reads the body as a whole, in front of the action. */
class ReadsAll implements Middleware {
  async process(context: HttpContext, next: Next): Promise<Response> {
    await context.request().arrayBuffer()
    return next()
  }
}

function videos(...middlewares: readonly MiddlewareClass[]): App {
  const folder = temporaryFolder()
  const site = defineModule('Site', (module) => {
    for (const middleware of middlewares) module.middleware(middleware)
    module.mount('/').controllers(VideoController)
  })
  return App.create()
    .modules(site)
    .configure((definitions) => definitions.set(FileStorage, new DiskFileStorage({ directory: folder.url })))
}

async function serving(t: TestContext, app: App): Promise<Server> {
  const server = await serve(app, { port: 0, host: '127.0.0.1', signals: [], drainMilliseconds: 100 })
  t.after(() => server.close())
  return server
}

interface Outcome {
  readonly status: number
  /** What the process has grown by, in MiB. */
  readonly grown: number
}

/** Sends 190 MiB as fast as they are taken. */
async function flood(port: number, head: string, isChunked: boolean): Promise<Outcome> {
  const block = Buffer.alloc(64 * 1024, 'a')
  const total = 190 * MIB
  const length = isChunked ? 'transfer-encoding: chunked' : `content-length: ${total}`
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  let answer = ''
  const state = { isOver: false }
  socket.setEncoding('latin1').on('data', (chunk: string) => (answer += chunk))
  const closed = new Promise<void>((resolve) => {
    const end = (): void => {
      state.isOver = true
      resolve()
    }
    socket.once('close', end).once('end', end)
  })
  const before = process.memoryUsage().rss
  let most = before
  socket.write(`POST /video HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${length}\r\n${head}\r\n\r\n`)
  const framed = (bytes: Buffer): Buffer =>
    Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
  const first = Buffer.from(head === PARTS ? '--b\r\ncontent-disposition: form-data; name="x"\r\n\r\n' : 'x=')
  socket.write(isChunked ? framed(first) : first)
  const piece = isChunked ? framed(block) : block
  for (let sent = 0; sent < total && !state.isOver; sent += block.length) {
    if (!socket.write(piece)) await Promise.race([new Promise((go) => socket.once('drain', go)), closed])
    most = Math.max(most, process.memoryUsage().rss)
  }
  if (isChunked) socket.write('0\r\n\r\n')
  await closed
  socket.destroy()
  return { status: Number(answer.slice(9, 12)), grown: Math.round((most - before) / MIB) }
}

const FORM = 'content-type: application/x-www-form-urlencoded'
const PARTS = 'content-type: multipart/form-data; boundary=b'

describe('the memory of a route with files', () => {
  for (const [what, head, middlewares] of [
    ['a form that the CSRF middleware reads', FORM, [CsrfMiddleware]],
    ['a form that method override reads', FORM, [MethodOverrideMiddleware]],
    ['a form that the action reads', FORM, []],
    ['JSON', 'content-type: application/json', []],
    ['another type', 'content-type: text/plain', []],
    ['a body without a type', 'x-nothing: 1', [CsrfMiddleware]],
    ['a form in parts that a middleware reads as a whole', PARTS, [ReadsAll]],
    ['parts without an end of their first field', PARTS, [CsrfMiddleware]],
  ] as const) {
    it(`holds no large body but files: not ${what} [PAGE-06]`, async (t) => {
      const server = await serving(t, videos(...middlewares))

      for (const isChunked of [false, true]) {
        const { status, grown } = await flood(server.port, head, isChunked)

        assert.ok([400, 413].includes(status), `${status}`)
        assert.ok(grown < 60, `the process grew by ${grown} MiB`)
      }
    })
  }

  it('is that of the strings of a form too, their names included [PAGE-06]', async () => {
    const client = new TestClient(videos())
    const fits = await client.post('/video', { multipart: { text: 'a'.repeat(MIB - 100) } })
    const strings = await client.post('/video', { multipart: { text: 'a'.repeat(MIB) } })
    const names = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`${i}${'n'.repeat(4000)}`, '']))
    const named = await client.post('/video', { multipart: names })

    assert.deepEqual([fits.status, strings.status, named.status], [200, 413, 413])
  })

  it('leaves the limit that a route without files names, also beside one with files [PAGE-05]', async () => {
    const app = videos()
    app.middleware().incoming(MethodOverrideMiddleware)
    const client = new TestClient(app)
    const body = 'a'.repeat(2 * MIB)

    const put = await client.request('PUT', '/video/json', { body })
    const posted = await client.post('/video/json', { body, headers: { 'content-type': 'text/plain' } })

    assert.deepEqual(await put.json(), { bytes: 2 * MIB })
    assert.equal(posted.status, 413)
  })

  it('takes the limits() of a route with files as one of the files [PAGE-05]', async () => {
    const site = defineModule('Site', (module) =>
      module.withoutConventionRouting().routes((routes) => {
        routes.post('/', [VideoController, 'indexPost']).limits({ bodyBytes: 5 * MIB })
        routes.post('/small', [VideoController, 'indexPost']).limits({ bodyBytes: 5000 })
      }),
    )
    const folder = temporaryFolder()
    const app = App.create()
      .modules(site)
      .configure((definitions) =>
        definitions.set(FileStorage, new DiskFileStorage({ directory: folder.url })),
      )
    const client = new TestClient(app)
    const send = async (path: string, bytes: number): Promise<number[]> => {
      const video = new File([Buffer.alloc(bytes)], 'a.mp4')
      const sent = await client.post(path, { multipart: { video } })
      const typed = await client.post(path, { form: { text: 'a'.repeat(bytes) } })
      return [sent.status, typed.status]
    }

    assert.deepEqual(await send('/site', 2 * MIB), [200, 413])
    assert.deepEqual(await send('/site', 5 * MIB), [413, 413])
    assert.deepEqual(await send('/site/small', 2000), [200, 200])
    assert.deepEqual(await send('/site/small', 5000), [413, 413])
    assert.deepEqual(readdirSync(folder.path), [])
  })
})
