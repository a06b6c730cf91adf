/** Mails from a queue in the database, in whose transactions they are written; the links in them. SMTP has an entry of its own. @module */
export { ALL_MAILS, type GivenUpMail, GivenUpMails, type QueueStatus } from './given-up-mails.ts'
export { type DueMail, type DueMails, type DueRow, MAX_DUE } from './due-mails.ts'
export { Letter, type LetterValues, type LetterWords, type MailMessage, type MailTime } from './letter.ts'
export { createLinkToken, linkDigest, type LinkToken } from './link-tokens.ts'
export {
  GIVEN_UP_SECONDS,
  LEASE_SECONDS,
  MailQueue,
  type QueuedMail,
  type TakenMail,
  TRIED_SECONDS,
} from './mail-queue.ts'
export { type MailActor, MailDecisions } from './mail-decisions.ts'
export { MailSender } from './mail-sender.ts'
export {
  type DateLocale,
  type LetterOrder,
  type MailOrder,
  type MailSite,
  MailWriter,
  type Recipient,
} from './mail-writer.ts'
export { type MailTable, type MailTables, mailTables } from './mail-table.ts'
export { Mailbox, type KeptMail } from './mailbox.ts'
export { MailedLinks, type LinkRow } from './mailed-links.ts'
export { type Mail, Mailer, MailRefusedError, type MailServer, NoMailer } from './mailer.ts'
export { Outbox, type WordedMail } from './outbox.ts'
export { Reminders, type ReminderTable, type ReminderTables, reminderTables } from './reminders.ts'
export { SendNewMails } from './send-new-mails.ts'
