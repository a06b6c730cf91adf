import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { mailServer } from 'sallyport-app/testing/mail-server'
import { Program, Visitor } from '../start/process.ts'
import { temporary } from '../support.ts'

describe('kill -9 while mails are sent', () => {
  it('loses none: the next process sends those that waited once, and the one that was under way again [RA-3205]', async (test) => {
    const directory = join(temporary(test), 'data')
    const server = await mailServer(test, { holdsData: true })
    const variables = {
      DATA_DIR: directory,
      SMTP_URL: server.url.reveal(),
      MAIL_FROM: 'accounts@app.test',
    }
    const first = new Program(test, variables)
    const visitor = new Visitor(await first.url())
    const names = Array.from({ length: 8 }, (_, index) => `ada-${index}`)
    for (const name of names) {
      await visitor.open('/sign-up')
      const { status } = await visitor.submit('/sign-up', { email: `${name}@example.test` })
      assert.equal(status, 303)
    }
    while (server.arrived() < 5) await pause(20)

    await first.ended('SIGKILL')
    server.release()
    await pause(100)
    const before = server.mails.length
    const accounts = new DatabaseSync(join(directory, 'accounts.sqlite'))
    test.after(() => accounts.close())
    const rows = (): unknown => accounts.prepare('SELECT count(*) AS count FROM mail').get()?.['count']
    assert.equal(rows(), 8)
    // The end of their leases, for which nobody waits here.
    accounts.exec('UPDATE mail SET due_at = 0')
    const second = new Program(test, variables)
    await second.url()
    while (rows() !== 0) await pause(20)

    const again = server.mails.slice(before)
    assert.deepEqual(again.map(({ to }) => to[0]?.replace('@example.test', '')).toSorted(), names)
    const { code } = await second.ended('SIGTERM')
    assert.equal(code, 0)
    const identifiers = server.mails.map(({ raw }) => /^Message-ID: (.*)$/m.exec(raw)?.[1])
    assert.equal(new Set(identifiers).size, 8, 'what is sent twice has one name')
  })
})
