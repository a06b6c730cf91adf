import { DatabaseSync } from 'node:sqlite'
import { Clock, inject } from 'sallyport'
import { TooManyRequestsException } from 'sallyport/http'

const MAX_ATTEMPTS = 10
const WINDOW_SECONDS = 15 * 60

export class Attempts {
  readonly #database = inject(DatabaseSync)
  readonly #clock = inject(Clock)

  /** Counts an attempt, or responds with 429 if there were too many. */
  count(subject: string): void {
    const now = this.#clock.timestamp()
    // Also ignore attempts dated in the future (the clock was moved back).
    this.#database.prepare('DELETE FROM attempt WHERE at <= ? OR at > ?').run(now - WINDOW_SECONDS, now)
    const row = this.#database.prepare('SELECT count(*) AS made FROM attempt WHERE subject = ?').get(subject)
    if (Number(row?.made) >= MAX_ATTEMPTS) throw new TooManyRequestsException(WINDOW_SECONDS)
    this.#database.prepare('INSERT INTO attempt (subject, at) VALUES (?, ?)').run(subject, now)
  }

  /** Forgets the attempts of a subject, after a complete sign-in. */
  forget(subject: string): void {
    this.#database.prepare('DELETE FROM attempt WHERE subject = ?').run(subject)
  }
}
