import type { Kysely } from 'kysely'
import type { App, Clock, Definitions } from 'sallyport'
import { AccountSessions, SessionAuthentication } from 'sallyport/auth'
import { SessionPolicy, SessionStore } from 'sallyport/session'
import type { Schema } from './database/schema.ts'
import type { PasswordCheck } from './identity/accounts/password-check.ts'
import type { AuditTrail } from './identity/audit/audit-trail.ts'
import { OwnTrail } from './identity/audit/own-trail.ts'
import type { AccountDeletion } from './identity/deletion/account-deletion.ts'
import type { Notices } from './identity/mail/notices.ts'
import { cookieMark } from './identity/sessions/cookie-names.ts'
import { KnownClients } from './identity/sessions/known-clients.ts'
import type { FactorPolicy } from './identity/policy/factor-policy.ts'
import type { FactorRecovery } from './identity/recovery/factor-recovery.ts'
import { LoginCompletion } from './identity/sessions/login-completion.ts'
import { Objections } from './identity/sessions/objections.ts'
import { OpenSessions } from './identity/sessions/open-sessions.ts'
import { ReturnTargets } from './identity/sessions/return-target.ts'

/**
 * Lifetimes of sessions (ASVS 5.0, 7.1.1). Idle: half an hour, because the account page shows where a user signed in from, and
 * browsers are left open. Absolute: a working day. Concurrent sessions are allowed; each has its own lifetime.
 */
const LIFETIMES = { idleSeconds: 30 * 60, absoluteSeconds: 12 * 60 * 60 }

/** The policy of a host that is the application's own. */
export const SESSION_POLICY: SessionPolicy = new SessionPolicy(LIFETIMES)

/** What the services of sessions are made of. */
export interface SessionParts {
  /** Its routes say which pages a login may return to. */
  readonly app: App
  /** Database of the accounts. */
  readonly database: Kysely<Schema>
  /** Store of the sessions. */
  readonly store: SessionStore
  /** Signs in and out. */
  readonly sessions: SessionAuthentication
  /** The check of passwords. */
  readonly passwords: PasswordCheck
  /** The audit trail. */
  readonly audit: AuditTrail
  /** Recovery of lost factors, which a login stops. */
  readonly recoveries: FactorRecovery
  /** Deletions of accounts, which a login stops, too. */
  readonly deletions: AccountDeletion
  /** Mails to the owners of accounts. */
  readonly notices: Notices
  /** Who must hold a second factor of which kind. */
  readonly policy: FactorPolicy
  /** The clock of the application. */
  readonly clock: Clock
  /** Where the application is, if others may be on its host. */
  readonly place: { readonly basePath: string; readonly port?: string }
}

/**
 * Registers the services that begin, list and end sessions.
 *
 * @param definitions Definitions of the application.
 * @param parts What they are made of.
 */
export function setSessionServices(definitions: Definitions, parts: SessionParts): void {
  const { app, database, store, sessions, audit, notices, clock } = parts
  const mark = cookieMark(parts.place)
  const accountSessions = new AccountSessions(store, SESSION_POLICY, clock)
  const targets = new ReturnTargets(() => app.router())
  const open = new OpenSessions({ database, sessions: accountSessions, audit, notices, clock })
  const known = new KnownClients({ database, audit, notices, clock })
  const completing = { ...parts, targets, known }
  definitions
    .set(ReturnTargets, targets)
    .set(SessionStore, store)
    .set(
      SessionPolicy,
      new SessionPolicy({
        ...LIFETIMES,
        ...(mark === '' ? {} : { cookieName: `sid${mark}`, area: SESSION_POLICY.cookieName }),
      }),
    )
    .set(SessionAuthentication, sessions)
    .set(OpenSessions, open)
    .set(OwnTrail, new OwnTrail(database))
    .set(Objections, new Objections({ database, open, audit, notices, clock }))
    .set(LoginCompletion, new LoginCompletion(completing))
}
