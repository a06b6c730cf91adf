import type { App } from 'sallyport'
import type { Places } from 'sallyport-app/boot'

/** An application with its databases open. */
export interface Opened {
  /** The application, booted: it gives its services. */
  readonly app: App
  readonly places: Places
  /** Says where the server listens: without an `ORIGIN`, the mails of a development machine have links to there. */
  readonly listensAt: (url: string) => void
  readonly close: () => Promise<void>
}
