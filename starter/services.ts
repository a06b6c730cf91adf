import { Clock, type Definitions, type Secret, SystemClock } from 'sallyport'
import { PasswordHasher } from 'sallyport/auth'
import { Translator } from 'sallyport/i18n'
import { SessionPolicy, SessionStore } from 'sallyport/session'
import { TrailRules } from 'sallyport-app/audit'
import { KeyRing } from 'sallyport-app/keys'
import { Mailbox, Mailer } from 'sallyport-app/mail'
import { PreparedPasswords } from 'sallyport-app/passwords'
import { TRAIL_RULES } from './core/audit/audit-trail.ts'
import { Database } from './core/database/database.ts'
import { createTranslator } from './core/messages/catalogue.ts'
import { type Part, Parts } from './core/part.ts'
import { SESSION_POLICY } from './core/sessions/session-policy.ts'
import { Settings } from './core/settings.ts'

/** What an application is given. Its services ask for it with `inject()`. */
export interface ApplicationParts {
  /** Accounts, factors, limits and the audit trail. */
  readonly database: Database
  readonly store: SessionStore
  /** Keys for the factors' secrets: the first one encrypts, all of them decrypt. */
  readonly keys: readonly Secret[]
  /** What differs from the default settings. */
  readonly settings?: Partial<Settings>
  /** The parts that it consists of. Default: those of `parts.ts`. */
  readonly parts?: readonly Part[]
  /** The clock of sessions, challenges, codes and limits. Default: the machine's. */
  readonly clock?: Clock
  /** Hashes passwords; `accepts` names older policies of stored hashes. Default: the framework's default policy. */
  readonly hasher?: PasswordHasher
  /** Delivers mails; a `Mailbox` shows them at `/dev/mail`. Default: none, so nobody can sign up. */
  readonly mailer?: Mailer
  /** Translates messages. Default: with the catalogue of the application. */
  readonly translator?: Translator
  /** Whether compiled templates and the list of assets are kept; false shows changes without a restart. Default: true. */
  readonly cacheTemplates?: boolean
}

/**
 * Registers what services ask for.
 *
 * @throws {TypeError} If there is no key, or one is malformed.
 */
export function defineServices(
  definitions: Definitions,
  { database, store, keys, clock, hasher, translator }: ApplicationParts,
  {
    parts,
    settings,
    mailer,
  }: { readonly parts: Parts; readonly settings: Settings; readonly mailer: Mailer },
): void {
  definitions
    .set(Settings, settings)
    .set(Parts, parts)
    .set(Database, database)
    .set(SessionStore, store)
    .set(SessionPolicy, SESSION_POLICY)
    .set(TrailRules, TRAIL_RULES)
    .set(Clock, clock ?? new SystemClock())
    .set(PasswordHasher, new PreparedPasswords(hasher ?? new PasswordHasher()))
    .set(KeyRing, new KeyRing(keys))
    .set(Mailer, mailer)
    .set(Translator, translator ?? createTranslator(parts.all))
  if (mailer instanceof Mailbox) definitions.set(Mailbox, mailer)
}
