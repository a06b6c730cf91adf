import { setTimeout as pause } from 'node:timers/promises'
import { getLogger } from '@logtape/logtape'
import { sql } from 'kysely'
import { inject } from 'sallyport'
import { SessionStore } from 'sallyport/session'
import { Database } from '../database/index.ts'
import { GivenUpMails, Mailer } from '../mail/index.ts'

const log = getLogger(['app', 'health'])

// Longer than a healthy server takes, and shorter than those who ask wait.
const PATIENCE_MILLISECONDS = 2000
// No session has it. The store answers as for any unknown one.
const NO_SESSION = `00${'0'.repeat(43)}`

/** What requests need. `stopping`: the process ends soon. */
export type Needed = 'database' | 'sessions' | 'mails' | 'stopping'

/** Whether this process should get requests. */
export class Readiness {
  readonly #database = inject(Database<object>)
  readonly #sessions = inject(SessionStore)
  readonly #mailer = inject(Mailer)
  readonly #mails = inject(GivenUpMails)
  #isStopping = false
  #before = ''

  /** From now on it is not ready, whatever answers. */
  stop(): void {
    this.#isStopping = true
  }

  /**
   * Asks everything that requests need, for two seconds at most. Each change is logged, not each question.
   *
   * @returns What is missing; empty when nothing is.
   */
  async missing(): Promise<readonly Needed[]> {
    if (this.#isStopping) return ['stopping']
    const checks: readonly (readonly [Needed, Promise<unknown>])[] = [
      ['database', sql`SELECT 1`.execute(this.#database)],
      ['sessions', Promise.resolve(this.#sessions.read(NO_SESSION))],
      // A mail server that is down keeps no page from working: the queue waits for it.
      ...(this.#mailer.sends ? [['mails', this.#mails.status()] as const] : []),
    ]
    const found = await Promise.all(
      checks.map(async ([needed, check]) => ((await answers(check)) ? [] : [needed])),
    )
    const missing = found.flat()
    this.#report(missing)
    return missing
  }

  /**
   * Asks the session store alone.
   *
   * @returns Whether it answers.
   */
  hasSessions(): Promise<boolean> {
    return answers(Promise.resolve(this.#sessions.read(NO_SESSION)))
  }

  #report(missing: readonly Needed[]): void {
    const now = missing.join(', ')
    if (now === this.#before) return
    this.#before = now
    if (now === '') log.info('Ready again')
    else log.warn('Not ready: {missing} cannot be reached', { missing: now })
  }
}

async function answers(check: Promise<unknown>): Promise<boolean> {
  const abort = new AbortController()
  const tooLate = pause(PATIENCE_MILLISECONDS, false, { signal: abort.signal, ref: false })
  const answered = check.then(
    () => true,
    () => false,
  )
  try {
    return await Promise.race([answered, tooLate])
  } finally {
    abort.abort()
    tooLate.catch(() => undefined)
  }
}
