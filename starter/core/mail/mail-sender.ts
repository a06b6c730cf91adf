import { getLogger } from '@logtape/logtape'
import { inject } from 'sallyport'
import { MailQueue, type TakenMail } from './mail-queue.ts'
import { Mailer, MailRefusedError } from './mailer.ts'

const log = getLogger(['starter', 'mail'])

// For mails that another process has written, such as a command, and for those that are tried again.
const LOOK_MILLISECONDS = 5000

/** Sends the mails of the queue: the worker of this process. */
export class MailSender {
  readonly #queue = inject(MailQueue)
  readonly #mailer = inject(Mailer)
  #running: Promise<void> | undefined
  #isAskedAgain = false
  #isOver = false

  /** Sends what is due, if nothing does yet. It never fails. */
  sendDue(): Promise<void> {
    // What was just written may be missing in what runs already.
    if (this.#running !== undefined) this.#isAskedAgain = true
    this.#running ??= this.#run().finally(() => (this.#running = undefined))
    return this.#running
  }

  /** Sends what is due from now on. @returns Ends that: it waits for the mails that are being sent, and leaves the others in the queue. */
  start(): () => Promise<void> {
    if (!this.#mailer.sends) return () => Promise.resolve()
    const look = (): void => void this.sendDue()
    look()
    const timer = setInterval(look, LOOK_MILLISECONDS)
    timer.unref()
    return async () => {
      this.#isOver = true
      clearInterval(timer)
      await this.#running
      this.#mailer.close()
    }
  }

  async #run(): Promise<void> {
    do {
      this.#isAskedAgain = false
      const lanes = Array.from({ length: this.#mailer.atOnce }, () => this.#drain())
      await Promise.all(lanes)
    } while (this.#isAskedAgain && !this.#isOver)
  }

  async #drain(): Promise<void> {
    try {
      while (!this.#isOver) {
        const mail = await this.#queue.take()
        if (mail === undefined) return
        await this.#send(mail)
      }
    } catch (error) {
      // The mails are still there, and are looked for again soon.
      log.error('The queue of mails cannot be read or written', { error })
    }
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
    await this.#queue.remove(mail)
  }
}

/** Facts of an error that name nobody: what a server answers may repeat the address. */
function failureOf(error: unknown): string {
  const { responseCode, code, name } = error as Facts
  return String(responseCode ?? code ?? name)
}

interface Facts extends Error {
  readonly responseCode?: number
  readonly code?: string
}
