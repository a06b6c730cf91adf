import type { Container } from '../container/internal.ts'
import type { HttpContext } from '../context/index.ts'
import type { ContextServices } from '../context/internal.ts'
import type { View } from '../view/index.ts'
import type { Commit } from './cookie-commit.ts'
import type { CrossOrigin } from './cross-origin.ts'
import type { ErrorServices } from './error-responder.ts'
import type { Compose } from './late-pipeline.ts'
import type { IncomingEntry, OutgoingEntry } from './middleware-bands.ts'
import type { OutgoingBand } from './outgoing-band.ts'
import type { ResponseWatch } from './response-watch.ts'
import type { SecurityHeaders } from './security-headers.ts'
import type { withinTime } from './time-limit.ts'

/** The parts of a kernel. */
export interface KernelParts {
  /** Shared services. */
  readonly container: Container
  /** What contexts need. */
  readonly context: ContextServices<HttpContext>
  /** Keeps cookies and sessions. */
  readonly commit: Commit
  /** Limits the time of actions; null without a limit. */
  readonly withinTime: typeof withinTime | null
  /** Headers of every response. */
  readonly securityHeaders: SecurityHeaders
  /** What pages of other origins may do; null if no module says so. */
  readonly crossOrigin: CrossOrigin | null
  /** Runs middlewares; null where nothing has one. */
  readonly compose: Compose | null
  /** The bands in running order. */
  readonly bands: { incoming: IncomingEntry[]; routed: IncomingEntry[]; outgoing: OutgoingEntry[] }
  /** Runs the outgoing band; null where it is empty. */
  readonly OutgoingBand: typeof OutgoingBand | null
  /** Renders a view. */
  readonly render: (view: View, context: HttpContext) => Promise<string>
  /** How errors are turned into responses. */
  readonly errors: Omit<ErrorServices, 'take'>
  /** Runs after the response has been made; null when there is nothing to run. */
  readonly terminate: ((context: HttpContext) => void) | null
  /** Reports each response; null when no hook listens. */
  readonly watch: ResponseWatch | null
}
