import assert from 'node:assert/strict'
import { chmodSync, readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { DiskFileStorage } from 'sallyport/files'
import { FrozenClock } from 'sallyport/testing'
import { temporaryFolder } from './fixture.ts'

const PNG = { type: 'image/png', extension: 'png' }

describe('DiskFileStorage', () => {
  it('PAGE-06: finds a file only after it was kept', async () => {
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

  it('PAGE-06: removes a discarded file, and refuses to keep it', async () => {
    const folder = temporaryFolder()
    const draft = await new DiskFileStorage({ directory: folder.url }).begin(PNG)
    await draft.write(Buffer.from('one'))

    await draft.discard()
    await draft.discard()

    assert.deepEqual(readdirSync(folder.path), [])
    await assert.rejects(draft.keep(), /it was removed/)
  })

  it('PAGE-06: finds and removes nothing but what it stored, whatever the key', async () => {
    const folder = temporaryFolder({ 'in/a.txt': 'a', 'secret.txt': 's' })
    const storage = new DiskFileStorage({ directory: new URL('in/', folder.url) })
    const keys = ['../secret.txt', 'a.txt', '', '.', '..', '%2e%2e', '..\\secret.txt', '/etc/passwd', 'a\0']

    for (const key of [...keys, '0'.repeat(26), `${'0'.repeat(26)}/../a.txt`]) {
      assert.equal(await storage.find(key), null, key)
      assert.equal(await storage.remove(key), false, key)
    }
    assert.deepEqual(readdirSync(join(folder.path, 'in')), ['a.txt'])
  })

  it('PAGE-06: removes after a day what a killed process left', async () => {
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

  it('PAGE-06: refuses at construction a folder that does not exist, is a file, or cannot be written', (test) => {
    const folder = temporaryFolder({ file: 'x', 'closed/x': '' })
    const make = (directory: unknown): DiskFileStorage =>
      new DiskFileStorage({ directory } as ConstructorParameters<typeof DiskFileStorage>[0])

    assert.throws(() => make(new URL('missing/', folder.url)), {
      name: 'RangeError',
      message: /make it first/,
    })
    assert.throws(() => make(pathToFileURL(join(folder.path, 'file'))), { name: 'RangeError' })
    assert.throws(() => make('./uploads'), TypeError)
    if (process.getuid?.() === 0) return test.skip('root may write everywhere')
    chmodSync(join(folder.path, 'closed'), 0o500)
    assert.throws(() => make(new URL('closed/', folder.url)), /may not write/)
  })
})
