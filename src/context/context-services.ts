import type { RequestLimits } from '../http/internal.ts'
import type { Locales } from '../i18n/index.ts'
import type { InputLimits } from '../input/internal.ts'
import type { Router } from '../routing/index.ts'
import type { SessionServices } from '../session/internal.ts'

/** Limits of what an action may take. */
export interface ActionLimits {
  /** Milliseconds until the answer of an action must be there; `Infinity`: no limit. Default: `Infinity`. */
  readonly handlerMilliseconds: number
}

/** The limits that stand unless the application sets others. */
export const DEFAULT_ACTION_LIMITS: ActionLimits = { handlerMilliseconds: Infinity }

/** What a context needs of its application. */
export interface ContextServices {
  /** The router. */
  readonly router: Router
  /** Store, policy and clock of sessions. */
  readonly sessions: SessionServices
  /** Languages of the application. */
  readonly locales: Locales
  /** Limits of what is read and parsed, and of the time of an action. */
  readonly limits: RequestLimits & InputLimits & ActionLimits
}
