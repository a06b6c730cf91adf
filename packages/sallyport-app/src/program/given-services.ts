import { Clock, type Definitions, type Secret, SystemClock } from 'sallyport'
import { PasswordHasher } from 'sallyport/auth'
import { SessionStore } from 'sallyport/session'
import { Database } from '../database/index.ts'
import { KeyRing } from '../keys/index.ts'
import { Mailbox, Mailer } from '../mail/index.ts'
import { PreparedPasswords } from '../passwords/index.ts'

/** What an application is given, from which its services are made. */
export interface GivenServices<Tables> {
  /** Its tables. */
  readonly database: Database<Tables>
  /** Its sessions. */
  readonly store: SessionStore
  /** Keys that seal what the database keeps secret: the first one encrypts, all of them decrypt. */
  readonly keys: readonly Secret[]
  /** The clock of sessions, codes and limits. Default: the machine's. */
  readonly clock?: Clock
  /** Hashes passwords; `accepts` names older policies of stored hashes. Default: the framework's default policy. */
  readonly hasher?: PasswordHasher
  /** Delivers mails; a `Mailbox` keeps them. Default: none, so nobody gets any. */
  readonly mailer?: Mailer
}

/**
 * Registers them, so that services ask for them with `inject()`.
 *
 * @param definitions The services of the application.
 * @param given What it is given, with its mailer.
 * @throws {TypeError} If there is no key, or one is malformed.
 */
export function defineGiven<Tables>(
  definitions: Definitions,
  { database, store, keys, clock, hasher, mailer }: GivenServices<Tables> & { readonly mailer: Mailer },
): void {
  definitions
    .set(Database<Tables>, database)
    .set(SessionStore, store)
    .set(KeyRing, new KeyRing(keys))
    .set(Clock, clock ?? new SystemClock())
    .set(PasswordHasher, new PreparedPasswords(hasher ?? new PasswordHasher()))
    .set(Mailer, mailer)
  if (mailer instanceof Mailbox) definitions.set(Mailbox, mailer)
}
