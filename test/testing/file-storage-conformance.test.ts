import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'

const source = (path: string): string => JSON.stringify(new URL(`../../src/${path}`, import.meta.url).href)

/** A storage in memory whose parts a fault may replace. */
const MEMORY = `
  class Memory extends FileStorage {
    files = new Map()
    drafts = 0
    newKey() { return crypto.randomUUID() }
    copy(bytes) { return new Uint8Array(bytes) }
    async begin({ type }) {
      const pieces = []
      let key = null
      let isOpen = true
      this.drafts++
      const end = () => { if (isOpen) { isOpen = false; this.drafts-- } }
      return {
        write: async (bytes) => void pieces.push(this.copy(bytes)),
        keep: async () => {
          if (key !== null) return key
          if (!isOpen) throw new Error('Discarded')
          end()
          key = this.newKey()
          this.files.set(key, new Blob(pieces, { type }))
          return key
        },
        discard: async () => { if (key === null) this.discarded(end) },
      }
    }
    discarded(end) { end() }
    async find(key) { return this.found(key, this.files.get(key)) }
    found(key, blob) {
      if (blob === undefined) return null
      const stream = () => blob.stream()
      return { type: blob.type, size: blob.size, tag: key, stream, part: (first, last) => this.part(blob, first, last) }
    }
    part(blob, first, last) { return blob.slice(first, last + 1).stream() }
    async remove(key) { return this.files.delete(key) }
    get count() { return this.files.size + this.drafts }
  }`

/** Storages with one fault each, such as people write, and a test that has to find it. */
const faults: Readonly<Record<string, readonly [body: string, found: RegExp]>> = {
  'keeps the buffer instead of a copy': ['copy(bytes) { return bytes }', /copies what is written/],
  'counts its keys': [
    `last = 0
    newKey() { return String(++this.last).padStart(30, '0') }`,
    /gives keys that are not told from others/,
  ],
  'names a file by its content': [
    `newKey() { return 'the-same-name-for-every-file' }`,
    /uploads of one name at the same time are two files/,
  ],
  'does not remove what is discarded': ['discarded() {}', /leaves nothing of a discarded file/],
  'looks keys up in an object': [
    'async find(key) { return this.found(key, this.files.get(key) ?? {}[key]) }',
    /by a key that a client made up/,
  ],
  'cleans keys': [
    `async find(key) { key = key.replace(/[./]/g, ''); return this.found(key, this.files.get(key)) }`,
    /by a key that a client made up/,
  ],
  'takes the end of a part for its length': [
    'part(blob, first, last) { return blob.slice(first, last).stream() }',
    /reads parts/,
  ],
  'reads a file once': [
    `found(key, blob) {
      const file = super.found(key, blob)
      const stream = file?.stream()
      return file && { ...file, stream: () => stream }
    }`,
    /reads a file twice at the same time/,
  ],
  'gives every file one tag': [
    `found(key, blob) { const file = super.found(key, blob); return file && { ...file, tag: 'v1' } }`,
    /another tag for each file/,
  ],
}

function prove(body: string): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'sallyport-proof-'))
  const file = join(directory, 'storage.mjs')
  const text = `
    import { describe } from 'node:test'
    import { FileStorage } from ${source('input/index.ts')}
    import { testFileStorage } from ${source('testing/index.ts')}
    ${MEMORY}
    class Storage extends Memory { ${body} }
    describe('Storage', () => testFileStorage(() => new Storage(), { count: (storage) => storage.count }))`
  writeFileSync(file, text)
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--conditions=sallyport-source', '--test-reporter=spec', file],
      { env },
      (_error, stdout) => {
        rmSync(directory, { recursive: true })
        resolve(stdout)
      },
    )
  })
}

describe('testFileStorage()', () => {
  it('finds nothing wrong with a correct storage in memory [PAGE-06]', async () => {
    const output = await prove('')

    assert.match(output, /ℹ fail 0\n/)
    assert.match(output, /ℹ pass 1\d\n/)
  })

  for (const [name, [body, found]] of Object.entries(faults)) {
    it(`finds a storage that ${name}`, async () => {
      const output = await prove(body)

      const failing = output.split('\n').filter((line) => line.includes('✖'))
      assert.ok(
        failing.some((line) => found.test(line)),
        output,
      )
    })
  }
})
