import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Secret } from 'sallyport'
import { Mailbox, MailSender } from 'sallyport-app/mail'
import { Users } from '../../../core/accounts/users.ts'
import { AuditTrail } from '../../../core/audit/audit-trail.ts'
import { type Environment, readEnvironment } from '../../../core/boot/environment.ts'
import { OTHER } from '../../../test/languages.ts'
import { desk, REASON } from '../../../test/commands/desk.ts'
import { add, link } from '../account-commands.ts'
import { NewAccounts } from '../new-accounts.ts'

const ADA = ['add', 'ada@example.test', '--name', 'Ada Lovelace', '--administrator']
const BOB = ['add', 'bob@example.test', '--name', 'Bob']

// What is recorded of all that the commands do.
const DONE = [
  'account-created',
  'account-disabled',
  'account-enabled',
  'account-sessions-ended',
  'all-sessions-ended',
  'factor-key-rotated',
  'factors-reset',
  'permission-granted',
  'permission-withdrawn',
  'set-up-link-made',
]

describe('npm start -- COMMAND, about accounts', () => {
  it('makes the first administrator of an empty installation, with a link below the base path and without a password; a rule refuses in one line, with exit code 1 [RA-3201 SCOPE-23 MEND-12]', async (test) => {
    const { run, open } = desk(test, { ORIGIN: 'https://app.example', BASE_PATH: '/accounts' })

    const before = await run('check')
    const { exitCode, text } = await run(...ADA, ...REASON)
    const again = await run(...ADA, ...REASON)
    const { app } = await open()

    assert.match(before.text, /there is no administrator: run "npm start -- add/)
    assert.equal(exitCode, 0)
    const token = /https:\/\/app\.example\/accounts\/set-up\/([\w-]{43})\n/.exec(text)?.[1] ?? ''
    assert.equal((await app.get(NewAccounts).find(token))?.email, 'ada@example.test')
    assert.equal((await app.get(Users).findByEmail('ada@example.test'))?.passwordHash, null)
    assert.deepEqual([again.exitCode, again.text], [1, 'Refused: This address has an account already.\n'])
  })

  it('does each thing through the same code as the pages, with the operator and the reason in the trail [RA-3201 RA-2204]', async (test) => {
    const { run, open } = desk(test)
    const bob = 'bob@example.test'
    for (const line of [
      ADA,
      ['link', 'ada@example.test'],
      BOB,
      ['grant', bob, 'admin.access'],
      ['withdraw', 'BOB@example.test', 'admin.access'],
      ...['disable', 'enable', 'end-sessions', 'reset-factors'].map((name) => [name, bob]),
      ['end-sessions', '--all'],
      ['rotate-key'],
    ]) {
      const { exitCode, text } = await run(...line, ...REASON, '--operator', ' olga ')
      assert.equal(exitCode, 0, text)
    }

    const { app } = await open()
    const kinds = (await app.get(AuditTrail).latest(50)).map(({ kind, actor }) => `${kind} ${actor ?? ''}`)
    assert.deepEqual(
      [...new Set(kinds)].toSorted(),
      DONE.map((kind) => `${kind} operator:olga`),
    )
    assert.equal((await app.get(Users).findByEmail('bob@example.test'))?.isActive, true)
  })

  it('mails set-up links in the language of the account, or in the default of the installation, where mails are sent [RA-3201 RA-3101]', async (test) => {
    const { run, open } = desk(test)
    const mailed = await run(...BOB, ...REASON, '--mail')
    assert.deepEqual([mailed.exitCode, /needs SMTP_URL/.test(mailed.text)], [2, true])
    assert.equal(await (await open()).app.get(Users).findByEmail('bob@example.test'), null)

    const variables = { NODE_ENV: 'development', ORIGIN: 'https://app.example', DEFAULT_LANGUAGE: OTHER }
    const inOther = desk(test, variables)
    const opened = await inOther.open()
    const environment: Environment = {
      ...readEnvironment(variables),
      mail: { url: new Secret('smtp://127.0.0.1:1'), from: { name: '', address: 'accounts@app.example' } },
    }
    const operator = { kind: 'operator', name: 'ada' } as const
    const context = { ...opened, environment, clock: inOther.clock, operator }
    const options = { mail: true, reason: 'asked by telephone', name: 'Bob' }
    await add.run({ ...context, words: ['bob@example.test'], options })
    await add.run({ ...context, words: ['eve@example.test'], options: { ...options, language: 'en' } })
    await link.run({ ...context, words: ['bob@example.test'], options })

    const mails = opened.app.get(Mailbox).list()
    assert.deepEqual(
      mails.map(({ to, language }) => `${to} ${language}`),
      [`bob@example.test ${OTHER}`, 'eve@example.test en', `bob@example.test ${OTHER}`],
    )
  })

  for (const [line, pattern] of [
    [['disable', 'nobody@example.test', ...REASON], /no account has the address "nobody@example\.test"/],
    [['disable', 'nobody@example.test'], /--reason TEXT is missing/],
    [['end-sessions', ...REASON], /name one account, or use --all/],
    [['end-sessions', 'a@b', '--all', ...REASON], /name one account, or use --all/],
    [[...BOB, '--language', 'xx', ...REASON], /the language is one of/],
  ] as const)
    it(`${line.join(' ')}: says what is wrong, with exit code 2 [RA-3201]`, async (test) => {
      const { exitCode, text } = await desk(test).run(...line)

      assert.equal(exitCode, 2)
      assert.match(text, pattern)
    })

  it('leaves the mail about what it did to the running application [RA-3205 RA-3201]', async (test) => {
    const { run, open } = desk(test, { NODE_ENV: 'development' })
    await run(...BOB, ...REASON)

    const { exitCode, text } = await run('disable', 'bob@example.test', ...REASON)
    const { app } = await open()
    await app.get(MailSender).sendDue()

    assert.deepEqual([exitCode, text], [0, 'bob@example.test is disabled and signed out everywhere.\n'])
    const [mail] = app.get(Mailbox).list()
    assert.deepEqual([mail?.to, mail?.subject], ['bob@example.test', 'Your account was disabled'])
  })
})
