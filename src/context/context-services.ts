import type { RequestLimits } from '../http/index.ts'
import type { Locales } from '../i18n/index.ts'
import type { InputLimits } from '../input/index.ts'
import type { Router } from '../routing/index.ts'
import type { SessionServices } from '../session/index.ts'

/** What a context needs of its application. */
export interface ContextServices {
  /** The router. */
  readonly router: Router
  /** Store, policy and clock of sessions. */
  readonly sessions: SessionServices
  /** Languages of the application. */
  readonly locales: Locales
  /** Limits of what is read and parsed. */
  readonly limits: RequestLimits & InputLimits
}
