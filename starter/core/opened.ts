import type { App } from 'sallyport'
import type { Places } from './boot/place.ts'
import type { KeptMail } from './mail/mailbox.ts'

/** An application with its databases open. */
export interface Opened {
  /** The application, booted: it gives its services. */
  readonly app: App
  /** Mails that nothing sends: those of a development machine without a mail server, in this process. */
  readonly unsent: () => readonly KeptMail[]
  readonly places: Places
  /** Says where the server listens: without an `ORIGIN`, the mails of a development machine have links to there. */
  readonly listensAt: (url: string) => void
  readonly close: () => Promise<void>
}
