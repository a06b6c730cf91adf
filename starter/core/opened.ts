import type { App } from 'sallyport'
import type { DataPaths } from './boot/data-directory.ts'
import type { KeptMail } from './mail/mailbox.ts'

/** An application with its databases open. */
export interface Opened {
  /** The application, booted: it gives its services. */
  readonly app: App
  /** Mails that nothing sends: those of a development machine without a mail server, in this process. */
  readonly unsent: () => readonly KeptMail[]
  readonly paths: DataPaths
  /** What a start does not refuse, although it is probably not meant. */
  readonly warnings: readonly string[]
  /** Says where the server listens: without an `ORIGIN`, the mails of a development machine have links to there. */
  readonly listensAt: (url: string) => void
  readonly close: () => Promise<void>
}
