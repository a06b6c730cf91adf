import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FrozenClock } from 'sallyport/testing'
import type { CommandEnd } from 'sallyport-app/commands'
import { COMMANDS } from '../../commands.ts'
import { AuditTrail } from '../../core/audit/audit-trail.ts'
import { desk, REASON, runEveryWay } from './desk.ts'
import { runPrinted } from './printed.ts'

describe('npm start -- COMMAND', () => {
  it('ends each sentence with one full stop, whichever command it is and however it ends [RA-3201]', async (test) => {
    const { run } = desk(test, { NODE_ENV: 'development' })

    await runEveryWay(run, [['rotate-key', ...REASON], ['check'], ['trim', '400'], ['code']])
  })

  it('names the operator and the reason in the trail [RA-3201 RA-2204]', async (test) => {
    const { run, open } = desk(test)

    assert.equal((await run('rotate-key', ...REASON, '--operator', 'olga')).exitCode, 0)

    const [event] = await (await open()).app.get(AuditTrail).latest(1)
    assert.deepEqual([event?.kind, event?.actor], ['factor-key-rotated', 'operator:olga'])
  })

  it('explains itself with help, --help, -h and --help after a command, even without a key [RA-3201]', async () => {
    const run = (...line: readonly string[]): Promise<CommandEnd> =>
      runPrinted(line, { NODE_ENV: 'production' }, new FrozenClock('2026-01-01T00:00:00Z'))

    for (const word of ['help', '--help', '-h']) {
      const { exitCode, text } = await run(word)
      assert.equal(exitCode, 0)
      for (const name of Object.keys(COMMANDS)) assert.match(text, new RegExp(`npm start -- ${name}\\b`))
    }
    const { exitCode, text } = await run('rotate-key', '--help')
    assert.equal(exitCode, 0)
    assert.match(text, /^Usage: npm start -- rotate-key --reason TEXT\n/)
    assert.equal((await run('check')).exitCode, 1)
  })
})
