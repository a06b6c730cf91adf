import { randomUUID } from 'node:crypto'
import type { Kysely, SelectQueryBuilder, Transaction } from 'kysely'
import { Clock, inject } from 'sallyport'
import {
  authenticatorName,
  type CreationRequest,
  distinctName,
  issueChallenge,
  type NewCredential,
  spendChallenge,
  type StoredCredential,
  takeChallenge,
} from 'sallyport-app/webauthn'
import { Database } from '../../core/database/database.ts'
import type { Schema } from '../../core/database/schema.ts'
import { Users } from '../../core/accounts/users.ts'
import type { Account } from '../../core/accounts/account.ts'
import { CredentialVersions } from '../../core/accounts/credential-version.ts'
import { AuditTrail } from '../../core/audit/audit-trail.ts'
import {
  type RecoveryCodeSet,
  replaceRecoveryCodes,
  RecoveryCodes,
} from '../../core/factors/recovery-codes.ts'
import { FactorPolicy } from '../../core/factors/factor-policy.ts'
import { Notices } from '../../core/mail/notices.ts'
import type { PasskeyForm, Registration } from './forms.ts'
import { SiteWebAuthn } from './web-authn.ts'

// What is asked of a new passkey is also checked.
const ASKED: CreationRequest = { verification: 'preferred', residentKey: 'preferred' }

/** The same for one that is the whole sign-in of its account. */
export const WHOLE_SIGN_IN: CreationRequest = { verification: 'required', residentKey: 'required' }

/** How many passkeys an account may have at once: a browser is sent the list of them. */
export const MAX_PASSKEYS = 25

/** A passkey or security key. */
export interface StoredPasskey extends StoredCredential {
  /** Identifier as a second factor. */
  readonly id: string
  /** Name given by its owner. */
  readonly label: string
  /** Whether it signs in without an address. */
  readonly resident: Schema['passkey']['resident']
  /** How often it was used, as it says. */
  readonly counter: number
  /** Unix timestamp of its registration. */
  readonly createdAt: number
  /** Unix timestamp of its last use; null before the first. */
  readonly usedAt: number | null
}

/** A new passkey whose response was right. It is not stored yet. */
export interface CheckedPasskey extends NewCredential {
  /** The challenge that it answered. */
  readonly challenge: string
}

/** What is stored with it. */
interface Storing extends Pick<PasskeyForm, 'label' | 'unnamed' | 'clientAddress' | 'device'> {
  /** The recovery codes that come with it. */
  readonly set: RecoveryCodeSet | undefined
  /** Raises the version of its credentials, if nothing else has. Default: the transaction makes the account. */
  readonly advance?: () => Promise<number | undefined>
}

/** A passkey that counts from now on. */
export interface AddedPasskey {
  /** The new credential version: every other session of the account has ended. */
  readonly credentialVersion: number
  /** The recovery codes that come with it, to be shown once; otherwise undefined. */
  readonly set: RecoveryCodeSet | undefined
}

/**
 * Why no passkey was added; `known`: it is registered already, here or with another account; `count`: the account has `MAX_PASSKEYS`;
 * `outdated`: the credentials of the account have changed meanwhile.
 */
export type PasskeyRefusal = 'expired' | 'refused' | 'known' | 'outdated' | 'count'

/** Passkeys and security keys (WebAuthn) of the accounts. A response is checked by {@link SiteWebAuthn}. */
export class Passkeys {
  readonly #database = inject(Database)
  readonly #webAuthn = inject(SiteWebAuthn)
  readonly #codes = inject(RecoveryCodes)
  readonly #audit = inject(AuditTrail)
  readonly #notices = inject(Notices)
  readonly #clock = inject(Clock)
  readonly #versions = inject(CredentialVersions)
  readonly #duties = inject(FactorPolicy)
  readonly #users = inject(Users)

  /** @returns Its passkeys, the oldest first. */
  async list(accountId: string): Promise<readonly StoredPasskey[]> {
    const rows = await passkeyRows(this.#database)
      .where('factor.account_id', '=', accountId)
      .orderBy('factor.created_at')
      .orderBy('factor.id')
      .execute()
    return rows.map(toPasskey)
  }

  /**
   * @param database The database, or a transaction. Default: no transaction.
   * @returns Whether the account has as many passkeys as it may.
   */
  async isFull(accountId: string, database: Kysely<Schema> = this.#database): Promise<boolean> {
    const { count } = await database
      .selectFrom('factor')
      .select((select) => select.fn.countAll<number>().as('count'))
      .where('account_id', '=', accountId)
      .where('kind', '=', 'passkey')
      .executeTakeFirstOrThrow()
    return count >= MAX_PASSKEYS
  }

  /**
   * Begins the registration of a passkey. The challenge is bound to the session and the account.
   *
   * @returns Options for the browser, as JSON; undefined where passkeys are not offered.
   */
  async creationOptions(
    session: Registration['session'],
    account: Account,
    given?: CreationRequest,
  ): Promise<string | undefined> {
    const asked = given ?? (await this.#askedOf(account.id))
    const binding = { ...bindingOf(account), clock: this.#clock }
    const challenge = await issueChallenge(this.#database, session, binding)
    const known = await this.list(account.id)
    return this.#webAuthn.creationOptions(account, { ...asked, challenge, known })
  }

  /** Checks what a browser sent. The challenge leaves the session, whatever it is like. */
  async check(
    account: Account,
    { session, response }: Registration,
    given?: CreationRequest,
  ): Promise<CheckedPasskey | 'expired' | 'refused'> {
    const asked = given ?? (await this.#askedOf(account.id))
    const challenge = await takeChallenge(session, bindingOf(account), this.#clock)
    if (challenge === undefined) return 'expired'
    const created = await this.#webAuthn.verifyCreation(account.id, response, { ...asked, challenge })
    return created === undefined ? 'refused' : { ...created, challenge }
  }

  // Without a password, each must sign in alone: whichever is removed later, one that does stays.
  async #askedOf(accountId: string): Promise<CreationRequest> {
    return (await this.#users.hasPassword(accountId)) ? ASKED : WHOLE_SIGN_IN
  }

  /**
   * Adds a passkey, which counts from then on. The other sessions of the account end: in one transaction with the record and the mail.
   *
   * @returns What was added; otherwise why nothing was.
   * @throws {ServiceUnavailableException} If too many callers wait for a hash of the recovery codes.
   */
  async add(account: Account, form: PasskeyForm): Promise<AddedPasskey | PasskeyRefusal> {
    const checked = await this.check(account, form)
    if (typeof checked === 'string') return checked
    const set = form.withCodes ? await this.#codes.prepare(account.id, form) : undefined
    return this.#database.transaction().execute(async (transaction) => {
      const advance = () => this.#versions.advance(transaction, account.id, form)
      return this.store(transaction, checked, { ...form, set, advance })
    })
  }

  /**
   * Stores a passkey. What refuses comes first: a refusal uses the challenge up, and changes nothing else. The first statement writes, so
   * that nothing changes between the others.
   */
  async store(
    transaction: Transaction<Schema>,
    checked: CheckedPasskey,
    form: Storing,
  ): Promise<AddedPasskey | PasskeyRefusal> {
    const { accountId } = checked
    const { set, clientAddress, device, advance = async () => 1 } = form
    const now = this.#clock.timestamp()
    if (!(await spendChallenge(transaction, checked.challenge, now))) return 'outdated'
    if (await isKnown(transaction, checked)) return 'known'
    if (await this.isFull(accountId, transaction)) return 'count'
    // As long as it is the same, no other factor has come or gone since.
    const credentialVersion = await advance()
    if (credentialVersion === undefined) return 'outdated'
    const label = form.label ?? (await nameOf(transaction, checked, form.unnamed))
    await insert(transaction, checked, { label, now })
    if (set !== undefined) await replaceRecoveryCodes(transaction, accountId, set)
    await this.#duties.fulfilled(transaction, accountId)
    await this.#audit.record({ kind: 'passkey-added', accountId, clientAddress, device }, transaction)
    await this.#notices.tell({ kind: 'factor-added', accountId, values: { label } }, transaction)
    return { credentialVersion, set }
  }
}

/** A passkey as it is stored. */
type PasskeyRow = Omit<StoredPasskey, 'transports'> & { readonly transports: string }

/** @returns A query of passkeys, each with what it has as a factor. */
export function passkeyRows(
  database: Kysely<Schema>,
): SelectQueryBuilder<Schema, 'passkey' | 'factor', PasskeyRow> {
  return database
    .selectFrom('passkey')
    .innerJoin('factor', 'factor.id', 'passkey.id')
    .select(['factor.id', 'label', 'resident', 'counter', 'transports', 'account_id as accountId'])
    .select(['credential_id as credentialId', 'public_key as publicKey'])
    .select(['created_at as createdAt', 'used_at as usedAt'])
}

/** @returns The passkey. */
export function toPasskey({ transports, ...row }: PasskeyRow): StoredPasskey {
  return { ...row, transports: transports === '' ? [] : transports.split(',') }
}

function bindingOf({ id }: Account): { readonly purpose: 'registration'; readonly to: string } {
  return { purpose: 'registration', to: id }
}

// The browser may not have been told of a passkey of another account.
async function isKnown(transaction: Transaction<Schema>, { credentialId }: NewCredential): Promise<boolean> {
  const known = await passkeyRows(transaction)
    .where('passkey.credential_id', '=', credentialId)
    .executeTakeFirst()
  return known !== undefined
}

async function nameOf(
  transaction: Transaction<Schema>,
  { accountId, aaguid }: NewCredential,
  unnamed: string,
): Promise<string> {
  const rows = await transaction
    .selectFrom('factor')
    .select('label')
    .where('account_id', '=', accountId)
    .execute()
  return distinctName(authenticatorName(aaguid) ?? unnamed, new Set(rows.map(({ label }) => label)))
}

async function insert(
  transaction: Transaction<Schema>,
  created: NewCredential,
  { label, now }: { readonly label: string; readonly now: number },
): Promise<void> {
  const id = randomUUID()
  const factor = { id, account_id: created.accountId, kind: 'passkey', label, state: 'enabled' } as const
  await transaction
    .insertInto('factor')
    .values({ ...factor, created_at: now, enabled_at: now })
    .execute()
  const { credentialId, publicKey, counter, transports, resident } = created
  const ofKey = { id, credential_id: credentialId, public_key: publicKey, counter, resident }
  await transaction
    .insertInto('passkey')
    .values({ ...ofKey, transports: transports.join(',') })
    .execute()
}
