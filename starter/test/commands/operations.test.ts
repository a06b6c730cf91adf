import assert from 'node:assert/strict'
import { copyFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { MailQueue } from 'sallyport-app/mail'
import { Database } from '../../core/database/database.ts'
import type { Opened } from 'sallyport-app/program'
import { temporary } from '../support.ts'
import { type Desk, desk, KEY, REASON } from './desk.ts'

const MAIL = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'accounts@app.test', ORIGIN: 'https://app.test' }
const ACCOUNT = { email: 'ada@example.test', name: 'Ada', passwordHash: null, permissions: [] }

interface Given {
  readonly desk: Desk
  readonly opened: Opened
}

/** An installation with a mail that was given up. */
async function withGivenUp(test: TestContext): Promise<Given> {
  const own = desk(test, MAIL)
  const opened = await own.open()
  const queue = opened.app.get(MailQueue)
  const mail = { to: 'ada@example.test', subject: 'x', text: 'x' }
  const database = opened.app.get(Database)
  await database.transaction().execute((transaction) => queue.add(transaction, { kind: 'confirm', mail }))
  const taken = await queue.take()
  if (taken !== undefined) await queue.giveUp(taken, '550')
  return { desk: own, opened }
}

function parse(text: string): Record<string, unknown> {
  return JSON.parse(text) as Record<string, unknown>
}

describe('npm start -- mails, retry-mail and drop-mail', () => {
  it('list what could not be sent, for people and for programs, and refuse what is not there [RA-3201 RA-3205]', async (test) => {
    const { desk: own } = await withGivenUp(test)

    const { exitCode, text } = await own.run('mails')
    const { done, waiting, givenUp } = parse((await own.run('mails', '--json')).text)

    assert.equal(exitCode, 0)
    assert.match(text, /^ {2}[\w-]{36} {2}2026-01-01T00:00Z {2}confirm {2}ada@example\.test {2}550$/m)
    assert.deepEqual([done, waiting], [true, 0])
    const [{ id, to, failure } = {}] = givenUp as Record<string, unknown>[]
    assert.deepEqual([to, failure], ['ada@example.test', '550'])
    assert.equal((await own.run('retry-mail', 'unknown')).exitCode, 1)
    assert.equal((await own.run('retry-mail')).exitCode, 2)
    assert.equal((await own.run('retry-mail', String(id))).exitCode, 0)
    assert.match((await own.run('mails')).text, /^1 waiting to be sent, none given up\./)
  })

  it('delete all of them at once, however many there are, and say how many as JSON, too [RA-3201 RA-3205]', async (test) => {
    const { desk: own, opened } = await withGivenUp(test)

    const dropped = await own.run('drop-mail', 'all')
    const again = await own.run('drop-mail', 'all', '--json')

    assert.deepEqual([dropped.exitCode, dropped.text], [0, '1 deleted.\n'])
    assert.equal(again.exitCode, 0)
    assert.deepEqual(parse(again.text), { done: true, lines: ['0 deleted.'], count: 0 })
    assert.equal((await own.run('drop-mail', 'unknown')).exitCode, 1)
    const events = opened.app.get(Database).selectFrom('event').select(['kind', 'detail'])
    assert.deepEqual(await events.execute(), [{ kind: 'mails-dropped', detail: '1' }])
  })
})

describe('npm start -- rotate-key', () => {
  it('seals waiting mails with the new key, too, so that the old one can go [RA-3205 RA-3201]', async (test) => {
    const { desk: own } = await withGivenUp(test)
    const key = `${'cd'.repeat(31)}02`

    const { text } = await own.runWith({ FACTOR_KEY: `${key},${KEY}` }, 'rotate-key', ...REASON)

    assert.match(text, /^1 waiting emails sealed anew\.$/m)
    assert.match((await own.runWith({ FACTOR_KEY: key }, 'mails')).text, /ada@example\.test/)
    assert.match((await own.run('mails')).text, /unreadable/)
  })
})

describe('npm start -- backup', () => {
  it('copies the databases of one moment for their owner only, and an installation starts on the copy [RA-3201 RA-3206]', async (test) => {
    const directory = temporary(test)
    const own = desk(test, { DATA_DIR: directory })
    const identity = await own.identity()
    await identity.users.add(ACCOUNT, own.clock)
    const folder = join(temporary(test), 'copy')

    const { exitCode, text } = await own.run('backup', folder)
    await identity.users.add({ ...ACCOUNT, email: 'bob@example.test' }, own.clock)

    assert.equal(exitCode, 0, text)
    assert.deepEqual(readdirSync(folder).toSorted(), ['accounts.sqlite', 'sessions.sqlite'])
    for (const name of readdirSync(folder)) assert.equal(statSync(join(folder, name)).mode & 0o77, 0, name)
    const restored = temporary(test)
    for (const name of readdirSync(folder)) copyFileSync(join(folder, name), join(restored, name))
    const { users } = await desk(test, { DATA_DIR: restored }).identity()
    assert.equal((await users.findByEmail('ada@example.test'))?.isActive, true)
    assert.equal(await users.findByEmail('bob@example.test'), null)
  })
})

describe('a database of a newer version', () => {
  it('is refused, and the copy from before the update starts with the older version [RA-3201]', async (test) => {
    const directory = temporary(test)
    const own = desk(test, { DATA_DIR: directory })
    await (await own.open()).close()
    const folder = join(temporary(test), 'before')
    assert.equal((await own.run('backup', folder)).exitCode, 0)
    const database = new DatabaseSync(join(directory, 'accounts.sqlite'))
    database.exec("INSERT INTO kysely_migration VALUES ('core_2', '2026-01-01T00:00:00Z')")
    database.close()

    const { exitCode, text } = await own.run('check')

    assert.equal(exitCode, 1)
    assert.match(text, /was made by another version of this application, with "core_2"/)
    const again = await own.runWith({ DATA_DIR: folder }, 'check', '--json')
    assert.deepEqual([again.exitCode, parse(again.text)['done']], [0, true])
  })
})
