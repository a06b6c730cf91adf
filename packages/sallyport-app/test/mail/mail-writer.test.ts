import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { Translator } from 'sallyport/i18n'
import { Mailbox, MailWriter, Outbox } from 'sallyport-app/mail'
import { FrozenClock } from 'sallyport/testing'
import { services } from '../services.ts'

const TEXTS = {
  en: { messages: { 'mail.hello.subject': 'Hello', 'mail.hello.text': 'Hello {name}' } },
  de: { messages: { 'mail.hello.subject': 'Hallo', 'mail.hello.text': 'Hallo {name}' } },
}

async function office(
  test: TestContext,
  { origin = 'https://app.test' }: { readonly origin?: string | undefined } = {},
): Promise<{
  readonly writer: MailWriter<'hello'>
  readonly mailbox: Mailbox
  readonly send: () => Promise<void>
}> {
  class Mails extends MailWriter<'hello'> {
    constructor() {
      super({ origin: () => (origin === '' ? undefined : origin), basePath: '/accounts' })
    }
  }
  const clock = new FrozenClock('2026-01-01T00:00:00Z')
  const mailbox = new Mailbox(clock)
  const { app, database } = await services(test, {
    clock,
    mailer: mailbox,
    prepare: (made) =>
      made.configure((definitions) => void definitions.set(Translator, new Translator(TEXTS))),
  })
  const writer = app.get(Mails)
  const to = { email: 'ada@example.test', language: 'de' }
  const send = async (): Promise<void> => {
    const order = { kind: 'hello', to, values: { name: 'Ada' } } as const
    await database.transaction().execute((transaction) => writer.send(order, transaction))
    await app.get(Outbox).sendNew()
    await writer.handOver({ ...order, to: { ...to, language: 'en' } })
  }
  return { writer, mailbox, send }
}

describe('MailWriter', () => {
  it('words a mail in the language of who gets it [RA-3101]', async (test) => {
    const { mailbox, send } = await office(test)

    await send()

    assert.deepEqual(
      mailbox.list().map(({ to, subject, text }) => [to, subject, text]),
      [
        ['ada@example.test', 'Hello', 'Hello Ada'],
        ['ada@example.test', 'Hallo', 'Hallo Ada'],
      ],
    )
  })

  it('makes links of the origin that is configured, and none without it', async (test) => {
    const [{ writer }, { writer: lost }] = [await office(test), await office(test, { origin: '' })]

    assert.equal(writer.linkTo('/accounts/login'), 'https://app.test/accounts/login')
    assert.equal(writer.linkToPage('/login'), 'https://app.test/accounts/login')
    assert.throws(() => lost.linkTo('/login'), /no origin is configured/)
  })
})
