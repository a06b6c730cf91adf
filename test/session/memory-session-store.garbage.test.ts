import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, it } from 'node:test'

const INDEX = new URL('../../src/session/index.ts', import.meta.url)
const WRITES = 100_000
// Sessions of one process, each written again and again; the mark tells the collections before the writes apart.
const PROGRAM = `
  import { MemorySessionStore } from ${JSON.stringify(INDEX.href)}
  const store = new MemorySessionStore()
  const lifetime = { createdAt: 0, expiresAt: Date.now() + 3600_000 }
  const data = new Map([['_auth', '"u1"'], ['count', '0']])
  for (let i = 0; i < 32; i++) await store.create('session ' + i, data, lifetime)
  // As a server has it sooner or later: what is there by now is old.
  gc()
  console.log('WRITES')
  for (let i = 0; i < ${WRITES}; i++)
    await store.update('session ' + (i % 32), { set: new Map([['count', String(i)]]), removed: new Set() }, lifetime)
`

describe('MemorySessionStore under writes', () => {
  it('releases what it no longer keeps while it is young', (t) => {
    const flags = [
      '--conditions=sallyport-source',
      '--expose-gc',
      '--trace-gc-nvp',
      '--max-semi-space-size=1',
    ]
    const { stdout, stderr } = spawnSync(process.execPath, [...flags, '--input-type=module', '-e', PROGRAM], {
      encoding: 'utf8',
    })
    const [, during = ''] = stdout.split('WRITES')
    const promoted = [...during.matchAll(/ gc=s .* promoted=(\d+)/g)].map(([, bytes]) => Number(bytes))
    // By the second half, what was there before is old.
    const steady = promoted.slice(promoted.length / 2)
    const bytes = steady.reduce((sum, one) => sum + one, 0) / (WRITES / 2)

    assert.ok(steady.length > 10, `there were ${promoted.length} collections: ${stderr}`)
    // A record and its entries have some 600 bytes.
    assert.ok(bytes < 100, `${bytes} bytes of each write grew old`)
    t.diagnostic(`bytes of a session write that grow old: ${bytes.toFixed(0)} (goal: below 100)`)
  })
})
