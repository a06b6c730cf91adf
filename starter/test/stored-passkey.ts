import { randomUUID } from 'node:crypto'
import type { Database } from '../database/database.ts'

/**
 * Gives an account a passkey that no authenticator holds.
 *
 * @param database The database.
 * @param passkey Whose it is, its name, and when it is made.
 */
export async function addPasskey(
  database: Database,
  { accountId, label, now }: { readonly accountId: string; readonly label: string; readonly now: number },
): Promise<void> {
  const id = randomUUID()
  const factor = {
    id,
    account_id: accountId,
    kind: 'passkey',
    label,
    state: 'enabled',
    created_at: now,
  } as const
  await database.insertInto('factor').values(factor).execute()
  const credential = {
    credential_id: id,
    public_key: 'AA',
    counter: 0,
    transports: '',
    resident: 'yes',
  } as const
  await database
    .insertInto('passkey')
    .values({ id, ...credential })
    .execute()
}
