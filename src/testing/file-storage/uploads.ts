import assert from 'node:assert/strict'
import { it } from 'node:test'
import { App, Controller, defineModule } from '../../app/index.ts'
import {
  type FileDraft,
  type FileFacts,
  FileStorage,
  type StandardSchema,
  type Uploaded,
} from '../../input/index.ts'
import { upload } from '../../routing/index.ts'
import { assertContent, bytesOf, type StartStorage, type StorageRun } from './run.ts'

const ANYTHING: StandardSchema = {
  '~standard': { version: 1, vendor: 'sallyport', validate: (value) => ({ value }) },
}
const BOUNDARY = 'b'
const SIZE = 200_000

/** Fails when it has written a number of bytes, as a disk that is full. */
class FullStorage extends FileStorage {
  readonly #storage: FileStorage
  #left: number

  constructor(storage: FileStorage, bytes: number) {
    super()
    this.#storage = storage
    this.#left = bytes
  }

  override async begin(facts: FileFacts): Promise<FileDraft> {
    const draft = await this.#storage.begin(facts)
    const write = async (bytes: Uint8Array): Promise<void> => {
      this.#left -= bytes.byteLength
      if (this.#left < 0) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
      await draft.write(bytes)
    }
    return { write, keep: () => draft.keep(), discard: () => draft.discard() }
  }

  override find(key: string): ReturnType<FileStorage['find']> {
    return this.#storage.find(key)
  }

  override remove(key: string): Promise<boolean> {
    return this.#storage.remove(key)
  }
}

/**
 * Declares the tests of whole uploads: two at once, one that is cut off, a batch that the storage cannot hold.
 *
 * @param start Opens the storage, once for each test.
 */
export function testUploads(start: StartStorage): void {
  it('two uploads of one name at the same time are two files [PAGE-06]', async () => {
    await using run = await start()
    const contents = [bytesOf(SIZE), bytesOf(SIZE)]

    const keys = await Promise.all(
      contents.map(async (content) => {
        const response = await appOf(run.storage).fetch(requestOf([content]))
        return (await response.json()) as string[]
      }),
    )

    for (const [i, [key = '']] of keys.entries())
      await assertContent(await run.storage.find(key), contents[i] ?? bytesOf(0))
    assert.notEqual(keys[0]?.[0], keys[1]?.[0])
  })

  it('an upload that is cut off in its middle leaves nothing [PAGE-06]', async () => {
    await using run = await start()
    const before = await run.count?.()
    const cut = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(bodyOf([bytesOf(SIZE)]).subarray(0, SIZE / 2)),
      pull: (controller) => controller.error(new Error('The client has left')),
    })

    const response = await appOf(run.storage).fetch(requestOf([], cut))

    assert.ok(response.status >= 400)
    assert.equal(await run.count?.(), before)
  })

  it('a storage that is full in the middle of a batch leaves no file of it, and is reported [PAGE-06]', async () => {
    await using run = await start()
    const before = await run.count?.()
    const errors: unknown[] = []
    const full = new FullStorage(run.storage, SIZE * 1.5)

    const response = await appOf(full, errors).fetch(requestOf([bytesOf(SIZE), bytesOf(SIZE), bytesOf(SIZE)]))

    assert.equal(response.status, 500)
    assert.equal(errors.length, 1)
    assert.equal(await run.count?.(), before)
  })

  testRelease(start)
}

function testRelease(start: StartStorage): void {
  it('files that the action does not keep are removed [PAGE-06]', async () => {
    await using run: StorageRun = await start()
    const before = await run.count?.()

    const response = await appOf(run.storage).fetch(
      requestOf([bytesOf(SIZE), bytesOf(SIZE)], null, '?drop=1'),
    )

    assert.deepEqual(await response.json(), [])
    assert.equal(await run.count?.(), before)
  })
}

function appOf(storage: FileStorage, errors: unknown[] = []): App {
  class UploadController extends Controller {
    static readonly actions = {
      indexPost: [upload(ANYTHING, { files: { file: { types: ['*/*'], maxFiles: 5, maxBytes: SIZE } } })],
    }
    async indexPost(form: Uploaded<unknown>): Promise<unknown> {
      if (!form.ok) return null
      if (this.context.query() !== '') return []
      return await Promise.all(form.files.all('file').map((file) => file.keep()))
    }
  }
  const site = defineModule('Site', (module) => module.controllers(UploadController))
  return App.create({ debug: false })
    .modules(site)
    .limits({ bodyBytes: SIZE * 10 })
    .configure((definitions) => definitions.set(FileStorage, storage))
    .onError((error) => errors.push(error))
}

function requestOf(files: readonly Uint8Array[], body: ReadableStream | null = null, query = ''): Request {
  const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }
  const init = { method: 'POST', headers, body: body ?? bodyOf(files), duplex: 'half' as const }
  return new Request(`http://localhost/site/upload${query}`, init)
}

function bodyOf(files: readonly Uint8Array[]): Buffer<ArrayBuffer> {
  const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="same.bin"\r\n\r\n`
  const parts = files.flatMap((file) => [Buffer.from(head), file, Buffer.from('\r\n')])
  return Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)])
}
