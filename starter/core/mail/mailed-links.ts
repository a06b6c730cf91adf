import { MailedLinks as Links, type LinkRow } from 'sallyport-app/mail'
import type { Schema } from '../database/schema.ts'
import type { LinkPurpose } from './link-tokens.ts'

/** Links of mails that open something, and are gone once they are used. Each kind has a table with a row for each link. */
export const MailedLinks: new <Row extends LinkRow>(
  table: keyof Schema,
  purpose: LinkPurpose,
  lifetimeSeconds: number,
) => Links<Row> = Links

export type MailedLinks<Row extends LinkRow> = Links<Row>
