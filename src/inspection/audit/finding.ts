/** What a check of routes tells apart. */
export type FindingCode =
  | 'does-not-boot'
  | 'does-not-compile'
  | 'duplicate-name'
  | 'ambiguous-routes'
  | 'unreachable-route'
  | 'unreachable-action'
  | 'unreachable-mount'
  | 'url-not-generated'
  | 'shadowed-by-priority'
  | 'shadowed-by-specificity'
  | 'declares-nothing'
  | 'foreign-placeholder'
  | 'missing-locale'
  | 'left-to-resolvers'
  | 'resolver-failed'
  | 'no-url-found'
  | 'broken-template'
  | 'unknown-route-name'
  | 'unknown-message'
  | 'missing-message'

/** One thing that a check of routes found. */
export interface RouteFinding {
  /** A fault must be mended; a note is good to know. */
  readonly severity: 'fault' | 'note'
  /** The condition. */
  readonly code: FindingCode
  /** Name of the module; empty where the application does not boot, and for templates. */
  readonly module: string
  /** One sentence. */
  readonly message: string
  /** A request that shows it, such as `GET /users/me`; null when there is none. */
  readonly example: string | null
  /** What answers the example, when that is the point. */
  readonly winner: string | null
}

/** What a check found, and how much it looked at. */
export interface RouteAudit {
  /** Faults first. */
  readonly findings: readonly RouteFinding[]
  /** How many routes, conventional actions included, were checked. */
  readonly routes: number
  /** How many URLs were generated and matched again. */
  readonly urls: number
}
