/** What the accounts' database says of the accounts, without anything random in it. @module */
import { sql } from 'kysely'
import type { Database } from '../../core/database/database.ts'
import { ofParts } from '../facts-of-parts.ts'

// What a request changes all at once or not at all. Tries that are being checked are none of that: they are counted before.
const QUERIES = {
  accounts: 'SELECT email, credential_version, state, leaves_at FROM account ORDER BY email',
  factors: 'SELECT kind, label, state, last_step, used_at FROM factor ORDER BY created_at, label',
  usedSteps: 'SELECT count(*) AS n FROM used_step',
  recoveryCodes: 'SELECT count(*) AS n, count(used_at) AS used FROM recovery_code',
  endedLogins: 'SELECT count(*) AS n FROM challenge WHERE ended_at IS NOT NULL',
  confirmations: 'SELECT count(*) AS n FROM confirmation',
  resets: 'SELECT count(*) AS n FROM password_reset',
  mailPasswords: 'SELECT count(mail_password_at) AS n FROM account',
  knownClients: 'SELECT count(*) AS n FROM known_client',
  events: 'SELECT kind, account_id IS NULL AS unknown FROM event ORDER BY id',
  ...ofParts('ledger'),
  ...Object.fromEntries(
    Object.keys({ ...ofParts('lists'), ...ofParts('kept') }).map((table) => [
      table,
      `SELECT count(*) AS n FROM ${table}`,
    ]),
  ),
}

/** Rows by what they are about. */
export type Ledger = Readonly<Record<string, unknown>>

/** @returns What is in it. */
export async function ledgerOf(database: Database): Promise<Ledger> {
  const ledger: Record<string, unknown> = {}
  for (const [name, query] of Object.entries(QUERIES))
    ledger[name] = (await sql.raw(query).execute(database)).rows
  return ledger
}
