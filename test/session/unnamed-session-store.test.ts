import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { noStore, UnnamedSessionStore } from '../../src/session/unnamed-session-store.ts'

const REFUSAL =
  /^Error: Cannot use sessions in production without a named session store: .*definitions\.set\(SessionStore.*MemorySessionStore/

describe('UnnamedSessionStore', () => {
  it('refuses each operation, and says what to do', async () => {
    const store = new UnnamedSessionStore()

    for (const operation of ['read', 'create', 'update', 'rotate', 'destroy'] as const)
      await assert.rejects(store[operation](), REFUSAL)
  })

  it('says what cannot be done', () => {
    assert.match(noStore('Cannot dance').message, /^Cannot dance without a named session store: /)
  })
})
