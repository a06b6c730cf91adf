import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { SessionStoreException } from '../../src/session/session-store-exception.ts'

describe('SessionStoreException', () => {
  it('names the server, the reason and the cause', () => {
    const cause = new Error('refused')
    const unreachable = new SessionStoreException('ERR_SESSION_STORE_UNREACHABLE', 'Redis', { cause })
    const late = new SessionStoreException('ERR_SESSION_STORE_TIMEOUT', 'SQLite')

    assert.equal(unreachable.message, 'Redis cannot be reached at the moment')
    assert.equal(unreachable.code, 'ERR_SESSION_STORE_UNREACHABLE')
    assert.equal(unreachable.cause, cause)
    assert.equal(late.message, 'SQLite did not answer in time')
  })
})
