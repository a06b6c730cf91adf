import type { Kysely } from 'kysely'
import { Clock, type HttpContext, inject } from 'sallyport'
import type { AccountRights } from '../../core/account-rights.ts'
import { identityIn } from '../../core/accounts/users.ts'
import { Database } from '../../core/database/database.ts'
import type { Schema } from '../../core/database/schema.ts'
import type { SlotData, Slots } from '../../core/slots.ts'
import { stateOf } from './api-tokens.ts'

/** Tells the owner of an account which tokens have stopped with a change of password or factors, until each is kept or revoked. */
export class SuspendedTokens implements SlotData {
  readonly #database = inject(Database)
  readonly #clock = inject(Clock)

  async dataFor(
    _slot: keyof Slots,
    _context: HttpContext,
    owner: AccountRights | undefined,
  ): Promise<{ readonly suspendedTokens: readonly string[] } | undefined> {
    if (owner === undefined) return undefined
    const suspendedTokens = await suspendedOf(this.#database, owner.principal.id, this.#clock.timestamp())
    return suspendedTokens.length === 0 ? undefined : { suspendedTokens }
  }
}

/** @returns The names of its tokens that have stopped with a change of the credentials. */
export async function suspendedOf(
  database: Kysely<Schema>,
  accountId: string,
  now: number,
): Promise<readonly string[]> {
  const rows = await database
    .selectFrom('api_token')
    .select(['name', 'created_at', 'expires_at', 'credential_version'])
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  const account = rows.length === 0 ? null : await identityIn(database, accountId)
  if (account === null) return []
  return rows.filter((row) => stateOf(row, account, now) === 'suspended').map(({ name }) => name)
}
