import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'

const source = (path: string): string => JSON.stringify(new URL(`../../src/${path}`, import.meta.url).href)

/** Stores with one fault each, such as people write, and a test that has to find it. */
const faults: Readonly<Record<string, readonly [body: string, found: RegExp]>> = {
  'writes the whole record back': [
    `async update(id, changes, lifetime) {
      const record = await this.read(id)
      await new Promise(setImmediate)
      if (record === null || record.ended) return false
      const data = new Map([...record.data, ...changes.set])
      for (const key of changes.removed) data.delete(key)
      await super.create(id, data, lifetime)
      return true
    }`,
    /keeps all of a hundred parallel writes.*\bR-07\b/,
  ],
  'revives what has ended': [
    `async update(id, changes, lifetime) {
      if (!(await super.update(id, changes, lifetime))) await super.create(id, changes.set, lifetime)
      return true
    }`,
    /a write that reaches the store after its session was rotated revives nothing.*\bR-05\b/,
  ],
  'leaves no tombstone': [
    `async read(id) {
      const record = await super.read(id)
      return record?.ended ? null : record
    }`,
    /an old cookie is anonymous after a rotation, and its response sets no cookie.*\bR-06\b/,
  ],
  'keeps entries in an object': [
    `create(id, data, lifetime) {
      const entries = {}
      for (const [key, text] of data) entries[key] = text
      return super.create(id, new Map(Object.entries(entries)), lifetime)
    }`,
    /under the key "__proto__"/,
  ],
  'leaves the old identifier alive': [
    `async rotate(from, to, changes, lifetime) {
      const record = await this.read(from)
      if (record === null || record.ended) return false
      await super.create(to, new Map([...record.data, ...changes.set]), lifetime)
      return true
    }`,
    /lets one of many parallel rotations win.*\bR-06\b/,
  ],
  'never forgets': [
    `async update(id, changes, lifetime) {
      return super.update(id, changes, { ...lifetime, expiresAt: Number.MAX_SAFE_INTEGER })
    }`,
    /can also shorten the expiry/,
  ],
  'loses the owner when it rotates': [
    `async rotate(from, to, changes, lifetime) {
      return super.rotate(from, to, { owner: null, ...changes }, lifetime)
    }`,
    /takes the owner with a rotation.*\bACCT-03\b/,
  ],
  'lists what has ended': [
    `owned = new Map()
    async create(id, data, start) {
      await super.create(id, data, start)
      this.owned.set(id, start.owner)
    }
    async sessionsOf(owner) {
      const ids = [...this.owned].filter(([, of]) => of === owner).map(([id]) => id)
      return Promise.all(ids.map(async (id) => ({ id, record: await this.read(id) })))
    }`,
    /lists no destroyed and no expired session.*\bACCT-03\b/,
  ],
  'takes anything for a session': [
    `spoil = new Set()
    async read(id) {
      const record = await super.read(id)
      return this.spoil.has(id) && record ? { ...record, data: new Map() } : record
    }
    create(id, data, lifetime) { this.spoil.delete(id); return super.create(id, data, lifetime) }`,
    /reports a malformed record.*\bHOLD-25\b/,
  ],
  'revives a malformed record': [
    `spoil = new Set()
    async read(id) {
      return this.spoil.has(id) ? null : super.read(id)
    }
    create(id, data, lifetime) { this.spoil.delete(id); return super.create(id, data, lifetime) }`,
    /makes no live record.*\bHOLD-25\b/,
  ],
}

function prove(body: string): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'sallyport-proof-'))
  const file = join(directory, 'store.mjs')
  const text = `
    import { describe } from 'node:test'
    import { MemorySessionStore } from ${source('session/index.ts')}
    import { proveSessionStore } from ${source('testing/index.ts')}
    class Store extends MemorySessionStore { ${body} }
    describe('Store', () => proveSessionStore((clock) => new Store({ clock }), undefined, {
      spoil: (store, id) => store.spoil?.add(id),
    }))`
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

describe('proveSessionStore()', () => {
  it('finds nothing wrong with a correct store', async () => {
    const output = await prove(`spoil = new Set()
      async read(id) {
        return this.spoil.has(id) ? null : super.read(id)
      }
      async update(id, changes, lifetime) {
        return this.spoil.has(id) ? false : super.update(id, changes, lifetime)
      }
      async rotate(from, to, changes, lifetime) {
        return this.spoil.has(from) ? false : super.rotate(from, to, changes, lifetime)
      }
      async sessionsOf(owner) {
        const listed = await super.sessionsOf(owner)
        return listed.map((session) => (this.spoil.has(session.id) ? { ...session, record: null } : session))
      }
      create(id, data, lifetime) { this.spoil.delete(id); return super.create(id, data, lifetime) }`)

    assert.match(output, /ℹ fail 0\n/)
    assert.match(output, /ℹ pass [1-9]\d\n/)
  })

  for (const [name, [body, found]] of Object.entries(faults)) {
    it(`finds a store that ${name}`, async () => {
      const output = await prove(body)

      const failing = output.split('\n').filter((line) => line.includes('✖'))
      assert.ok(
        failing.some((line) => found.test(line)),
        output,
      )
    })
  }
})
