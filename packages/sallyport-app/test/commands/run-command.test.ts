import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { Secret } from 'sallyport'
import {
  type Call,
  type Command,
  type CommandEnd,
  copyDatabases,
  IncompleteError,
  optionOf,
  RefusedError,
  runCommand,
} from 'sallyport-app/commands'
import { StartupError } from 'sallyport-app/settings'

/** What the commands of this application work with. */
interface Desk extends Call {
  readonly log: string[]
}

const COMMANDS: Readonly<Record<string, Command<Desk>>> = {
  greet: {
    usage: 'greet NAME',
    summary: 'greets somebody',
    words: [1, 1],
    options: { loudly: { type: 'string' } },
    run: async (desk) => {
      const [name = ''] = desk.words
      if (name === 'nobody') throw new RefusedError('there is no such person')
      if (name === 'half') throw new IncompleteError('Half of it is done.')
      return {
        text: `Hello ${name}${optionOf(desk, 'loudly')}, says ${desk.operator.name}.`,
        facts: { name },
      }
    },
  },
  explain: {
    usage: 'explain --reason TEXT',
    summary: 'gives a reason',
    words: [0, 0],
    options: { reason: { type: 'string' } },
    run: async (desk) => `Because ${optionOf(desk, 'reason')}.`,
  },
  rest: { usage: 'rest', summary: 'does nothing', words: [0, 0], run: async () => 'Done.' },
}

async function run(...line: readonly string[]): Promise<CommandEnd & { readonly log: readonly string[] }> {
  const log: string[] = []
  const end = await runCommand<Desk>(line, {
    commands: COMMANDS,
    notes: ['Each is recorded.'],
    open: async (call, work) => {
      log.push('open')
      if (call.words[0] === 'early') throw new StartupError('the folder is not there')
      return work({ ...call, log }).finally(() => log.push('close'))
    },
  })
  return { ...end, log }
}

describe('runCommand()', () => {
  for (const [line, exitCode, text, log] of [
    [['greet', 'ada', '--operator', 'olga'], 0, 'Hello ada, says olga.\n', 'open close'],
    [['greet', 'ada', '--loudly', '!'], 0, `Hello ada!, says ${userInfo().username}.\n`, 'open close'],
    [['rest'], 0, 'Done.\n', 'open close'],
    [['greet', 'nobody'], 1, 'Refused: there is no such person.\n', 'open close'],
    [['greet', 'half'], 1, 'Half of it is done.\n', 'open close'],
    [['greet', 'early'], 1, 'Cannot start: the folder is not there.\n', 'open'],
    [['gret'], 2, /^Cannot run "gret": there is no such command\. "npm start -- help" lists/, ''],
    [['__proto__'], 2, /no such command/, ''],
    [['greet'], 2, 'Cannot run "greet": an argument is missing.\nUsage: npm start -- greet NAME\n', ''],
    [['greet', 'ada', 'c@d'], 2, /unexpected argument "c@d"/, ''],
    [['greet', '--force', 'ada'], 2, /--force/, ''],
    [['explain', '--reason', 'it must be'], 0, 'Because it must be.\n', 'open close'],
    [['explain'], 2, /--reason TEXT is missing\.\nUsage: npm start -- explain --reason TEXT/, ''],
    [['explain', '--reason', 'oops'], 2, /--reason must be a text of 5 to 500 characters/, ''],
    [['rest', '--operator', 'two\nlines'], 2, /--operator must be a name of 1 to 100 characters/, ''],
    [['greet', '--help'], 0, 'Usage: npm start -- greet NAME\n\ngreets somebody.\n', ''],
    [['help'], 0, /^ {2}npm start -- greet NAME\n {6}greets somebody\n[^]*^Each is recorded\.$/m, ''],
  ] as const)
    it(`${line.join(' ').replace('\n', ' ')}: ends with ${exitCode}, and says why in sentences [RA-3201]`, async () => {
      const end = await run(...line)

      assert.equal(end.exitCode, exitCode)
      if (typeof text === 'string') assert.equal(end.text, text)
      else assert.match(end.text, text)
      assert.equal(end.log.join(' '), log)
    })

  it('prints one JSON object to who asks for it, however it ends [RA-3201]', async () => {
    const parsed = async (...line: readonly string[]): Promise<unknown> =>
      JSON.parse((await run(...line, '--json')).text) as unknown

    assert.deepEqual(await parsed('greet', 'ada', '--operator', 'olga'), {
      done: true,
      lines: ['Hello ada, says olga.'],
      name: 'ada',
    })
    assert.deepEqual(await parsed('greet', 'nobody'), {
      done: false,
      lines: ['Refused: there is no such person.'],
    })
    assert.deepEqual(await parsed('gret'), {
      done: false,
      lines: ['Cannot run "gret": there is no such command. "npm start -- help" lists all of them.'],
    })
  })
})

describe('copyDatabases()', () => {
  it('overwrites nothing, and leaves a PostgreSQL to its own tool [RA-3201]', async (test) => {
    const there = mkdtempSync(join(tmpdir(), 'sallyport-app-'))
    test.after(() => rmSync(there, { recursive: true }))
    const settings = { databaseUrl: undefined, redisUrl: undefined, dataDirectory: there }

    await assert.rejects(copyDatabases(settings, there), {
      name: 'RefusedError',
      message: `${there} is there already: name a new folder`,
    })
    const atServer = { ...settings, databaseUrl: new Secret('postgres://db.example/accounts') }
    await assert.rejects(copyDatabases(atServer, join(there, 'copy')), { message: /pg_dump/ })
    await assert.rejects(copyDatabases(settings, '/proc/none/x'), { name: 'StartupError' })
    assert.equal(existsSync(join(there, 'copy')), false)
  })
})
