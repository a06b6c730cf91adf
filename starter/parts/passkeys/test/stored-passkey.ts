import { randomUUID } from 'node:crypto'
import type { Database } from '../../../core/database/database.ts'
import { SoftwareAuthenticator } from 'sallyport-app/testing/authenticators'

/** Gives an account a passkey behind the application's back: nothing else of it changes. @returns What holds it. */
export async function storePasskey(
  database: Database,
  { accountId, label, now }: { readonly accountId: string; readonly label: string; readonly now: number },
): Promise<SoftwareAuthenticator> {
  const key = new SoftwareAuthenticator()
  key.userHandle = Buffer.from(accountId).toString('base64url')
  const id = randomUUID()
  const factor = { id, account_id: accountId, kind: 'passkey', label, state: 'enabled' } as const
  await database
    .insertInto('factor')
    .values({ ...factor, created_at: now })
    .execute()
  await database
    .insertInto('passkey')
    .values({
      id,
      credential_id: key.id,
      public_key: key.publicKey,
      counter: 0,
      transports: '',
      resident: 'yes',
    })
    .execute()
  return key
}
