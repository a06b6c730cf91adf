import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { MailSender } from 'sallyport-app/mail'
import { SmtpMailer } from 'sallyport-app/mail/smtp'
import { mailServer } from 'sallyport-app/testing/mail-server'
import { TestClient } from 'sallyport/testing'
import { databases } from '../../databases.ts'
import { services, temporary } from '../../support.ts'

describe('a mail', () => {
  it('lets a page answer while the mail server is silent [RA-3205]', async (test) => {
    const server = await mailServer(test, { holdsData: true })
    const database = await databases.accounts(temporary(test))
    const mailer = new SmtpMailer(
      { url: server.url, from: { name: '', address: 'accounts@app.test' } },
      { application: 'Example' },
    )
    const app = await services({ database, mailer, settings: { origin: () => 'https://app.test' } })
    const client = new TestClient(app, { origin: 'https://app.test' })
    const html = await (await client.get('/sign-up')).text()
    const token = /name="_csrf" value="([^"]+)"/.exec(html)?.[1] ?? ''

    const answer = await client.post('/sign-up', { form: { _csrf: token, email: 'ada@example.test' } })

    assert.equal(answer.status, 303)
    while (server.arrived() < 1) await pause(5)
    assert.equal(server.mails.length, 0)
    server.release()
    await app.get(MailSender).sendDue()
    assert.equal(server.mails.length, 1)
    mailer.close()
    await database.destroy()
  })
})
