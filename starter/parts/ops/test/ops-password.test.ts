import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FrozenClock } from 'sallyport/testing'
import { readEnvironment } from '../../../core/boot/environment.ts'
import { StartupError } from '../../../core/boot/startup-error.ts'
import { OpsCredentials } from '../ops-credentials.ts'
import { ops } from '../part.ts'
import { temporary } from '../../../test/support.ts'
import { runPrinted } from '../../../test/commands/printed.ts'

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
    const [{ settings, switchedOn } = { settings: {}, switchedOn: '' }] = readEnvironment(
      { OPS_HASH: hash },
      [ops],
    ).ofParts
    assert.equal(exitCode, 0)
    assert.equal(new OpsCredentials(settings.operations?.hash ?? '').match({ username, password }), true)
    assert.equal(hash.includes(password), false)
    assert.ok(password.length >= 32)
    assert.equal(switchedOn, '/ops (OPS_HASH)')
  })

  it('is called with nothing else, and every sentence of it ends with a full stop [RA-3201]', async (test) => {
    for (const line of [['--help'], ['--unknown'], ['word']])
      await runPrinted(['ops-password', ...line], { DATA_DIR: temporary(test) }, clock)
  })
})

describe('OPS_HASH', () => {
  for (const value of ['ops:password', `sha256-${'A'.repeat(42)}`, ' '])
    it(`is refused as ${JSON.stringify(value)}, without telling what it is`, () => {
      assert.throws(
        () => readEnvironment({ OPS_HASH: value }, [ops]),
        (error) =>
          error instanceof StartupError &&
          error.message.startsWith('OPS_HASH must be') &&
          !error.message.includes('password:') &&
          !error.message.includes('AAA'),
      )
    })

  it('is what the command check names', async (test) => {
    const { hash } = OpsCredentials.create()
    const { text } = await runPrinted(['check'], { DATA_DIR: temporary(test), OPS_HASH: hash }, clock)

    assert.match(text, /^Switched on: .*\/ops \(OPS_HASH\)/m)
  })
})
