import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from 'sallyport-app/database'
import {
  GIVEN_UP_SECONDS,
  GivenUpMails,
  LEASE_SECONDS,
  MailQueue,
  MailSender,
  Outbox,
  type TakenMail,
  TRIED_SECONDS,
  type WordedMail,
} from 'sallyport-app/mail'
import { SmtpMailer } from 'sallyport-app/mail/smtp'
import { mailServer, type MailServer, type MailServerOptions } from 'sallyport-app/testing/mail-server'
import { FrozenClock } from 'sallyport/testing'
import { services, type Services, type Tables } from '../services.ts'
import { temporary } from '../temporary.ts'

const FROM = { name: '', address: 'accounts@app.test' }
const START = '2026-01-01T00:00:00Z'

/** The services of one process that sends mails. */
class Office {
  readonly outbox: Outbox
  readonly sender: MailSender
  readonly queue: MailQueue
  readonly givenUp: GivenUpMails
  readonly database: Database<Tables>

  constructor({ app, database }: Services) {
    this.database = database
    this.outbox = app.get(Outbox)
    this.sender = app.get(MailSender)
    this.queue = app.get(MailQueue)
    this.givenUp = app.get(GivenUpMails)
  }

  static async open(
    test: TestContext,
    {
      clock,
      server,
      directory = temporary(test),
    }: { clock: FrozenClock; server: MailServer; directory?: string },
  ): Promise<Office> {
    const mailer = new SmtpMailer({ url: server.url, from: FROM }, { application: 'Example' })
    const senders: MailSender[] = []
    // Hooks run in their order: otherwise it would try for minutes to delete a mail from a database that is gone.
    test.after(async () => {
      for (const sender of senders) await sender.end()
      mailer.close()
    })
    const office = new Office(await services(test, { path: join(directory, 'mails.sqlite'), clock, mailer }))
    senders.push(office.sender)
    return office
  }

  /** Sends a mail as a request does. */
  async send(mail: WordedMail): Promise<void> {
    await this.write(mail)
    await this.outbox.sendNew()
  }

  /** Leaves a mail in the queue. */
  write(mail: WordedMail): Promise<void> {
    return this.database.transaction().execute((transaction) => this.outbox.write(mail, transaction))
  }

  /** Decides about mails that were given up. */
  decide(decision: 'retry' | 'drop', chosen: string): Promise<number> {
    return this.database.transaction().execute((transaction) => this.givenUp[decision](chosen, transaction))
  }

  /** How many mails are in the queue, given up or not. */
  async rows(): Promise<number> {
    return (await this.database.selectFrom('mail').select('id').execute()).length
  }
}

interface Scene {
  readonly clock: FrozenClock
  readonly server: MailServer
  readonly office: Office
}

async function scene(test: TestContext, options?: MailServerOptions): Promise<Scene> {
  const clock = new FrozenClock(START)
  const server = await mailServer(test, options)
  return { clock, server, office: await Office.open(test, { clock, server }) }
}

function order(name = 'ada'): WordedMail {
  const text = 'Confirm your address:\n\nhttps://app.test/sign-up/secret-token'
  return { kind: 'confirm', mail: { to: `${name}@example.test`, subject: 'Your address', text } }
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await pause(5)
}

describe('the queue of mails', () => {
  it('sends a mail once, and keeps nothing of it [RA-3205]', async (test) => {
    const { office, server } = await scene(test)

    await office.send(order())
    await office.sender.sendDue()
    await office.sender.sendDue()

    assert.deepEqual(
      server.mails.map(({ to }) => to),
      [['ada@example.test']],
    )
    assert.equal(await office.rows(), 0)
  })

  it('sends a mail once where it cannot be deleted at first [RA-3205]', async (test) => {
    const { office, server, clock } = await scene(test)
    const { queue } = office
    const remove = queue.remove.bind(queue)
    let faults = 2
    test.mock.method(queue, 'remove', async (mail: TakenMail) => {
      if (faults-- > 0) throw new Error('The database is busy')
      await remove(mail)
    })

    await office.send(order())
    await office.sender.sendDue()
    clock.advance(LEASE_SECONDS + 1)
    await office.sender.sendDue()

    assert.equal(server.mails.length, 1)
    assert.equal(await office.rows(), 0)
  })

  it('holds neither address nor link in a form that a copy of the database gives away [RA-3205 RA-3206]', async (test) => {
    const directory = temporary(test)
    const server = await mailServer(test)
    server.answers.recipient = 451
    const office = await Office.open(test, { clock: new FrozenClock(START), server, directory })

    await office.send(order())
    await office.sender.sendDue()

    assert.equal(await office.rows(), 1)
    const files = ['mails.sqlite', 'mails.sqlite-wal'].map((name) => join(directory, name))
    const bytes = files.map((file) => readFileSync(file, 'latin1')).join('')
    for (const secret of ['secret-token', 'ada@', 'Confirm your address'])
      assert.ok(!bytes.includes(secret), secret)
  })

  it('has the mail if, and only if, the transaction of what it is about commits [RA-3205]', async (test) => {
    const { office, server } = await scene(test)
    const write = (isKept: boolean): Promise<void> =>
      office.database.transaction().execute(async (transaction) => {
        await office.outbox.write(order(isKept ? 'kept' : 'undone'), transaction)
        if (!isKept) throw new Error('undone')
      })

    await assert.rejects(write(false), /undone/)
    await write(true)
    assert.equal(server.arrived(), 0)
    await office.outbox.sendNew()
    await until(() => server.mails.length > 0)

    assert.deepEqual(server.mails[0]?.to, ['kept@example.test'])
  })

  it('tries again after growing times, and gives up after a day [RA-3205]', async (test) => {
    const { office, server, clock } = await scene(test)
    server.answers.recipient = 451
    await office.send(order())
    const waits: number[] = []
    const begun = clock.timestamp()
    for (let attempts = 1; attempts < 100; attempts += 1) {
      await office.sender.sendDue()
      const { givenUp } = await office.givenUp.status()
      if (givenUp > 0) break
      const { due_at: dueAt, attempts: counted } = await office.database
        .selectFrom('mail')
        .selectAll()
        .executeTakeFirstOrThrow()
      assert.equal(counted, attempts)
      const wait = dueAt - clock.timestamp()
      waits.push(wait)
      clock.advance(wait - 1)
      await office.sender.sendDue()
      clock.advance(1)
    }

    const [first = 0, second = 0, third = 0] = waits
    assert.ok(first >= 30 && first < 38 && second >= 60 && second < 75 && third >= 120, String(waits))
    assert.ok(waits.every((wait) => wait <= 75 * 60))
    const tried = clock.timestamp() - begun
    assert.ok(tried >= TRIED_SECONDS && tried < TRIED_SECONDS + 2 * 3600, String(tried))
    assert.equal(server.mails.length, 0)
  })

  it('sends it when a server that broke off in the middle of a mail, or refused for a time, is well again [RA-3205]', async (test) => {
    const { office, server, clock } = await scene(test)
    for (const ill of [{ breaksOff: true }, { data: 452 }, { recipient: 421 }]) {
      Object.assign(server.answers, ill)
      await office.send(order())
      await office.sender.sendDue()
      assert.equal(await office.rows(), 1)

      Object.assign(server.answers, { breaksOff: false, data: 250, recipient: 250 })
      clock.advance(60)
      await office.sender.sendDue()

      assert.equal(await office.rows(), 0)
    }
    assert.equal(server.mails.length, 3)
  })

  it('gives up at once what a server refuses for ever, until somebody tries it again or deletes it: of two at once, one [RA-3205]', async (test) => {
    const { office, server, clock } = await scene(test)
    server.answers.recipient = 550
    for (const name of ['ada', 'bob']) await office.send(order(name))
    await office.sender.sendDue()

    const list = await office.givenUp.list()
    assert.deepEqual(list.map(({ to, failure, attempts }) => [to, failure, attempts]).toSorted(), [
      ['ada@example.test', '550', 1],
      ['bob@example.test', '550', 1],
    ])
    const [one, other] = list
    server.answers.recipient = 250
    const [first, second, ...dropped] = await Promise.all([
      office.decide('retry', one?.id ?? ''),
      office.decide('retry', one?.id ?? ''),
      office.decide('drop', other?.id ?? ''),
      office.decide('drop', 'unknown'),
    ])
    assert.deepEqual(
      [[first, second].toSorted(), dropped],
      [
        [0, 1],
        [1, 0],
      ],
    )
    clock.advance(1)
    await office.sender.sendDue()

    assert.deepEqual(server.mails[0]?.to, [one?.to])
  })

  it('deletes what was given up after a week, and does not send a link that has ended [RA-3205]', async (test) => {
    const { office, server, clock } = await scene(test)
    server.answers.recipient = 550
    await office.send(order())
    await office.sender.sendDue()
    server.answers.recipient = 451
    await office.send({ ...order('late'), seconds: 600 })
    await office.sender.sendDue()
    server.answers.recipient = 250

    clock.advance(600)
    await office.sender.sendDue()
    assert.equal(await office.rows(), 1)
    clock.advance(GIVEN_UP_SECONDS + TRIED_SECONDS)

    assert.equal(await office.queue.sweep(), 1n)
    assert.equal(server.mails.length, 0)
  })

  it('sends what waits when the clock is set back meanwhile [RA-3205 RA-2708]', async (test) => {
    const { office, server, clock } = await scene(test)
    server.answers.recipient = 451
    await office.send(order('postponed'))
    await office.sender.sendDue()
    server.answers.recipient = 250
    await office.write(order('new'))

    clock.advance(-365 * 24 * 60 * 60)
    await office.sender.sendDue()

    const sent = server.mails.map(({ to }) => to[0])
    assert.deepEqual(sent.toSorted(), ['new@example.test', 'postponed@example.test'])
    assert.equal(await office.rows(), 0)
  })

  it('is worked off by several processes at once, and each mail is sent by one [RA-3205 RA-3202]', async (test) => {
    const directory = temporary(test)
    const clock = new FrozenClock(START)
    const server = await mailServer(test)
    const offices = await Promise.all([1, 2, 3].map(() => Office.open(test, { clock, server, directory })))
    const names = Array.from({ length: 40 }, (_, index) => `ada-${index}`)
    const [first] = offices
    assert.ok(first !== undefined)
    await first.database.transaction().execute(async (transaction) => {
      for (const name of names) await first.outbox.write(order(name), transaction)
    })

    await Promise.all(offices.map(({ sender }) => sender.sendDue()))

    const sent = server.mails.map(({ to }) => to[0]?.replace('@example.test', ''))
    assert.deepEqual(sent.toSorted(), names.toSorted())
    assert.equal(await first.rows(), 0)
  })

  it('waits for a slow mail server with none of its requests, and at the end with what is being sent [RA-3205 RA-2401]', async (test) => {
    const server = await mailServer(test, { holdsData: true })
    const clock = new FrozenClock(START)
    const office = await Office.open(test, { clock, server })
    const stop = office.sender.start()
    await office.send(order())
    await until(() => server.arrived() === 1)
    let isStopped = false

    const stopped = stop().then(() => (isStopped = true))
    await office.send(order('bob'))
    await pause(50)
    assert.equal(isStopped, false)
    server.release()
    await stopped

    assert.equal(server.mails.length, 1)
    assert.equal(await office.rows(), 1)
  })

  it('sends a mail while others before it wait for an answer [RA-3205]', async (test) => {
    const { office, server } = await scene(test, { holdsData: true })

    for (const name of ['ada', 'bob', 'eva']) {
      await office.send(order(name))
      await until(() => server.arrived() > 0)
    }

    await until(() => server.arrived() === 3)
    server.release()
    await office.sender.sendDue()
    assert.deepEqual([server.mails.length, await office.rows()], [3, 0])
  })

  it('lets another process send what one has taken and not sent, after the lease, under the same name [RA-3205]', async (test) => {
    const { office, server, clock } = await scene(test)
    await office.write(order())
    const taken = await office.queue.take()
    assert.ok(taken !== undefined)

    clock.advance(LEASE_SECONDS - 1)
    await office.sender.sendDue()
    assert.equal(server.mails.length, 0)
    clock.advance(1)
    await office.sender.sendDue()

    assert.ok(server.mails[0]?.raw.includes(`Message-ID: <${taken.id}@app.test>`))
    assert.equal(await office.rows(), 0)
  })
})
