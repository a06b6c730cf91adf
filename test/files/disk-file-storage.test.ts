import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { App, Controller, defineModule } from 'sallyport'
import { DiskFileStorage } from 'sallyport/files'
import { FileStorage, type Uploaded } from 'sallyport/input'
import { type Actions, upload } from 'sallyport/routing'
import { FrozenClock, TestClient, testFileStorage } from 'sallyport/testing'
import { z } from 'zod'
import { temporaryFolder } from './fixture.ts'

const PNG = { type: 'image/png', extension: 'png' }

/** What all open files have in common, to have one of its methods fail. */
async function prototypeOfFiles(): Promise<FileHandle> {
  const file = await open(import.meta.filename)
  await file.close()
  return Object.getPrototypeOf(file) as FileHandle
}

type Write = (this: FileHandle, bytes: Uint8Array) => Promise<unknown>

function fault(code: string): Error {
  return Object.assign(new Error(`${code}: the disk says no`), { code })
}

class PhotoController extends Controller {
  static readonly actions = {
    indexPost: [upload(z.object({}), { files: { photos: { types: ['*/*'], maxFiles: 5 } } })],
  } satisfies Actions<PhotoController>

  async indexPost(form: Uploaded<object>): Promise<unknown> {
    if (!form.ok) return null
    return await Promise.all(form.files.all('photos').map((photo) => photo.keep()))
  }
}

function album(storage: FileStorage): { client: TestClient; errors: unknown[] } {
  const errors: unknown[] = []
  const app = App.create({ debug: false })
    .modules(defineModule('Album', (module) => module.controllers(PhotoController)))
    .configure((definitions) => definitions.set(FileStorage, storage))
    .onError((error) => errors.push(error))
  return { client: new TestClient(app), errors }
}

function batch(count: number): FormData {
  const form = new FormData()
  for (let i = 0; i < count; i++) form.append('photos', new File([Buffer.alloc(200_000, 7)], 'same.bin'))
  return form
}

/** What the construction says in a process that may not write everywhere, as root may. */
async function refusalWithoutPrivileges(directory: URL): Promise<string> {
  const program = `
    import { DiskFileStorage } from ${JSON.stringify(new URL('../../src/files/index.ts', import.meta.url).href)}
    if (process.getuid() === 0) { process.setgroups([]); process.setgid(65534); process.setuid(65534) }
    try { new DiskFileStorage({ directory: new URL(${JSON.stringify(directory.href)}) }) }
    catch (error) { process.stdout.write(error.name + ': ' + error.message) }`
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--conditions=sallyport-source',
    '--input-type=module',
    '--eval',
    program,
  ])
  return stdout
}

describe('DiskFileStorage', () => {
  const folder = temporaryFolder()
  testFileStorage(() => new DiskFileStorage({ directory: folder.url }), {
    count: () => readdirSync(folder.path).length,
  })
})

describe('DiskFileStorage in its folder', () => {
  it('finds a file only after it was kept [PAGE-06]', async () => {
    const folder = temporaryFolder({ 'other.txt': 'x' })
    const storage = new DiskFileStorage({ directory: folder.url, flush: true })
    const draft = await storage.begin(PNG)
    await draft.write(Buffer.from('one '))
    await draft.write(Buffer.from('two'))
    const [hidden = ''] = readdirSync(folder.path)

    const key = await draft.keep()
    const found = await storage.find(key)

    assert.match(hidden, /^\.upload-/)
    assert.equal(await storage.find(hidden), null)
    assert.equal(await draft.keep(), key)
    assert.deepEqual([found?.type, found?.size], ['image/png', 7])
    assert.equal(await new Response(found?.stream()).text(), 'one two')
    await draft.discard()
    assert.deepEqual(readdirSync(folder.path).toSorted(), [key, 'other.txt'].toSorted())
    assert.deepEqual([await storage.remove(key), await storage.remove(key)], [true, false])
    assert.equal(await storage.find(key), null)
  })

  it('removes a discarded file, and refuses to keep it [PAGE-06]', async () => {
    const folder = temporaryFolder()
    const draft = await new DiskFileStorage({ directory: folder.url }).begin(PNG)
    await draft.write(Buffer.from('one'))

    await draft.discard()
    await draft.discard()

    assert.deepEqual(readdirSync(folder.path), [])
    await assert.rejects(draft.keep(), /keep\(\) was called after the action ended/)
  })

  it('finds and removes nothing but what it stored, whatever the key [PAGE-06]', async () => {
    const folder = temporaryFolder({ 'in/a.txt': 'a', 'secret.txt': 's' })
    const storage = new DiskFileStorage({ directory: new URL('in/', folder.url) })
    const keys = ['../secret.txt', 'a.txt', '', '.', '..', '%2e%2e', '..\\secret.txt', '/etc/passwd', 'a\0']

    for (const key of [...keys, '0'.repeat(26), `${'0'.repeat(26)}/../a.txt`]) {
      assert.equal(await storage.find(key), null, key)
      assert.equal(await storage.remove(key), false, key)
    }
    assert.deepEqual(readdirSync(join(folder.path, 'in')), ['a.txt'])
  })

  it('removes after a day what a killed process left [PAGE-06]', async () => {
    const folder = temporaryFolder()
    const left = await new DiskFileStorage({ directory: folder.url }).begin(PNG)
    const recent = await new DiskFileStorage({ directory: folder.url }).begin(PNG)
    const [old = '', young = ''] = readdirSync(folder.path)
    utimesSync(join(folder.path, old), new Date('2026-01-30T11:00:00Z'), new Date('2026-01-30T11:00:00Z'))
    utimesSync(join(folder.path, young), new Date('2026-01-30T13:00:00Z'), new Date('2026-01-30T13:00:00Z'))

    const clock = new FrozenClock('2026-01-31T12:00:00Z')
    const draft = await new DiskFileStorage({ directory: folder.url, clock }).begin(PNG)
    await draft.discard()

    assert.deepEqual(readdirSync(folder.path), [young])
    await Promise.all([left.discard(), recent.discard()])
  })

  it('answers 507 to a disk that is full in the middle of a batch, reports it, and leaves nothing [PAGE-06]', async (test) => {
    for (const code of ['ENOSPC', 'EDQUOT']) {
      const folder = temporaryFolder()
      const { client, errors } = album(new DiskFileStorage({ directory: folder.url }))
      let written = 0
      const prototype = await prototypeOfFiles()
      const write: Write = prototype.write
      const mock = test.mock.method(prototype, 'write', function (this: FileHandle, bytes: Uint8Array) {
        // The first file fits, and the beginning of the second.
        written += bytes.byteLength
        return written > 300_000 ? Promise.reject(fault(code)) : write.call(this, bytes)
      })

      const response = await client.post('/album/photo', { multipart: batch(3) })
      mock.mock.restore()

      assert.equal(response.status, 507)
      assert.match(await response.text(), /There is no room for the file at the moment/)
      assert.equal(errors.length, 1)
      assert.match(String((errors[0] as Error).cause), new RegExp(code))
      assert.deepEqual(readdirSync(folder.path), [])
      assert.equal((await client.post('/album/photo', { multipart: batch(2) })).status, 200)
      assert.equal(readdirSync(folder.path).length, 2)
    }
  })

  it('leaves no file that cannot be flushed or renamed, and gives the error [PAGE-06]', async (test) => {
    const flushed = temporaryFolder()
    const half = await new DiskFileStorage({ directory: flushed.url, flush: true }).begin(PNG)
    await half.write(Buffer.from('one'))
    test.mock.method(await prototypeOfFiles(), 'sync', () => Promise.reject(fault('EIO')))

    await assert.rejects(half.keep(), { code: 'EIO' })
    await half.discard()
    assert.deepEqual(readdirSync(flushed.path), [])

    const folder = temporaryFolder()
    const draft = await new DiskFileStorage({ directory: folder.url }).begin(PNG)
    rmSync(folder.path, { recursive: true })
    await assert.rejects(draft.keep(), { code: 'ENOENT' })
    await draft.discard()
    assert.equal(existsSync(folder.path), false)
  })

  it('refuses at construction a folder that does not exist, is a file, or cannot be written [PAGE-06]', async () => {
    const folder = temporaryFolder({ file: 'x', 'closed/x': '', 'open/x': '' })
    const make = (directory: unknown): DiskFileStorage =>
      new DiskFileStorage({ directory } as ConstructorParameters<typeof DiskFileStorage>[0])

    assert.throws(() => make(new URL('missing/', folder.url)), {
      name: 'RangeError',
      message: /create it first/,
    })
    assert.throws(() => make(pathToFileURL(join(folder.path, 'file'))), { name: 'RangeError' })
    assert.throws(() => make('./uploads'), TypeError)
    chmodSync(folder.path, 0o755)
    chmodSync(join(folder.path, 'closed'), 0o555)
    chmodSync(join(folder.path, 'open'), 0o777)
    assert.match(
      await refusalWithoutPrivileges(new URL('closed/', folder.url)),
      /^RangeError: .* is not allowed to write there/,
    )
    assert.equal(await refusalWithoutPrivileges(new URL('open/', folder.url)), '')
  })
})
