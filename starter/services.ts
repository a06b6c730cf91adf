import type { Definitions } from 'sallyport'
import { Translator } from 'sallyport/i18n'
import { SessionPolicy } from 'sallyport/session'
import { TrailRules } from 'sallyport-app/audit'
import type { Mailer } from 'sallyport-app/mail'
import { defineGiven, type GivenServices } from 'sallyport-app/program'
import { TRAIL_RULES } from './core/audit/audit-trail.ts'
import type { Schema } from './core/database/schema.ts'
import { createTranslator } from './core/messages/catalogue.ts'
import { type Part, Parts } from './core/part.ts'
import { SESSION_POLICY } from './core/sessions/session-policy.ts'
import { Settings } from './core/settings.ts'

/** What an application is given. Its services ask for it with `inject()`. Without a mailer, nobody can sign up. */
export interface ApplicationParts extends GivenServices<Schema> {
  /** What differs from the default settings. */
  readonly settings?: Partial<Settings>
  /** The parts that it consists of. Default: those of `parts.ts`. */
  readonly parts?: readonly Part[]
  /** Translates messages. Default: with the catalogue of the application. */
  readonly translator?: Translator
  /** Whether compiled templates and the list of assets are kept; false shows changes without a restart. Default: true. */
  readonly cacheTemplates?: boolean
}

/** What is chosen for it. */
interface Chosen {
  readonly parts: Parts
  readonly settings: Settings
  readonly mailer: Mailer
}

/**
 * Registers what services ask for.
 *
 * @throws {TypeError} If there is no key, or one is malformed.
 */
export function defineServices(
  definitions: Definitions,
  given: ApplicationParts,
  { parts, settings, mailer }: Chosen,
): void {
  defineGiven(definitions, { ...given, mailer })
  definitions
    .set(Settings, settings)
    .set(Parts, parts)
    .set(SessionPolicy, SESSION_POLICY)
    .set(TrailRules, TRAIL_RULES)
    .set(Translator, given.translator ?? createTranslator(parts.all))
}
