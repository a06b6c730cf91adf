import { Clock, inject } from 'sallyport'
import type { Session } from 'sallyport/session'

const KEY = 'pending-sign-in'
const SECONDS = 300

/** The password was right, the code is still to come. The user is anonymous until then. */
export class PendingSignIn {
  readonly #clock = inject(Clock)

  async begin(session: Session, identifier: string): Promise<void> {
    await session.set(KEY, { identifier, expires: this.#clock.timestamp() + SECONDS })
  }

  async identifier(session: Session): Promise<string | undefined> {
    const pending = await session.get<{ identifier: string; expires: number }>(KEY)
    const left = (pending?.expires ?? 0) - this.#clock.timestamp()
    // A longer remaining time than at the start means that the clock was moved back.
    return left > 0 && left <= SECONDS ? pending?.identifier : undefined
  }

  async end(session: Session): Promise<void> {
    await session.remove(KEY)
  }
}
