import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'

import { App, Controller, defineModule } from 'sallyport'
import { serve } from 'sallyport/node'
import type { Actions } from 'sallyport/routing'

const SIZE = 3_000_000

function upload(size = SIZE): FormData {
  const form = new FormData()
  form.set('name', 'Ada')
  form.set('file', new File([Buffer.alloc(size)], 'file.bin'))
  return form
}

class IndexController extends Controller {
  static readonly actions = { index: [], indexPost: [], unreadPost: [] } satisfies Actions<IndexController>

  index(): Response {
    return new Response(upload())
  }

  async indexPost(): Promise<string> {
    return (await this.context.form())?.text('name') ?? ''
  }

  unreadPost(): string {
    return 'unread'
  }
}

function app(): App {
  const site = defineModule('Site', (module) => module.mount('/').controllers(IndexController))
  return App.create().limits({ bodyBytes: 1000 }).modules(site)
}

function send(path: string, body: FormData): Promise<Response> {
  return app().fetch(new Request(`http://app.test${path}`, { method: 'POST', body }))
}

// A rejection that nobody handles would come while the parts that are left are written, and fails the test that runs then.
async function settled(): Promise<void> {
  await pause(100)
}

describe('a body that Node creates from a FormData', () => {
  for (const path of ['/', '/index/unread', '/nowhere']) {
    it(`sent to ${path}, beyond the limit, is a 413 and ends nothing [HOLD-49]`, async () => {
      for (const size of [2000, 100_000, SIZE]) assert.equal((await send(path, upload(size))).status, 413)
      await settled()
    })
  }

  it('is read completely within the limit', async () => {
    assert.equal(await (await send('/', upload(100))).text(), 'Ada')
  })

  for (const [what, request, leavesAfter] of [
    ['asked for by HEAD', 'HEAD / HTTP/1.1\r\nHost: app.test\r\nConnection: close\r\n\r\n', Infinity],
    ['that the client does not wait for', 'GET / HTTP/1.1\r\nHost: app.test\r\n\r\n', 1],
  ] as const) {
    it(`as a response ${what} ends nothing [HOLD-49]`, async (t) => {
      const server = await serve(app(), { port: 0 })
      t.after(() => server.close())

      const said = await new Promise<string>((resolve, reject) => {
        const socket = connect(server.port, '127.0.0.1', () => socket.write(request))
        let text = ''
        socket.on('data', (chunk: Buffer) => {
          text += chunk.toString('latin1')
          if (text.length >= leavesAfter) socket.destroy()
        })
        socket.on('error', reject).on('close', () => resolve(text))
      })
      await settled()

      assert.match(said, /^HTTP\/1\.1 200 /)
    })
  }

  it('arrives completely as a response, through fetch() and over HTTP', async (t) => {
    const server = await serve(app(), { port: 0 })
    t.after(() => server.close())

    for (const response of [
      await app().fetch(new Request('http://app.test/')),
      await fetch(`http://127.0.0.1:${server.port}/`),
    ]) {
      const file = (await response.formData()).get('file')
      assert.ok(file instanceof File)
      assert.equal(file.size, SIZE)
    }
  })

  it('may be cancelled in the middle by the caller of fetch() [HOLD-49]', async () => {
    const response = await app().fetch(new Request('http://app.test/'))
    const reader = response.body?.getReader()

    await reader?.read()
    await reader?.cancel()
    await settled()
  })
})
