import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { Secret } from 'sallyport'
import { MailRefusedError } from 'sallyport-app/mail'
import { SmtpMailer } from 'sallyport-app/mail/smtp'
import { type MailServer, mailServer, type MailServerOptions } from 'sallyport-app/testing/mail-server'

const FROM = { name: 'Example, App', address: 'accounts@app.test' }
const MAIL = { to: 'ada@example.test', subject: 'x', text: 'x' }

async function mailerTo(
  test: TestContext,
  options?: MailServerOptions,
): Promise<MailServer & { readonly mailer: SmtpMailer }> {
  const server = await mailServer(test, options)
  const mailer = new SmtpMailer({ url: server.url, from: FROM }, { application: 'Example' })
  test.after(() => mailer.close())
  return { ...server, mailer }
}

describe('SmtpMailer', () => {
  it('sends two hundred mails at once over a few connections that stay open [RA-3205]', async (test) => {
    const { mailer, mails, connections } = await mailerTo(test)
    const all = Array.from({ length: 200 }, (_, index) => ({ ...MAIL, to: `ada-${index}@example.test` }))

    await Promise.all(all.map((mail) => mailer.send(mail)))

    assert.equal(new Set(mails.flatMap(({ to }) => to)).size, 200)
    assert.ok(connections() <= 10, String(connections()))
  })

  it('sends a mail to one recipient, as text and as HTML that fetches nothing [RA-3205]', async (test) => {
    const { mailer, mails } = await mailerTo(test)
    const text = 'Hello <b>Ada</b> & "Co",\n\nhttps://app.test/x?a=1&b=2\n\nBye'

    await mailer.send({ ...MAIL, subject: 'Bestätigen', text, language: 'xx' })

    const [{ to, from, raw, decoded } = { to: [], from: '', raw: '', decoded: '' }] = mails
    assert.deepEqual([to, from], [['ada@example.test'], 'accounts@app.test'])
    assert.match(raw, /^Subject: =\?UTF-8\?/m)
    assert.match(raw, /^Content-Type: multipart\/alternative/m)
    assert.ok(decoded.includes(text.replaceAll('\n', '\r\n')))
    assert.match(decoded, /<html lang="xx">/)
    assert.match(decoded, /<p>Hello &lt;b&gt;Ada&lt;\/b&gt; &amp; &quot;Co&quot;,<\/p>/)
    assert.match(decoded, /<a href="https:\/\/app\.test\/x\?a=1&amp;b=2">/)
    assert.doesNotMatch(decoded, /<(?:img|link|script|style|iframe)|src=|url\(/)
  })

  it('names its sender, the application and the mail, and asks programs to send no answer of their own [RA-3205]', async (test) => {
    const { mailer, mails } = await mailerTo(test)

    await mailer.send({ ...MAIL, id: 'id-of-the-mail' })

    for (const line of [
      'From: "Example, App" <accounts@app.test>',
      'Subject: [Example] x',
      'Message-ID: <id-of-the-mail@app.test>',
      'Auto-Submitted: auto-generated',
      'X-Auto-Response-Suppress: All',
    ])
      assert.ok(mails[0]?.raw.includes(`${line}\r\n`), line)
  })

  it('sends to the domain as the DNS spells it', async (test) => {
    const { mailer, mails } = await mailerTo(test)

    await mailer.send({ ...MAIL, to: 'ada@bücher.example' })

    assert.match(mails[0]?.raw ?? '', /^To: ada@xn--bcher-kva\.example\r$/m)
  })

  it('never makes a second recipient or header of an address', async (test) => {
    const { mailer, mails } = await mailerTo(test)

    for (const to of ['ada@example.test, eve@evil.test', 'ada@example.test\r\nBcc: eve@evil.test'])
      await mailer.send({ to, subject: 'x\r\nBcc: eve@evil.test', text: 'x' }).catch(() => undefined)

    for (const { to, raw } of mails) {
      assert.ok(!to.includes('eve@evil.test'))
      assert.doesNotMatch(raw, /^Bcc:/m)
    }
  })

  it('tells a refusal for ever from one that may pass [RA-3205]', async (test) => {
    const { mailer, answers } = await mailerTo(test)

    for (const [at, code, isForEver] of [
      ['recipient', 550, true],
      ['recipient', 451, false],
      ['data', 552, true],
      ['data', 452, false],
    ] as const) {
      answers[at] = code
      const error: unknown = await mailer.send(MAIL).then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      answers[at] = 250
      assert.equal(error instanceof MailRefusedError, isForEver, `${at} ${code}`)
      assert.equal((error as MailRefusedError).responseCode, code)
    }
    await mailer.send(MAIL)
  })

  it('gives up a server that is too slow, and one that does not answer at all [RA-3205]', async (test) => {
    const { url } = await mailServer(test, { holdsData: true })
    const slow = new SmtpMailer({ url, from: FROM }, { application: 'Example', sendingMilliseconds: 300 })
    test.after(() => slow.close())

    await assert.rejects(slow.send(MAIL))
    await assert.rejects(
      new SmtpMailer({ url: new Secret('smtp://127.0.0.1:1'), from: FROM }, { application: 'Example' }).send(
        MAIL,
      ),
    )
  })
})
