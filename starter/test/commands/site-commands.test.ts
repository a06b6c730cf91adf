import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FrozenClock } from 'sallyport/testing'
import { readEnvironment } from '../../environment.ts'
import { OpsCredentials } from '../../operations/ops-credentials.ts'
import { temporary } from '../support.ts'
import { runPrinted } from './printed.ts'

const clock = new FrozenClock('2026-01-01T00:00:00Z')

describe('ops-password', () => {
  it('prints what to configure, and the password that it opens for', async (test) => {
    const { exitCode, text } = await runPrinted(['ops-password'], { DATA_DIR: temporary(test) }, clock)

    const [, hash = ''] = /OPS_HASH=(\S+)/.exec(text) ?? []
    const [username = '', password = ''] = text
      .trimEnd()
      .split('\n')
      .slice(-2)
      .map((line) => line.trim())
    const { opsHash = '' } = readEnvironment({ OPS_HASH: hash })
    assert.equal(exitCode, 0)
    assert.equal(new OpsCredentials(opsHash).match({ username, password }), true)
    assert.equal(hash.includes(password), false)
    assert.ok(password.length >= 32)
  })
})
