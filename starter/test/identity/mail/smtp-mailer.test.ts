import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { Secret } from 'sallyport'
import { SmtpMailer } from '../../../core/mail/smtp-mailer.ts'

const FROM = { name: 'Example, App', address: 'accounts@app.test' }

/** A mail server of a test. */
interface MailServer {
  readonly url: Secret
  /** What it was told, line by line. */
  readonly said: string[]
  /** The greatest number of connections at a time whose mail was not taken yet. */
  readonly most: () => number
}

/** A mail server that takes everything, and keeps what it was told. */
async function mailServer(test: TestContext): Promise<MailServer> {
  const said: string[] = []
  const open = new Set<Socket>()
  let most = 0
  const answer = (socket: Socket): void => {
    most = Math.max(most, open.add(socket).size)
    let isData = false
    socket.write('220 mail.test\r\n')
    socket.setEncoding('utf8').on('data', (text: string) => {
      for (const line of text.split('\r\n').filter((part) => part !== '')) {
        said.push(line)
        if (line === '.') open.delete(socket)
        if (isData && line !== '.') continue
        isData = line === 'DATA'
        socket.write(isData ? '354 go on\r\n' : line === 'QUIT' ? '221 bye\r\n' : '250 ok\r\n')
      }
    })
  }
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  test.after(() => server.close())
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  return { url: new Secret(`smtp://127.0.0.1:${address.port}`), said, most: () => most }
}

describe('SmtpMailer', () => {
  it('sends two hundred mails at once over a few connections at a time', async (test) => {
    const { url, said, most } = await mailServer(test)
    const mailer = new SmtpMailer({ url, from: FROM })
    const mails = Array.from({ length: 200 }, (_, index) => ({
      to: `ada-${index}@example.test`,
      subject: 'x',
      text: 'x',
    }))

    await Promise.all(mails.map((mail) => mailer.send(mail)))

    assert.equal(new Set(said.filter((line) => line.startsWith('RCPT'))).size, 200)
    assert.ok(most() <= 5, String(most()))
  })

  it('refuses a mail for which no place to wait is left, and sends the others', async (test) => {
    const { url, said } = await mailServer(test)
    const mailer = new SmtpMailer({ url, from: FROM }, { inFlight: 1, waiting: 2 })
    const mail = { to: 'ada@example.test', subject: 'x', text: 'x' }

    const sent = await Promise.allSettled([1, 2, 3, 4, 5].map(() => mailer.send(mail)))

    assert.deepEqual(
      sent.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected'],
    )
    await mailer.send(mail)
    assert.equal(said.filter((line) => line.startsWith('RCPT')).length, 4)
  })

  it('goes on after a mail that was not taken', async (test) => {
    const { url, said } = await mailServer(test)
    const mailer = new SmtpMailer({ url, from: FROM }, { inFlight: 1, waiting: 2 })

    const broken = mailer.send({ to: 'nobody', subject: 'x', text: 'x' })
    const next = mailer.send({ to: 'ada@example.test', subject: 'x', text: 'x' })

    await Promise.allSettled([broken])
    await next
    assert.ok(said.includes('RCPT TO:<ada@example.test>'))
  })

  it('sends a mail as plain text to one recipient', async (test) => {
    const { url, said } = await mailServer(test)
    const mailer = new SmtpMailer({ url, from: FROM })

    await mailer.send({ to: 'ada@example.test', subject: 'Bestätigen', text: 'Hello,\n\nhttps://app.test/x' })

    assert.ok(said.includes('MAIL FROM:<accounts@app.test>'))
    assert.deepEqual(
      said.filter((line) => line.startsWith('RCPT')),
      ['RCPT TO:<ada@example.test>'],
    )
    assert.ok(said.includes('https://app.test/x'))
    assert.ok(said.some((line) => line.startsWith('Subject: =?UTF-8?')))
  })

  it('names its sender, and asks programs to send no answer of their own (RFC 3834)', async (test) => {
    const { url, said } = await mailServer(test)

    await new SmtpMailer({ url, from: FROM }).send({ to: 'ada@example.test', subject: 'x', text: 'x' })

    assert.ok(said.includes('From: "Example, App" <accounts@app.test>'))
    assert.ok(said.includes('Auto-Submitted: auto-generated'))
    assert.ok(said.includes('X-Auto-Response-Suppress: All'))
  })

  it('sends to the domain as the DNS spells it', async (test) => {
    const { url, said } = await mailServer(test)

    await new SmtpMailer({ url, from: FROM }).send({
      to: 'ada@bücher.example',
      subject: 'x',
      text: 'x',
    })

    assert.ok(said.includes('RCPT TO:<ada@xn--bcher-kva.example>'))
  })

  it('never makes a second recipient or header of an address', async (test) => {
    const { url, said } = await mailServer(test)
    const mailer = new SmtpMailer({ url, from: FROM })

    for (const to of ['ada@example.test, eve@evil.test', 'ada@example.test\r\nBcc: eve@evil.test'])
      await mailer.send({ to, subject: 'x\r\nBcc: eve@evil.test', text: 'x' }).catch(() => undefined)

    assert.equal(
      said.some((line) => line.startsWith('RCPT TO:<eve@evil.test') || line.startsWith('Bcc:')),
      false,
    )
  })

  it('fails when no server answers', async () => {
    const mailer = new SmtpMailer({ url: new Secret('smtp://127.0.0.1:1'), from: FROM })

    await assert.rejects(mailer.send({ to: 'ada@example.test', subject: 'x', text: 'x' }))
  })
})
