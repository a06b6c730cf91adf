import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { Secret } from 'sallyport'
import { FrozenClock } from 'sallyport/testing'
import { type CommandEnd, COMMANDS } from '../../commands.ts'
import type { Opened } from '../../core/opened.ts'
import { openApplication } from '../../opened.ts'
import { type Environment, readEnvironment } from '../../core/boot/environment.ts'
import { temporary } from '../support.ts'
import { runPrinted } from './printed.ts'
import { add, link } from '../../parts/administration/account-commands.ts'
import { UsageError } from '../../core/commands/command.ts'
import { Identity } from '../identity.ts'

const KEY = `${'ab'.repeat(31)}01`
const REASON = ['--reason', 'ticket 4711']
const ADA = ['add', 'ada@example.test', '--name', 'Ada Lovelace', '--administrator', ...REASON]

interface Desk {
  readonly run: (...line: readonly string[]) => Promise<CommandEnd>
  readonly open: () => Promise<Opened>
}

/** An installation, and its command line. */
function desk(test: TestContext, more: Readonly<Record<string, string>> = {}): Desk {
  const variables = { DATA_DIR: temporary(test), NODE_ENV: 'production', FACTOR_KEY: KEY, ...more }
  const clock = new FrozenClock('2026-01-01T00:00:00Z')
  return {
    run: (...line) => runPrinted(line, variables, clock),
    open: async () => {
      const opened = await openApplication(readEnvironment(variables), clock)
      test.after(() => opened.close())
      return opened
    },
  }
}

describe('npm start -- COMMAND', () => {
  it('makes the first administrator of an empty installation, with a link and without a password [RA-3201]', async (test) => {
    const { run, open } = desk(test, { ORIGIN: 'https://app.example' })

    const before = await run('check')
    const { exitCode, text } = await run(...ADA)
    const again = await run(...ADA)
    const identity = (await open()).app.get(Identity)

    assert.match(before.text, /there is no administrator: run "npm start -- add/)
    assert.equal(exitCode, 0)
    const token = /https:\/\/app\.example\/set-up\/([\w-]{43})\n/.exec(text)?.[1] ?? ''
    assert.equal((await identity.administration.accounts.find(token))?.email, 'ada@example.test')
    assert.equal((await identity.users.findByEmail('ada@example.test'))?.passwordHash, null)
    assert.deepEqual([again.exitCode, again.text], [1, 'Refused: This address has an account already.\n'])
  })

  it('asks and approves as two persons only, however the name is spelled, and keeps no blanks around it [RA-2201 RA-2204]', async (test) => {
    const { run, open } = desk(test, { TWO_PERSON_RESET: '1' })
    await run(...ADA)
    const asked = await run('reset-factors', 'ada@example.test', ...REASON, '--operator', 'joe')
    const id = /approve-reset (\S+)/.exec(asked.text)?.[1] ?? ''

    for (const name of ['joe', 'Joe ', ' JOE', '\uff4aoe']) {
      const end = await run('approve-reset', id, ...REASON, '--operator', name)
      assert.deepEqual(
        end,
        { exitCode: 1, text: 'Refused: Someone other than the person who asked has to approve this.\n' },
        name,
      )
    }
    assert.equal((await run('approve-reset', id, ...REASON, '--operator', ' olga ')).exitCode, 0)
    const identity = (await open()).app.get(Identity)
    assert.equal((await identity.administration.log.latest(1))[0]?.actor, 'operator:olga')
  })

  it('asks for nothing that concerns an account of the same name, which nobody of that name could approve [RA-2201 RA-2204]', async (test) => {
    const { run, open } = desk(test, { TWO_PERSON_RESET: '1' })
    await run(...ADA)
    const text =
      'Refused: Nobody does this to their own account, or to one that has their name: ask another person.\n'

    for (const name of ['Ada Lovelace', 'ada', ' ADA@example.test'])
      assert.deepEqual(
        await run('reset-factors', 'ada@example.test', ...REASON, '--operator', name),
        { exitCode: 1, text },
        name,
      )

    const identity = (await open()).app.get(Identity)
    assert.deepEqual(await identity.administration.resets.waiting(10), [])
    assert.equal((await run('reset-factors', 'ada@example.test', ...REASON, '--operator', 'joe')).exitCode, 0)
    // Where no second person is asked for, it may be the only way of the only administrator.
    const alone = desk(test)
    await alone.run(...ADA)
    const reset = await alone.run('reset-factors', 'ada@example.test', ...REASON, '--operator', 'ada')
    assert.equal(reset.exitCode, 0)
  })

  it('ends each sentence with one full stop, whichever command it is and however it ends [RA-3201]', async (test) => {
    const { run } = desk(test, { TWO_PERSON_RESET: '1', NODE_ENV: 'development' })
    await run('add', 'bob@example.test', '--name', 'Bob', ...REASON)
    const asked = await run('reset-factors', 'bob@example.test', ...REASON, '--operator', 'joe')
    const id = /approve-reset (\S+)/.exec(asked.text)?.[1] ?? ''
    const own = ['eve@example.test', ...REASON]
    // Each line is run twice: the second time, what it does has been done.
    const lines: readonly (readonly string[])[] = [
      ['add', 'eve@example.test', '--name', 'Eve', ...REASON],
      ['link', ...own],
      ['grant', 'eve@example.test', 'admin.access', ...REASON],
      ['withdraw', 'eve@example.test', 'admin.access', ...REASON],
      ['disable', ...own],
      ['enable', ...own],
      ['end-sessions', ...own],
      ['reset-factors', ...own],
      ['approve-reset', id, ...REASON],
      ['rotate-key', ...REASON],
      ['check'],
      ['trim', '400'],
      ['erase'],
      ['code'],
    ]
    const done = new Set<string>()
    for (const line of [...lines, ...lines]) {
      const [name = ''] = line
      if ((await run(...line)).exitCode === 0) done.add(name)
      await run(name, '--help')
      await run(name, '--unknown')
      await run(name, ...line.slice(1), 'one', 'more', 'word', 'than', 'needed')
      await run(name, ...line.slice(1).map((word) => (word === 'ticket 4711' ? 'x' : word)))
    }
    assert.deepEqual([...done].toSorted(), lines.map(([name]) => name).toSorted())
  })

  it('checks with the address at which the start says that it can be opened [RA-3201]', async (test) => {
    const origins = async (more: Readonly<Record<string, string>>): Promise<string> =>
      /^Origin: (.*)$/m.exec(
        (await desk(test, { NODE_ENV: 'development', ...more }).run('check')).text,
      )?.[1] ?? ''

    assert.equal(await origins({ HOST: '127.0.0.1', PORT: '3000' }), 'http://localhost:3000')
    assert.equal(await origins({ HOST: '0.0.0.0', PORT: '3000' }), 'http://localhost:3000')
    assert.equal(await origins({ HOST: '192.0.2.7', PORT: '3000' }), 'http://192.0.2.7:3000')
    assert.equal(await origins({ ORIGIN: 'https://app.example' }), 'https://app.example')
  })

  it('does each thing through the same code as the pages, with the operator and the reason in the trail [RA-3201 RA-2204]', async (test) => {
    const { run, open } = desk(test)
    const lines = [
      ADA,
      ['link', 'ada@example.test', ...REASON],
      ['add', 'bob@example.test', '--name', 'Bob', ...REASON],
      ['grant', 'bob@example.test', 'admin.access', ...REASON],
      ['withdraw', 'BOB@example.test', 'admin.access', ...REASON],
      ['disable', 'bob@example.test', ...REASON],
      ['enable', 'bob@example.test', ...REASON],
      ['end-sessions', 'bob@example.test', ...REASON],
      ['end-sessions', '--all', ...REASON],
      ['rotate-key', ...REASON],
    ]

    const ends: CommandEnd[] = []
    for (const line of lines) ends.push(await run(...line, '--operator', 'olga'))

    assert.deepEqual(
      ends.map(({ exitCode }) => exitCode),
      lines.map(() => 0),
      ends.map(({ text }) => text).join(''),
    )
    const identity = (await open()).app.get(Identity)
    const bob = await identity.users.findByEmail('bob@example.test')
    const kinds = (await identity.audit.latest(50)).map(({ kind, actor }) => `${kind} ${actor ?? ''}`)
    assert.deepEqual([...new Set(kinds)].toSorted(), [
      'account-created operator:olga',
      'account-disabled operator:olga',
      'account-enabled operator:olga',
      'account-sessions-ended operator:olga',
      'all-sessions-ended operator:olga',
      'factor-key-rotated operator:olga',
      'permission-granted operator:olga',
      'permission-withdrawn operator:olga',
      'set-up-link-made operator:olga',
    ])
    assert.equal(bob?.isActive, true)
  })

  it('is refused by the same rules, in one line, with exit code 1 [SCOPE-23]', async (test) => {
    const { run, open } = desk(test)
    await run(...ADA)
    const identity = (await open()).app.get(Identity)
    const token =
      /set-up\/([\w-]{43})/.exec((await run('link', 'ada@example.test', ...REASON)).text)?.[1] ?? ''
    await identity.administration.accounts.choosePassword(token, {
      passwordHash: 'x',
      clientAddress: '',
      device: '',
    })

    for (const line of [
      ['disable', 'ada@example.test', ...REASON],
      ['withdraw', 'ada@example.test', 'accounts.permissions', ...REASON],
    ]) {
      const { exitCode, text } = await run(...line)
      assert.deepEqual(
        [exitCode, text],
        [1, 'Refused: This would leave no administrator: make another one first.\n'],
      )
    }
    assert.deepEqual(await run('disable', 'ada@example.test'), {
      exitCode: 1,
      text: 'Refused: Give a reason of 5 to 500 characters in one line.\n',
    })
  })

  it('prints the set-up link only where it must, or mails it and prints nothing [RA-3201]', async (test) => {
    const { run, open } = desk(test)

    const mailed = await run('add', 'bob@example.test', '--name', 'Bob', '--mail', ...REASON)

    assert.deepEqual([mailed.exitCode, /needs SMTP_URL/.test(mailed.text)], [2, true])
    const identity = (await open()).app.get(Identity)
    assert.equal(await identity.users.findByEmail('bob@example.test'), null)
    const { text } = await run(...ADA)
    assert.match(text, /It is a secret/)
    assert.equal(text.includes(KEY), false)
    assert.equal((await run('check')).text.includes(KEY), false)
  })

  it('mails set-up links in the language of the account, or in the default of the installation [RA-3201 RA-3101]', async (test) => {
    const clock = new FrozenClock('2026-01-01T00:00:00Z')
    const variables = { DATA_DIR: temporary(test), ORIGIN: 'https://app.example', DEFAULT_LANGUAGE: 'de' }
    const opened = await openApplication(readEnvironment(variables), clock)
    const environment: Environment = {
      ...readEnvironment(variables),
      mail: { url: new Secret('smtp://127.0.0.1:1'), from: { name: '', address: 'accounts@app.example' } },
    }
    test.after(() => opened.close())
    const operator = { kind: 'operator', name: 'ada' } as const
    const context = { ...opened, environment, clock, operator }
    const options = { mail: true, reason: 'asked by telephone', name: 'Bob' }

    await add.run({ ...context, words: ['bob@example.test'], options })
    await add.run({ ...context, words: ['eve@example.test'], options: { ...options, language: 'en' } })
    await link.run({ ...context, words: ['bob@example.test'], options })
    const wrong = add.run({
      ...context,
      words: ['kim@example.test'],
      options: { ...options, language: 'fr' },
    })

    await assert.rejects(wrong, UsageError)
    assert.deepEqual(
      opened.unsent().map(({ to, text }) => [to, /^(Guten Tag|Hello)/.exec(text)?.[0]]),
      [
        ['bob@example.test', 'Guten Tag'],
        ['eve@example.test', 'Hello'],
        ['bob@example.test', 'Guten Tag'],
      ],
    )
  })

  for (const [line, pattern] of [
    [['cdoe'], /no such command.*npm start -- help/],
    [['disable'], /an argument is missing\.\nUsage: npm start -- disable EMAIL --reason TEXT/],
    [['disable', 'a@b', 'c@d'], /unexpected argument "c@d"/],
    [['disable', 'nobody@example.test', ...REASON], /no account has the address "nobody@example\.test"/],
    [['disable', '--force', 'a@b'], /--force/],
    [['end-sessions', ...REASON], /name one account, or use --all/],
    [['end-sessions', 'a@b', '--all', ...REASON], /name one account, or use --all/],
    [['check', '--operator', 'two\nlines'], /--operator must be a name/],
    [['__proto__'], /no such command/],
    [['toString'], /no such command/],
  ] as const)
    it(`${line.join(' ').replace('\n', ' ')}: says what is wrong, with exit code 2 [RA-3201]`, async (test) => {
      const { exitCode, text } = await desk(test).run(...line)

      assert.equal(exitCode, 2)
      assert.match(text, pattern)
    })

  it('explains itself with help, --help, -h and --help after a command, even without a key [RA-3201]', async () => {
    const nothing = { NODE_ENV: 'production' }
    const clock = new FrozenClock('2026-01-01T00:00:00Z')

    for (const word of ['help', '--help', '-h']) {
      const { exitCode, text } = await runPrinted([word], nothing, clock)
      assert.equal(exitCode, 0)
      for (const name of Object.keys(COMMANDS)) assert.match(text, new RegExp(`npm start -- ${name}\\b`))
    }
    const { exitCode, text } = await runPrinted(['grant', '--help'], nothing, clock)
    assert.deepEqual(
      [exitCode, text.split('\n')[0]],
      [0, 'Usage: npm start -- grant EMAIL PERMISSION --reason TEXT'],
    )
    assert.deepEqual((await runPrinted(['check'], nothing, clock)).exitCode, 1)
  })

  it('check lists what is switched on, and what has no effect [RA-3201 RA-3203]', async (test) => {
    const plain = (await desk(test).run('check')).text
    const switched = (
      await desk(test, { MAIL_CODES: '1', TWO_PERSON_RESET: '1', TRUSTED_DEVICES: '1' }).run('check')
    ).text

    assert.match(plain, /^Switched on: nothing$/m)
    assert.doesNotMatch(plain, /MAIL_CODES/)
    assert.match(
      switched,
      /^Switched on: a second person for resets \(TWO_PERSON_RESET\), codes by mail \(MAIL_CODES\), trusted browsers for 30 days \(TRUSTED_DEVICES\)$/m,
    )
    assert.match(
      switched,
      /^Warning: MAIL_CODES is on, and no mail can be sent: set SMTP_URL and MAIL_FROM\.$/m,
    )
  })

  it('check ends as a start would that cannot listen, or that trusts no such proxy [RA-3201 RA-3203]', async (test) => {
    const check = async (more: Readonly<Record<string, string>>): Promise<CommandEnd> =>
      desk(test, { ORIGIN: 'https://app.example', ...more }).run('check')

    for (const [more, reason] of [
      [{ HOST: '203.0.113.9' }, /^Warning: HOST 203\.0\.113\.9 is not an address of this machine\.$/m],
      [
        { TRUSTED_PROXIES: '10.0.0.5/8' },
        /^Cannot start: TRUSTED_PROXIES must be [^\n]+ not "10\.0\.0\.5\/8"\.\n$/,
      ],
    ] as const) {
      const { exitCode, text } = await check(more)
      assert.deepEqual([exitCode, reason.test(text)], [1, true], text)
    }
    assert.equal((await check({ HOST: '127.0.0.1' })).exitCode, 0)
  })

  it('prints on a development machine which mails nothing sends', async (test) => {
    const { run } = desk(test, { NODE_ENV: 'development' })
    await run('add', 'bob@example.test', '--name', 'Bob', ...REASON)

    const { exitCode, text } = await run('disable', 'bob@example.test', ...REASON)

    assert.equal(exitCode, 0)
    assert.match(
      text,
      /^bob@example\.test is disabled, [^\n]+\nThis mail was not sent, and is not at \/dev\/mail: "[^"\n]+" to bob@example\.test\.\n$/,
    )
    const production = desk(test)
    await production.run('add', 'bob@example.test', '--name', 'Bob', ...REASON)
    assert.doesNotMatch((await production.run('disable', 'bob@example.test', ...REASON)).text, /not sent/)
  })

  it('check passes while the server runs [RA-3201]', async (test) => {
    const other = createServer().listen({ host: '127.0.0.1', port: 0 })
    test.after(() => other.close())
    await once(other, 'listening')
    const address = other.address()
    assert.ok(address !== null && typeof address === 'object')
    const PORT = String(address.port)

    assert.equal((await desk(test, { PORT }).run('check')).exitCode, 0)
  })

  it('check tells which secrets need an earlier key, and which none opens [RA-3201]', async (test) => {
    const variables = { DATA_DIR: temporary(test), NODE_ENV: 'production', FACTOR_KEY: KEY }
    const clock = new FrozenClock('2026-01-01T00:00:00Z')
    const opened = await openApplication(readEnvironment(variables), clock)
    const { users, factors } = opened.app.get(Identity)
    const id = await users.add({ email: 'bob@example.test', name: 'Bob', passwordHash: null }, clock)
    await factors.add(id, 'App', clock)
    await opened.close()
    const other = `${'cd'.repeat(31)}01`
    const run = (keys: string, ...line: readonly string[]): Promise<CommandEnd> =>
      runPrinted(line, { ...variables, FACTOR_KEY: keys }, clock)
    const check = async (keys: string): Promise<string> => (await run(keys, 'check')).text

    assert.match(await check(`${other},${KEY}`), /1 secrets are sealed with an earlier key/)
    assert.match(await check(other), /no key opens the secrets of some factors \(1\)/)
    assert.doesNotMatch(await check(KEY), /secrets/)
    const lines = [['check'], ['rotate-key', ...REASON]]
    const codes = (keys: string): Promise<readonly number[]> =>
      Promise.all(lines.map(async (line) => (await run(keys, ...line)).exitCode))
    assert.deepEqual(await codes(other), [1, 1], 'a script must notice')
    assert.match(
      (await run(other, 'rotate-key', ...REASON)).text,
      /^0 secrets sealed anew[\s\S]*1 cannot be opened/,
    )
    assert.deepEqual(await codes(KEY), [0, 0])
    const rotated = await run(`${other},${KEY}`, 'rotate-key', ...REASON)
    assert.match(rotated.text, /^1 secrets sealed anew[\s\S]*Take them out of FACTOR_KEY/)
    assert.doesNotMatch(await check(other), /secrets/)
  })
})
