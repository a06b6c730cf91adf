import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { App, Controller, defineModule } from 'sallyport'
import { DiskFileStorage } from 'sallyport/files'
import { FileStorage, type Uploaded } from 'sallyport/input'
import { CsrfMiddleware, MethodOverrideMiddleware } from 'sallyport/middleware'
import { serve } from 'sallyport/node'
import { type Actions, input, upload } from 'sallyport/routing'
import { TestClient } from 'sallyport/testing'
import { z } from 'zod'
import { temporaryFolder, type TemporaryFolder } from '../files/fixture.ts'

const MIB = 1024 * 1024
const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.alloc(5000, 7)])
const Caption = z.object({ caption: z.string().min(3, 'Describe the picture') })
const Fields = z.object({})

class AlbumController extends Controller {
  static readonly actions = {
    token: [],
    picturePost: [
      upload(Caption, { files: { picture: { types: ['image/png', 'image/gif'], maxBytes: 20_000 } } }),
    ],
    manyPost: [
      upload(Fields, {
        files: {
          photos: { types: ['image/png'], maxFiles: 2, maxBytes: 20_000, optional: true },
          note: { types: ['text/plain'], maxBytes: 200_000, optional: true },
        },
      }),
    ],
    bothPost: [
      upload(Caption, {
        files: { 'photos[]': { types: ['image/png'], maxFiles: 3, maxBytes: 20_000, optional: true } },
        maxTotalBytes: 30_000,
      }),
    ],
    bigPost: [upload(Fields, { files: { file: { types: ['*/*'], maxBytes: 250 * MIB } } })],
    bigPut: [],
    gonePost: [upload(Fields, { files: { picture: { types: ['image/png'] } } })],
    plainPut: [input(Caption)],
    plainPost: [upload(Fields, { files: { file: { types: ['*/*'] } } })],
  } satisfies Actions<AlbumController>

  async token(): Promise<string> {
    return await this.context.csrf().token()
  }

  async picturePost(form: Uploaded<typeof Caption>): Promise<unknown> {
    if (!form.ok)
      return this.json(
        { typed: form.typed, wrong: form.violations.map(({ field, code }) => [field, code]) },
        422,
      )
    const picture = form.files.one('picture')
    const { caption } = form.value
    return {
      caption,
      label: picture?.label,
      type: picture?.type,
      size: picture?.size,
      key: await picture?.keep(),
    }
  }

  async manyPost(form: Uploaded<typeof Fields>): Promise<unknown> {
    if (!form.ok)
      return this.json(
        form.violations.map(({ field, code, fallback }) => [field, code, fallback]),
        422,
      )
    const files = [...form.files.all('photos'), ...form.files.all('note')]
    return files.map(({ label, type }) => [label, type])
  }

  bothPost(form: Uploaded<typeof Caption>): unknown {
    if (form.ok) return form.files.all('photos').map(({ size }) => size)
    const wrong = form.violations.map(({ fallback, parameters }) => [fallback, parameters])
    return this.json({ typed: form.typed, wrong }, 422)
  }

  async bigPost(form: Uploaded<typeof Fields>): Promise<unknown> {
    if (!form.ok) return this.json(form.violations, 422)
    return { size: form.files.one('file')?.size }
  }

  bigPut(): string {
    return 'put'
  }

  gonePost(_form: Uploaded<typeof Fields>): never {
    throw new Error('The action fails')
  }

  async plainPut(value: z.infer<typeof Caption>): Promise<unknown> {
    const [file] = (await this.context.form())?.all('file') ?? []
    return { caption: value.caption, name: file instanceof File ? file.name : null }
  }

  plainPost(_form: Uploaded<typeof Fields>): string {
    return 'posted'
  }
}

interface Served {
  readonly app: App
  readonly client: TestClient
  readonly folder: TemporaryFolder
  readonly stored: () => readonly string[]
  readonly errors: unknown[]
}

function album({ isProtected = false } = {}): Served {
  const folder = temporaryFolder()
  const errors: unknown[] = []
  const module = defineModule('Album', (builder) => {
    if (isProtected) builder.middleware(CsrfMiddleware)
    return builder.mount('/').controllers(AlbumController)
  })
  const app = App.create()
    .modules(module)
    .configure((definitions) => definitions.set(FileStorage, new DiskFileStorage({ directory: folder.url })))
    .onError((error) => errors.push(error))
  app.middleware().incoming(MethodOverrideMiddleware)
  return { app, client: new TestClient(app), folder, errors, stored: () => readdirSync(folder.path) }
}

function file(content: string | Uint8Array<ArrayBuffer>, name = 'me.png', type = 'text/html'): File {
  return new File([content], name, { type })
}

// Sends a file as fast as it is taken; gives the largest size of the process meanwhile.
async function uploadOf(total: number, port: number): Promise<number> {
  const block = Buffer.alloc(64 * 1024, 'x')
  const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="big.bin"\r\n\r\n'
  const tail = '\r\n--b--\r\n'
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => (answer += chunk))
  socket.write(
    `POST /album/big HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: ${head.length + total + tail.length}\r\n` +
      `content-type: multipart/form-data; boundary=b\r\n\r\n${head}`,
  )
  let most = 0
  for (let sent = 0; sent < total; sent += block.length) {
    if (!socket.write(block)) await new Promise((resolve) => socket.once('drain', resolve))
    most = Math.max(most, process.memoryUsage().rss)
  }
  socket.write(tail)
  await new Promise((resolve) => socket.once('close', resolve))
  assert.match(answer, new RegExp(`"size":${total}`))
  return most
}

describe('upload()', () => {
  it('stores a file and tells its type from the bytes [PAGE-06]', async () => {
    const { client, folder, stored } = album()

    const response = await client.post('/album/picture', {
      multipart: { caption: 'Me at sea', picture: file(PNG, '..\\..\\C:\\me <1>.php', 'text/html') },
    })

    const { key, ...rest } = (await response.json()) as Record<string, string>
    assert.deepEqual(rest, { caption: 'Me at sea', label: 'me 1.php', type: 'image/png', size: PNG.length })
    assert.match(key ?? '', /^[0-9a-v]{26}\.png$/)
    assert.deepEqual(stored(), [key])
    assert.ok(readFileSync(join(folder.path, key ?? '')).equals(PNG))
  })

  it('refuses a type that the bytes do not have, whatever the client says [PAGE-06]', async () => {
    const { client, stored } = album()

    for (const content of ['<script>alert(1)</script>', 'MZ\u0090', '%PDF-1.7', '<svg xmlns="x"/>']) {
      const response = await client.post('/album/picture', {
        multipart: { caption: 'A picture', picture: file(content, 'me.png', 'image/png') },
      })
      assert.equal(response.status, 422)
      const { wrong } = (await response.json()) as { wrong: unknown }
      assert.deepEqual(wrong, [['picture', 'wrong_file_type']], content)
    }
    assert.deepEqual(stored(), [])
  })

  it('shows a refused form again, and keeps no file of it [PAGE-06]', async () => {
    const { client, stored } = album()

    const short = await client.post('/album/picture', { multipart: { caption: 'x', picture: file(PNG) } })
    // As a browser sends a file input that was left empty.
    const lines = [
      '--b\r\ncontent-disposition: form-data; name="caption"\r\n\r\nA picture',
      '--b\r\ncontent-disposition: form-data; name="picture"; filename=""\r\ncontent-type: application/octet-stream\r\n\r\n',
      '--b--\r\n',
    ]
    const empty = await client.post('/album/picture', {
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body: lines.join('\r\n'),
    })
    const both = await client.post('/album/picture', { multipart: { caption: 'x', picture: file('text') } })
    const bare = await client.post('/album/picture', { form: { caption: 'A picture' } })

    assert.deepEqual(await short.json(), { typed: { caption: 'x' }, wrong: [['caption', 'too_small']] })
    assert.deepEqual(await empty.json(), {
      typed: { caption: 'A picture' },
      wrong: [['picture', 'file_required']],
    })
    const codes = ((await both.json()) as { wrong: [string, string][] }).wrong.map(([, code]) => code)
    assert.deepEqual(codes, ['too_small', 'wrong_file_type'])
    assert.deepEqual(((await bare.json()) as { wrong: unknown }).wrong, [['picture', 'file_required']])
    assert.deepEqual(stored(), [])
  })

  it('limits the size of each file, their number, and the whole [PAGE-06]', async () => {
    const { client, stored } = album()
    const large = file(Buffer.concat([PNG, Buffer.alloc(20_000)]))
    const several = new FormData()
    for (const name of ['1.png', '2.png', '3.png']) several.append('photos[]', file(PNG, name))

    const tooLarge = await client.post('/album/picture', {
      multipart: { caption: 'A picture', picture: large },
    })
    const tooMany = await client.post('/album/many', { multipart: several })
    const whole = await client.post('/album/picture', {
      multipart: { caption: 'A picture', picture: file(Buffer.alloc(2 * MIB)) },
    })
    const text = await client.post('/album/picture', { multipart: { caption: 'x'.repeat(1_060_000) } })
    const parts = new FormData()
    for (let index = 0; index < 1001; index++) parts.append('x', 'y')

    assert.deepEqual(((await tooLarge.json()) as { wrong: unknown }).wrong, [['picture', 'file_too_large']])
    assert.deepEqual(await tooMany.json(), [['photos', 'too_many_files', 'Choose at most 2 files']])
    assert.equal(whole.status, 413)
    assert.equal(text.status, 413)
    assert.equal((await client.post('/album/many', { multipart: parts })).status, 413)
    assert.deepEqual(stored(), [])
  })

  it('limits all files together, and shows the form again [PAGE-06]', async () => {
    const { client, stored } = album()
    const formOf = (...sizes: readonly number[]): FormData => {
      const form = new FormData()
      form.append('caption', 'A picture')
      for (const size of sizes)
        form.append('photos[]', file(Buffer.concat([PNG, Buffer.alloc(size - PNG.length)])))
      return form
    }

    const enough = await client.post('/album/both', { multipart: formOf(15_000, 15_000) })
    const over = await client.post('/album/both', { multipart: formOf(15_000, 15_001) })
    const afterwards = await client.post('/album/both', { multipart: formOf(15_000, 16_000, 15_000) })

    assert.deepEqual(await enough.json(), [15_000, 15_000])
    for (const response of [over, afterwards]) {
      assert.equal(response.status, 422)
      const message = 'Choose files of at most 29.3 KB together'
      const parameters = { maximum: 30_000, megabytes: 0.03 }
      assert.deepEqual(await response.json(), {
        typed: { caption: 'A picture' },
        wrong: [[message, parameters]],
      })
    }
    assert.deepEqual(stored(), [])
  })

  it('gives every file a label that can be shown [PAGE-06]', async () => {
    const { client } = album()
    const labels = [
      ['..', 'file'],
      [' ', 'file'],
      ['100".png', '100.png'],
      ['C:\\photos\\.me.png', 'me.png'],
      ['Müller & Söhne 🏊.png', 'Müller & Söhne 🏊.png'],
    ]
    for (const [name, label] of labels) {
      const response = await client.post('/album/picture', {
        multipart: { caption: 'A picture', picture: file(PNG, name) },
      })
      assert.equal(((await response.json()) as { label: string }).label, label)
    }
  })

  it('removes what the action does not keep [PAGE-06]', async () => {
    const { client, stored, errors } = album()
    const several = new FormData()
    for (const name of ['1.png', '2.png']) several.append('photos[]', file(PNG, name))
    several.append('note', file('Zwölf Boxkämpfer\n', 'note.md'))

    const dropped = await client.post('/album/many', { multipart: several })
    const failed = await client.post('/album/gone', { multipart: { picture: file(PNG) } })

    assert.deepEqual(await dropped.json(), [
      ['1.png', 'image/png'],
      ['2.png', 'image/png'],
      ['note.md', 'text/plain'],
    ])
    assert.equal(failed.status, 500)
    assert.equal(errors.length, 1)
    assert.deepEqual(stored(), [])
  })

  it('takes a text only when it is one to its end [PAGE-06]', async () => {
    const { client } = album()
    const note = Buffer.concat([Buffer.alloc(100_000, 'text '), Buffer.from([0])])

    const response = await client.post('/album/many', { multipart: { note: file(note) } })

    assert.equal(response.status, 422)
    assert.deepEqual(((await response.json()) as unknown[][])[0]?.slice(0, 2), ['note', 'wrong_file_type'])
  })

  it('refuses a file in a field that takes none, and a malformed form, and keeps nothing [PAGE-06]', async () => {
    const { client, stored } = album()
    const head = 'content-disposition: form-data; name="picture"; filename="a.png"'
    const content = `--b\r\n${head}\r\n\r\n${PNG.toString('latin1')}`
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    const post = (body: string): ReturnType<TestClient['post']> =>
      client.post('/album/picture', { headers, body: new Uint8Array(Buffer.from(body, 'latin1')) })
    const foreign = new FormData()
    foreign.append('picture', file(PNG))
    foreign.append('other', file(PNG))

    assert.equal((await client.post('/album/picture', { multipart: foreign })).status, 400)
    assert.equal((await post(content)).status, 400)
    assert.equal((await post(`${content}\r\n--b\r\n\r\n\r\n--b--`)).status, 400)
    assert.equal((await post(`${content}\r\n--b\r\ncontent-disposition: form-data; name="a"`)).status, 400)
    assert.equal((await post(`junk${content}\r\n--b--`)).status, 400)
    assert.deepEqual(stored(), [])
  })

  it('reads a form the same however it is cut [PAGE-06]', async () => {
    const { app, stored } = album()
    const fields = new FormData()
    fields.append('caption', 'A picture')
    fields.append('picture', file(PNG))
    const whole = new Request('http://localhost/album/picture', { method: 'POST', body: fields })
    const headers = { 'content-type': whole.headers.get('content-type') ?? '' }
    const bytes = new Uint8Array(await whole.arrayBuffer())

    for (const size of [1, 7, 64, 1000]) {
      let at = 0
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          if (at >= bytes.length) return controller.close()
          controller.enqueue(bytes.slice(at, (at += size)))
        },
      })
      const init = { method: 'POST', headers, body, duplex: 'half' } as const
      const response = await app.fetch(new Request('http://localhost/album/picture', init))
      assert.equal(((await response.json()) as { size: number }).size, PNG.length, `${size}`)
    }
    assert.equal(stored().length, 4)
  })

  it('decides about forgery before a file is stored [PAGE-06]', async () => {
    const { client, stored } = album({ isProtected: true })
    const token = await (await client.get('/album/token')).text()
    const before = new FormData()
    before.append('_csrf', token)
    before.append('caption', 'A picture')
    before.append('picture', file(PNG))
    const after = new FormData()
    after.append('caption', 'A picture')
    after.append('picture', file(PNG))
    after.append('_csrf', token)

    assert.equal((await client.post('/album/picture', { multipart: after })).status, 403)
    assert.deepEqual(stored(), [])
    const headers = { 'x-csrf-token': token }
    assert.equal((await client.post('/album/picture', { multipart: after, headers })).status, 200)
    assert.equal((await client.post('/album/picture', { multipart: before })).status, 200)
    assert.equal(stored().length, 2)
  })

  it('lets method override look at the fields before the first file only [PAGE-06]', async () => {
    const { client, stored } = album()
    const over = (...entries: [string, string | File][]): FormData => {
      const form = new FormData()
      for (const [name, value] of entries) form.append(name, value)
      return form
    }
    const big = file(Buffer.alloc(600_000, 'x'), 'big.txt')

    const posted = await client.post('/album/plain', {
      multipart: over(['file', file('x')], ['_method', 'PUT']),
    })
    const put = await client.post('/album/plain', {
      multipart: over(['_method', 'PUT'], ['caption', 'A picture'], ['file', big]),
    })

    assert.equal(await posted.text(), 'posted')
    assert.deepEqual(await put.json(), { caption: 'A picture', name: 'big.txt' })
    assert.deepEqual(stored(), [])
  })

  it('stores 200 MiB without holding them in memory [PAGE-06]', async () => {
    const { app, stored } = album()
    const server = await serve(app, { port: 0, host: '127.0.0.1' })
    try {
      // Of the first one the process keeps what the collector has not looked at yet, whatever its length.
      await uploadOf(100 * MIB, server.port)
      const before = process.memoryUsage().rss
      const most = await uploadOf(200 * MIB, server.port)

      const grown = Math.round((most - before) / MIB)
      assert.ok(grown < 80, `the process grew by ${grown} MiB`)
      assert.deepEqual(stored(), [])
    } finally {
      await server.close()
    }
  })

  for (const cut of ['destroyed', 'ended'] as const) {
    it(`leaves nothing behind when the connection is ${cut} within a file [PAGE-06]`, async () => {
      const { app, stored, errors } = album()
      const server = await serve(app, { port: 0, host: '127.0.0.1' })
      try {
        const socket = connect(server.port, '127.0.0.1').on('error', () => undefined)
        socket.write(
          'POST /album/big HTTP/1.1\r\nhost: a\r\ncontent-length: 5000000\r\n' +
            'content-type: multipart/form-data; boundary=b\r\n\r\n' +
            '--b\r\ncontent-disposition: form-data; name="file"; filename="big.bin"\r\n\r\n',
        )
        socket.write(Buffer.alloc(300_000, 'x'))
        for (let wait = 0; stored().length === 0 && wait < 200; wait++) await setTimeout(10)
        assert.equal(stored().length, 1)
        assert.match(stored()[0] ?? '', /^\.upload-/)

        if (cut === 'destroyed') socket.destroy()
        else socket.end()

        for (let wait = 0; stored().length > 0 && wait < 200; wait++) await setTimeout(10)
        assert.deepEqual(stored(), [])
        assert.deepEqual(errors, [])
      } finally {
        await server.close()
      }
    })
  }

  it('takes uploads one after the other on a connection, chunked and announced ones too [PAGE-06]', async () => {
    const { app } = album()
    const server = await serve(app, { port: 0, host: '127.0.0.1' })
    const part = (text: string): string =>
      `--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n${text}\r\n--b--\r\n`
    const head = 'POST /album/big HTTP/1.1\r\nhost: a\r\ncontent-type: multipart/form-data; boundary=b\r\n'
    const whole = (text: string): string => `${head}content-length: ${part(text).length}\r\n\r\n${part(text)}`
    const chunked = `${part('chunk').length.toString(16)}\r\n${part('chunk')}\r\n0\r\n\r\n`
    const socket = connect(server.port, '127.0.0.1')
    let answers = ''
    socket.setEncoding('latin1').on('data', (chunk: string) => (answers += chunk))
    const sees = async (expected: RegExp): Promise<void> => {
      for (let wait = 0; !expected.test(answers) && wait < 500; wait++) await setTimeout(10)
      assert.match(answers, expected)
    }
    try {
      socket.write(whole('one') + whole('four'))
      await sees(/"size":3.*"size":4/s)
      socket.write(whole('x'.repeat(200_000)))
      await sees(/"size":200000/)
      socket.write(`${head}transfer-encoding: chunked\r\n\r\n${chunked}`)
      await sees(/"size":5/)
      socket.write(`${head}expect: 100-continue\r\ncontent-length: ${part('').length}\r\n\r\n`)
      await sees(/HTTP\/1\.1 100 /)
      socket.write(part(''))
      await sees(/"size":0/)
    } finally {
      socket.destroy()
      await server.close()
    }
  })

  it('closes a connection whose upload is refused unread [PAGE-06]', async () => {
    const { app } = album({ isProtected: true })
    const server = await serve(app, { port: 0, host: '127.0.0.1' })
    try {
      const form = new FormData()
      form.append('file', file(Buffer.alloc(3 * MIB)))
      const refused = await fetch(`http://127.0.0.1:${server.port}/album/big`, { method: 'POST', body: form })
      const large = new FormData()
      large.append('picture', file(Buffer.alloc(3 * MIB)))
      const over = await fetch(`http://127.0.0.1:${server.port}/album/picture`, {
        method: 'POST',
        body: large,
      })

      assert.deepEqual([refused.status, refused.headers.get('connection')], [403, 'close'])
      assert.equal(over.status, 413)
    } finally {
      await server.close()
    }
  })
})

describe('assertStorages()', () => {
  it('does not boot without a storage, whichever way the controller is reached [PAGE-06]', async () => {
    const listed = defineModule('Listed', (module) => module.controllers(AlbumController))
    const routed = defineModule('Routed', (module) =>
      module.withoutConventionRouting().routes((routes) => routes.post('/', [AlbumController, 'bigPost'])),
    )
    const claimed = defineModule('Claimed', (module) =>
      module
        .withoutConventionRouting()
        .claim('/c', (routes) => routes.post('/', [AlbumController, 'bigPost'])),
    )

    for (const module of [listed, routed, claimed])
      await assert.rejects(App.create().modules(module).boot(), {
        code: 'invalid-parameter',
        message: /AlbumController::\w+ of module "\w+".*: there is no FileStorage; register one with/,
      })
  })
})
