import type { Kysely } from 'kysely'
import type { Clock, Definitions } from 'sallyport'
import type { Translator } from 'sallyport/i18n'
import type { Schema } from './database/schema.ts'
import { Mailbox } from './identity/mail/mailbox.ts'
import type { Mailer } from './identity/mail/mailer.ts'
import { Mails } from './identity/mail/mails.ts'
import { Notices } from './identity/mail/notices.ts'

/** What sends mails. */
export interface MailServices {
  /** Mails to addresses. */
  readonly mails: Mails
  /** Mails to the owners of accounts. */
  readonly notices: Notices
  /** Registers the services. */
  define(definitions: Definitions): void
}

/**
 * @param parts `database` of the accounts, the `clock`, the texts in `translator`, the `mailer` that delivers, if there is one,
 *   and the `origin` and the `basePath` that links in mails begin with.
 * @returns The services that send mails.
 */
export function createMailServices(parts: {
  readonly database: Kysely<Schema>
  readonly clock: Clock
  readonly translator: Translator
  readonly mailer: Mailer | undefined
  readonly origin: (() => string | undefined) | undefined
  readonly basePath: string
}): MailServices {
  const { database, clock, translator, mailer, origin = () => undefined, basePath } = parts
  const mails = new Mails(mailer, translator, { origin, basePath })
  const notices = new Notices({ database, mails, translator, clock, origin })
  return {
    mails,
    notices,
    define: (definitions) => {
      definitions.set(Mails, mails).set(Notices, notices)
      if (mailer instanceof Mailbox) definitions.set(Mailbox, mailer)
    },
  }
}
