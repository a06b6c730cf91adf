import type { Ending } from '../core/internal.ts'
import type { RequestLimits } from '../http/internal.ts'
import type { Locales } from '../i18n/index.ts'
import type { InputLimits } from '../input/internal.ts'
import type { Router } from '../routing/index.ts'
import type { RequestSessions } from './late-sessions.ts'

/** Limits of an action. */
export interface ActionLimits {
  /** Time limit for the response of an action in milliseconds; `Infinity` for none. Default: `Infinity`. */
  readonly handlerMilliseconds: number
}

/** The limits that apply unless the application sets its own. */
export const DEFAULT_ACTION_LIMITS: ActionLimits = { handlerMilliseconds: Infinity }

/** What a context needs from its application. The type of the context is a parameter, because that file imports this one. */
export interface ContextServices<Context = never> {
  /** The router. */
  readonly router: Router
  /** How requests get their sessions; null in production if no store is registered, where each use of them is refused. */
  readonly sessions: RequestSessions | null
  /** Languages of the application. */
  readonly locales: Locales
  /** Limits of what is read and parsed, and the time limit of an action. */
  readonly limits: RequestLimits & InputLimits & ActionLimits
  /** Begins when the application closes and open streams must end. */
  readonly closing: Ending
  /** Names of which templates never see the data. */
  readonly shadowedNames: ReadonlySet<string>
  /** Receives an unexpected error. */
  readonly report: (fault: unknown, context: Context) => void
}
