import { setTimeout as pause } from 'node:timers/promises'
import { getLogger } from '@logtape/logtape'
import { inject } from 'sallyport'
import { LEASE_SECONDS, MailQueue, type TakenMail } from './mail-queue.ts'
import { Mailer, MailRefusedError } from './mailer.ts'

const log = getLogger(['app', 'mail'])

// For mails that another process has written, such as a command, and for those that are tried again.
const LOOK_MILLISECONDS = 5000
const RETRY_MILLISECONDS = 200
const LEASE_MILLISECONDS = LEASE_SECONDS * 1000

/** Sends the mails of the queue: the worker of this process. */
export class MailSender {
  readonly #queue = inject(MailQueue)
  readonly #mailer = inject(Mailer)
  readonly #lanes = new Set<Promise<void>>()
  #turn: Promise<unknown> = Promise.resolve()
  readonly #ending = new AbortController()
  #isAskedAgain = false

  /** Sends what is due. It never fails. The promise is for those who wait until nothing is under way any more. */
  async sendDue(): Promise<void> {
    this.#addLane()
    while (this.#lanes.size > 0) await Promise.all(this.#lanes)
  }

  /**
   * Sends what is due from now on.
   *
   * @returns Ends that: it waits for the mails that are being sent, and leaves the others in the queue.
   */
  start(): () => Promise<void> {
    if (!this.#mailer.sends) return () => Promise.resolve()
    this.#addLane()
    const timer = setInterval(() => this.#addLane(), LOOK_MILLISECONDS)
    timer.unref()
    return async () => {
      clearInterval(timer)
      await this.end()
    }
  }

  /** Takes no mail from now on, and waits for those that are being sent. The others are for another process. */
  async end(): Promise<void> {
    this.#ending.abort()
    await Promise.all(this.#lanes)
  }

  // A mail that takes long holds up its own lane only: each lane that has found a mail adds one.
  #addLane(): void {
    if (this.#ending.signal.aborted) return
    if (this.#lanes.size >= this.#mailer.atOnce) {
      // They may have looked for mails just before the one that this is about was written.
      this.#isAskedAgain = true
      return
    }
    const lane = this.#drain().finally(() => this.#lanes.delete(lane))
    this.#lanes.add(lane)
  }

  async #drain(): Promise<void> {
    try {
      for (let mail; !this.#ending.signal.aborted && (mail = await this.#next()) !== undefined;) {
        this.#addLane()
        await this.#send(mail)
      }
    } catch (error) {
      // The mails are still there, and are looked for again soon.
      log.error('The queue of mails cannot be read or written', { error })
    }
  }

  async #next(): Promise<TakenMail | undefined> {
    let mail
    do {
      this.#isAskedAgain = false
      mail = await this.#take()
    } while (mail === undefined && this.#isAskedAgain)
    return mail
  }

  // One lane after the other: those that look at once would all try to take the same mails.
  #take(): Promise<TakenMail | undefined> {
    const taken = this.#turn.then(() => this.#queue.take())
    this.#turn = taken.catch(() => undefined)
    return taken
  }

  async #send(mail: TakenMail): Promise<void> {
    const { id, kind } = mail
    try {
      await this.#mailer.send({ ...this.#queue.open(mail), id })
    } catch (error) {
      const failure = failureOf(error)
      if (error instanceof MailRefusedError || this.#queue.isOld(mail)) {
        await this.#queue.giveUp(mail, failure)
        log.error('A mail of the kind {kind} could not be sent, and was given up', { kind, failure, error })
      } else {
        await this.#queue.postpone(mail, failure)
        log.warn('A mail of the kind {kind} could not be sent, and is tried again', { kind, failure, error })
      }
      return
    }
    await this.#remove(mail)
  }

  // While the database cannot be written, it is tried again: after the lease, the mail would be sent a second time.
  async #remove(mail: TakenMail): Promise<void> {
    const end = performance.now() + LEASE_MILLISECONDS
    for (let wait = RETRY_MILLISECONDS; ; wait *= 2)
      try {
        return await this.#queue.remove(mail)
      } catch (error) {
        if (this.#ending.signal.aborted || performance.now() + wait > end) throw error
        await pause(wait, undefined, this.#ending).catch(() => undefined)
      }
  }
}

/** Facts of an error that name nobody: what a server answers may repeat the address. */
function failureOf(error: unknown): string {
  const { responseCode, code, name } = error as Error & { responseCode?: number; code?: string }
  return String(responseCode ?? code ?? name)
}
