import type { Kysely } from 'kysely'
import {
  App,
  Clock,
  type Definitions,
  type ModuleDefinition,
  type Secret,
  SecurityHeaders,
  SystemClock,
} from 'sallyport'
import { PasswordHasher, SessionAuthentication } from 'sallyport/auth'
import { StaticFiles } from 'sallyport/files'
import { TrailingSlash } from 'sallyport/routing'
import type { SessionStore } from 'sallyport/session'
import { Translator } from 'sallyport/i18n'
import { ViewEngine } from 'sallyport/view'
import { EdgeViewEngine } from 'sallyport/view/edge'
import { type Administration, createAdministration, registerAdministration } from './administration.ts'
import type { Schema } from './database/schema.ts'
import { Attempts } from './identity/limits/attempts.ts'
import { AuditTrail } from './identity/audit/audit-trail.ts'
import { Challenges } from './identity/challenges/challenges.ts'
import { MailCodes } from './identity/factors/mail-codes.ts'
import { FactorVault } from './identity/factors/factor-vault.ts'
import type { TrustedDevices } from './identity/devices/trusted-devices.ts'
import { UnsentTokens } from './identity/devices/unsent-tokens.ts'
import type { Erasure } from './identity/deletion/erasure.ts'
import type { Leftovers } from './identity/deletion/leftovers.ts'
import { Mailbox } from './identity/mail/mailbox.ts'
import type { Mailer } from './identity/mail/mailer.ts'
import type { Reminders } from './identity/mail/reminders.ts'
import type { Notices } from './identity/mail/notices.ts'
import { PasswordCheck } from './identity/accounts/password-check.ts'
import { PreparedPasswords } from './identity/accounts/prepared-password.ts'
import { createPasskeyServices, setPasskeyServices } from './identity/factors/passkey-services.ts'
import type { PasskeyPolicy } from './identity/factors/passkey-policy.ts'
import type { Passkeys } from './identity/factors/passkeys.ts'
import { RecoveryCodes } from './identity/factors/recovery-codes.ts'
import { SecondFactors } from './identity/factors/second-factors.ts'
import { TotpFactors } from './identity/factors/totp-factors.ts'
import type { TotpLeeway } from './identity/factors/totp-code.ts'
import { SignUp } from './identity/accounts/sign-up.ts'
import { setTokenServices } from './identity/tokens/token-services.ts'
import type { FactorPolicy } from './identity/policy/factor-policy.ts'
import type { FactorRule } from './identity/policy/factor-rules.ts'
import { Users } from './identity/accounts/users.ts'
import { createMailServices } from './mail-services.ts'
import { createOwnerServices } from './owner-services.ts'
import { createTranslator } from './messages/catalogue.ts'
import { LANGUAGES } from './messages/language.ts'
import account from './modules/account/module.ts'
import admin from './modules/admin/module.ts'
import api from './modules/api/module.ts'
import { ERROR_VIEW, LayoutEngine } from './modules/layout-engine.ts'
import { LEGACY_PATHS, LegacyRedirects } from './modules/legacy-redirects.ts'
import { PageErrors } from './modules/page-errors.ts'
import { NoStore } from './modules/no-store.ts'
import enrollment from './modules/enrollment/module.ts'
import development from './modules/development/module.ts'
import objection from './modules/objection/module.ts'
import mailCode from './modules/mail-code/module.ts'
import lost from './modules/lost-factor/module.ts'
import reset from './modules/reset/module.ts'
import address from './modules/address/module.ts'
import devices from './modules/devices/module.ts'
import deletion from './modules/deletion/module.ts'
import profile from './modules/profile/module.ts'
import security from './modules/security/module.ts'
import setUp from './modules/set-up/module.ts'
import signUp from './modules/sign-up/module.ts'
import tokens from './modules/tokens/module.ts'
import unlock from './modules/unlock/module.ts'
import { setSecurityServices } from './security-services.ts'
import sessionPages from './modules/sessions/module.ts'
import passkeysModule from './modules/passkeys/module.ts'
import { passkeyScripts } from './modules/passkeys/passkey-scripts.ts'
import site from './modules/site/module.ts'
import ops from './modules/ops/module.ts'
import { type OperationsOptions, setOpsServices } from './operations/ops-services.ts'
import { Pages } from './pages/pages.ts'
import { SESSION_POLICY, setSessionServices } from './session-services.ts'
import { createRecoveryServices } from './recovery-services.ts'
import { UseChosenLanguage } from './modules/use-chosen-language.ts'

// Pages consist of text, one style sheet, one icon and one small script of our own. There are no inline scripts.
const CONTENT_SECURITY_POLICY = {
  'default-src': "'none'",
  'style-src': "'self'",
  'img-src': "'self'",
  'script-src': "'self'",
}

// The modules that every application has, whether or not it sends mails.
const MODULES: readonly ModuleDefinition[] = [
  site,
  account,
  enrollment,
  lost,
  setUp,
  security,
  profile,
  deletion,
  tokens,
  passkeysModule,
  sessionPages,
  admin,
  api,
]

/** The dependencies of the application. */
export interface ApplicationParts {
  /** Accounts, factors, limits and the audit trail. */
  readonly database: Kysely<Schema>
  /** Sessions. */
  readonly store: SessionStore
  /** Keys for the factors' secrets: the first one encrypts, all of them decrypt. */
  readonly keys: readonly Secret[]
  /** The clock of sessions, challenges, codes and limits. Default: the machine's. */
  readonly clock?: Clock
  /** Hashes passwords; `accepts` names older policies of stored hashes. Default: the framework's default policy. */
  readonly hasher?: PasswordHasher
  /** Tolerated difference between codes and the clock. Default: the current step, and the previous one for 29 seconds. */
  readonly leeway?: TotpLeeway
  /** Delivers mails; a `Mailbox` shows them at `/dev/mail`. Default: none, so nobody can sign up. */
  readonly mailer?: Mailer
  /**
   * Scheme and host of the pages, with which links in mails about an account begin, and with which passkeys are registered.
   * Default: none, and those mails have no links, and there are no passkeys.
   */
  readonly origin?: () => string | undefined
  /** The path of the host below which the pages are, such as `/accounts`. Default: none. */
  readonly basePath?: string
  /** The port that names of cookies end with, because others on this host have the same names. Default: none. */
  readonly cookiePort?: string
  /** Who must hold a second factor. Default: `FACTOR_RULES`. */
  readonly factorRules?: readonly FactorRule[]
  /** Whether a second person has to approve the reset of second factors. Default: false. */
  readonly resetNeedsApproval?: boolean
  /** Whether codes by mail may take the place of the second factor: they are weaker, see SECURITY.md. Default: false. */
  readonly mailCodes?: boolean
  /** For how many days a browser may stand in for the second step, see SECURITY.md. Default: no browser does. */
  readonly trustedDeviceDays?: number | undefined
  /** What is expected of the authenticators of passkeys. Default: `PASSKEY_POLICY`. */
  readonly passkeyPolicy?: PasskeyPolicy
  /** Translates messages. Default: with the catalogue of the application. */
  readonly translator?: Translator
  /** How operators get into `/ops`. Default: there is no such page. */
  readonly operations?: OperationsOptions | undefined
  /** Whether compiled templates and the list of assets are kept; false shows changes without a restart. Default: true. */
  readonly cacheTemplates?: boolean
}

/** The services behind the pages, also for programs that set up accounts. */
export interface Identity {
  /** The accounts. */
  readonly users: Users
  /** Their authenticator apps. */
  readonly factors: TotpFactors
  /** All their second factors. */
  readonly secondFactors: SecondFactors
  /** Their passkeys. */
  readonly passkeys: Passkeys
  /** Their recovery codes. */
  readonly codes: RecoveryCodes
  /** Hashes passwords. */
  readonly hasher: PasswordHasher
  /** Who must hold a second factor. */
  readonly policy: FactorPolicy
  /** The audit trail. */
  readonly audit: AuditTrail
  /** Mails to the owners of accounts. */
  readonly notices: Notices
  /** Erases accounts whose owners asked for it. */
  readonly erasure: Erasure
  /** The browsers that accounts trust. */
  readonly devices: TrustedDevices
  /** Mails that are sent when a time has come. */
  readonly reminders: Reminders
  /** Deletes what has ended long ago. */
  readonly leftovers: Leftovers
  /** What operators do. */
  readonly administration: Administration
}

/**
 * Assembles the application. Tests use the same function.
 *
 * @param parts Its dependencies; the caller closes database and store after the application.
 * @returns The application, not yet booted, and its services.
 * @throws {TypeError} If there is no key, or one is malformed.
 */
export function createApplication(parts: ApplicationParts): {
  readonly app: App
  readonly identity: Identity
} {
  const { database, store, clock = new SystemClock() } = parts
  const hasher = new PreparedPasswords(parts.hasher ?? new PasswordHasher())
  const users = new Users(database)
  const attempts = new Attempts(database, clock)
  const audit = new AuditTrail(database, clock)
  const vault = new FactorVault(parts.keys)
  const factors = new TotpFactors({ database, vault, attempts }, parts.leeway)
  const secondFactors = new SecondFactors({ database, attempts })
  const codes = new RecoveryCodes({ database, hasher, attempts, audit, clock })
  const challenges = new Challenges(database, clock)
  const keeping = { database, secondFactors, codes }
  const enrolling = { database, vault, attempts, codes, audit, clock }
  const sessions = new SessionAuthentication()
  const passwords = new PasswordCheck({ database, users, hasher, attempts, audit })
  const guarded = { ...enrolling, challenges, factors, secondFactors, passwords, hasher }
  const core = { database, users, attempts, audit, clock }
  const recovery = createRecoveryServices({ ...core, factors: secondFactors, rules: parts.factorRules })

  const { cacheTemplates: isFixed = true, mailer, translator = createTranslator(), basePath = '' } = parts
  const mail = createMailServices({ database, clock, translator, mailer, origin: parts.origin, basePath })
  const { notices } = mail
  const place = { basePath, port: parts.cookiePort ?? '' }
  const passkeyServices = createPasskeyServices({ ...keeping, attempts, audit, notices, clock }, parts)
  const owner = createOwnerServices({ ...parts, ...core, mails: mail.mails })
  const administration = createAdministration({ ...parts, ...core, vault, policy: SESSION_POLICY, notices })
  const app = App.create({ locales: LANGUAGES, ...(basePath === '' ? {} : { basePath }) })
    .routing(TrailingSlash.Remove)
    .errorView(ERROR_VIEW)
    .modules(assetsOf(isFixed), passkeyScripts(), ...MODULES, ...modulesOf(parts))
    .configure((definitions) => {
      setPageServices(definitions, { mailer, translator, isFixed })
      definitions.set(Clock, clock).set(PasswordHasher, hasher).set(Users, users).set(AuditTrail, audit)
      const about = { app, notices, policy: recovery.policy, leeway: parts.leeway }
      setSecurityServices(definitions, { ...guarded, ...about })
      setPasskeyServices(definitions, passkeyServices)
      definitions.set(Pages, new Pages(database, clock))
      setOpsServices(definitions, { ...parts, attempts, clock })
      const signingIn = { app, database, store, sessions, passwords, audit, notices, clock, place }
      const { recoveries, policy: rules } = recovery
      setSessionServices(definitions, { ...signingIn, recoveries, deletions: owner.deletions, policy: rules })
      recovery.define(definitions)
      const isOn = mailer !== undefined && parts.mailCodes === true
      definitions.set(MailCodes, new MailCodes({ ...guarded, policy: recovery.policy }, isOn))
      owner.define(definitions)
      setTokenServices(definitions, core)
      mail.define(definitions)
      registerAdministration(definitions, administration)
      if (mailer !== undefined) definitions.set(SignUp, new SignUp(core))
    })
  addMiddlewares(app)
  const { passkeys } = passkeyServices
  const accounts = { users, factors, secondFactors, passkeys, codes, hasher, audit, notices, administration }
  const { devices: trusted, erasure, reminders, leftovers } = owner
  const timed = { devices: trusted, erasure, reminders, leftovers }
  return { app, identity: { ...accounts, policy: recovery.policy, ...timed } }
}

/** What pages are made with. */
interface PageParts {
  readonly mailer: Mailer | undefined
  readonly translator: Translator
  readonly isFixed: boolean
}

function setPageServices(definitions: Definitions, { mailer, translator, isFixed }: PageParts): void {
  const has = { hasSignUp: mailer !== undefined, hasMailbox: mailer instanceof Mailbox }
  const views = { directory: new URL('views/', import.meta.url), cache: isFixed }
  definitions
    .set(Translator, translator)
    .set(ViewEngine, new LayoutEngine(new EdgeViewEngine(views), has))
    .set(SecurityHeaders, new SecurityHeaders({ contentSecurityPolicy: CONTENT_SECURITY_POLICY }))
}

function modulesOf({
  mailer,
  operations,
  mailCodes,
  trustedDeviceDays,
}: ApplicationParts): readonly ModuleDefinition[] {
  const gated = [
    ...(operations === undefined ? [] : [ops]),
    ...(trustedDeviceDays === undefined ? [] : [devices]),
  ]
  const extra = [
    ...(mailer instanceof Mailbox ? [development] : []),
    ...(mailCodes === true ? [mailCode] : []),
  ]
  return mailer === undefined ? gated : [signUp, reset, objection, unlock, address, ...extra, ...gated]
}

function assetsOf(isFixed: boolean): StaticFiles {
  const directory = new URL('assets/', import.meta.url)
  return new StaticFiles({ directory, at: '/assets', fingerprint: isFixed })
}

// What concerns every request, with a route or without.
function addMiddlewares(app: App): void {
  app.middleware().incoming(new LegacyRedirects(LEGACY_PATHS)).incoming(UseChosenLanguage)
  app.errors(PageErrors).middleware().outgoing(NoStore).outgoing(UnsentTokens)
}
