import { randomUUID } from 'node:crypto'
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server'
import type { Kysely, SelectQueryBuilder } from 'kysely'
import { Clock, inject } from 'sallyport'
import type { Session } from 'sallyport/session'
import { Settings } from '../../settings.ts'
import { Database } from '../../database/database.ts'
import { allOrNothing } from '../../database/all-or-nothing.ts'
import type { FactorTable, Schema } from '../../database/schema.ts'
import type { Account } from '../accounts/account.ts'
import { CredentialVersions, type HeldCredentials } from '../accounts/credential-version.ts'
import { AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import type { Client } from '../clients/client.ts'
import { dropCodesWithoutFactor } from './drop-factors.ts'
import { type NewCredential, PasskeyCeremonies } from './passkey-ceremonies.ts'
import { issuePasskeyChallenge, spendPasskeyChallenge, takePasskeyChallenge } from './passkey-challenges.ts'
import { type RecoveryCodeSet, replaceRecoveryCodes } from './recovery-code-sets.ts'
import { RecoveryCodes } from './recovery-codes.ts'
import { SecondFactors } from './second-factors.ts'
import { FactorPolicy } from '../policy/factor-policy.ts'
import { parseRegistration } from './passkey-response.ts'

/** How many passkeys an account may have at once: a browser is sent the list of them. */
export const MAX_PASSKEYS = 25

/** A passkey or security key as its owner may see it. */
export interface PasskeySummary {
  /** Identifier, for the pages that rename and remove it. */
  readonly id: string
  /** Name given by its owner. */
  readonly label: string
  /** Whether it signs in without an address. */
  readonly resident: Schema['passkey']['resident']
  /** Unix timestamp of its registration. */
  readonly createdAt: number
  /** Unix timestamp of its last use; null before the first. */
  readonly usedAt: number | null
}

/** A passkey with what browsers and checks need. */
export interface StoredPasskey extends PasskeySummary {
  readonly accountId: string
  readonly credentialId: string
  readonly publicKey: string
  readonly counter: number
  readonly transports: readonly string[]
}

/** A form that adds a passkey. */
export interface PasskeyForm extends Client, HeldCredentials {
  /** Session of the request, which has the challenge. */
  readonly session: Session
  /** Name given by its owner. */
  readonly label: string
  /** What the browser sent. */
  readonly response: string
}

/** A passkey that counts from now on. */
export interface AddedPasskey {
  /** The new credential version: every other session of the account has ended. */
  readonly credentialVersion: number
  /** The recovery codes that come with the first factor of an account, to be shown once; otherwise undefined. */
  readonly set: RecoveryCodeSet | undefined
}

/** A passkey of an account, and who asks. */
export interface OwnPasskey extends Client {
  /** Account reference. */
  readonly accountId: string
  /** Identifier of the passkey. */
  readonly id: string
}

/**
 * Why no passkey was added; `count`: the account has `MAX_PASSKEYS`; `outdated`: the credentials of the account have changed meanwhile.
 */
export type PasskeyRefusal = 'expired' | 'refused' | 'known' | 'outdated' | 'count'

/** Passkeys and security keys (WebAuthn) of the accounts. A response is checked by {@link PasskeyCeremonies}. */
export class Passkeys {
  readonly #database = inject(Database)
  readonly #ceremonies = inject(PasskeyCeremonies)
  readonly #secondFactors = inject(SecondFactors)
  readonly #codes = inject(RecoveryCodes)
  readonly #audit = inject(AuditTrail)
  readonly #clock = inject(Clock)
  readonly #versions = inject(CredentialVersions)
  readonly #duties = inject(FactorPolicy)
  readonly #policy = inject(Settings).passkeyPolicy

  /**
   * @param accountId Account reference.
   * @returns Its passkeys, the oldest first.
   */
  async list(accountId: string): Promise<readonly StoredPasskey[]> {
    const rows = await passkeyRows(this.#database)
      .where('factor.account_id', '=', accountId)
      .orderBy('factor.created_at')
      .orderBy('factor.id')
      .execute()
    return rows.map(toPasskey)
  }

  /**
   * @param accountId Account reference.
   * @param id Identifier of a passkey.
   * @returns The passkey; undefined when the account has none of that identifier.
   */
  async find(accountId: string, id: string): Promise<StoredPasskey | undefined> {
    return (await this.list(accountId)).find((passkey) => passkey.id === id)
  }

  /**
   * @param accountId Account reference.
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
   * @param origin Origin of a page.
   * @returns The only origin where passkeys can be used, if it is another one; undefined where they are not offered, too.
   */
  elsewhere(origin: string): string | undefined {
    return this.#ceremonies.elsewhere(origin)
  }

  /**
   * Begins the registration of a passkey. The challenge is bound to the session and the account.
   *
   * @param session Session of the request.
   * @param account The new passkey's owner.
   * @returns Options for the browser; undefined where passkeys are not offered.
   */
  async creationOptions(
    session: Session,
    account: Account,
  ): Promise<PublicKeyCredentialCreationOptionsJSON | undefined> {
    if (!this.#ceremonies.areOffered()) return undefined
    const binding = { purpose: 'registration', to: account.id } as const
    const challenge = await issuePasskeyChallenge(session, binding, this.#clock)
    const known = await this.list(account.id)
    return this.#ceremonies.creationOptions(account, {
      challenge,
      verification: this.#policy.registration,
      known,
    })
  }

  /**
   * Adds a passkey, which counts from then on. The other sessions of the account end: in one transaction with the record.
   *
   * @param account Its owner.
   * @param form The form.
   * @returns What was added; otherwise why nothing was: `known` when it is registered already, here or with another account.
   * @throws {ServiceUnavailableException} If too many callers wait for a hash: the first factor comes with recovery codes.
   */
  async add(account: Account, form: PasskeyForm): Promise<AddedPasskey | PasskeyRefusal> {
    const isOnly = !(await this.#secondFactors.isRequired(account.id))
    return this.#register(account, form, async () =>
      isOnly ? this.#codes.prepare(account.id, form) : undefined,
    )
  }

  /**
   * Adds a passkey that a rule asks for, before its owner is signed in: always with new recovery codes.
   *
   * @param account Its owner.
   * @param form The form.
   * @returns What `add()` returns.
   * @throws {ServiceUnavailableException} If too many callers wait for a hash.
   */
  enroll(account: Account, form: PasskeyForm): Promise<AddedPasskey | PasskeyRefusal> {
    return this.#register(account, form, () => this.#codes.prepare(account.id, form))
  }

  async #register(
    account: Account,
    form: PasskeyForm,
    prepare: () => Promise<RecoveryCodeSet | undefined>,
  ): Promise<AddedPasskey | PasskeyRefusal> {
    const binding = { purpose: 'registration', to: account.id } as const
    const challenge = await takePasskeyChallenge(form.session, binding, this.#clock)
    const posted = parseRegistration(form.response)
    if (challenge === undefined) return 'expired'
    if (posted === undefined) return 'refused'
    const verification = this.#policy.registration
    const created = await this.#ceremonies.verifyCreation(account.id, posted, { challenge, verification })
    if (created === undefined) return 'refused'
    return this.#store(created, { ...form, challenge, set: await prepare() })
  }

  /**
   * @param passkey Which passkey.
   * @param label Its new name.
   * @returns Whether the account has it.
   */
  async rename({ accountId, id, clientAddress, device }: OwnPasskey, label: string): Promise<boolean> {
    const result = await this.#database
      .updateTable('factor')
      .set({ label })
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .where('kind', '=', 'passkey')
      .executeTakeFirst()
    if (result.numUpdatedRows !== 1n) return false
    await this.#audit.record({ kind: AuditEvent.PasskeyRenamed, accountId, clientAddress, device })
    return true
  }

  /**
   * Removes a passkey. It stops counting at once, and the sessions and pending logins of the account end.
   *
   * @param passkey Which passkey.
   * @param held Credentials that the account must still have, so that no other factor has gone since. Default: any.
   * @returns The new credential version; undefined when the account does not have it, or has changed.
   */
  remove(
    { accountId, id, clientAddress, device }: OwnPasskey,
    held?: HeldCredentials,
  ): Promise<number | undefined> {
    return allOrNothing(this.#database, async (transaction) => {
      const raised =
        held === undefined
          ? await this.#versions.raise(transaction, accountId)
          : await this.#versions.advance(transaction, accountId, held)
      if (raised === undefined) return undefined
      const removed = await transaction
        .deleteFrom('factor')
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .where('kind', '=', 'passkey')
        .executeTakeFirst()
      if (removed.numDeletedRows !== 1n) return undefined
      await dropCodesWithoutFactor(transaction, accountId)
      const kind = AuditEvent.PasskeyRemoved
      await this.#audit.record({ kind, accountId, clientAddress, device }, transaction)
      return raised
    })
  }

  // The unique identifier of the credential decides: the browser may not have been told of a passkey of another account.
  #store(
    created: NewCredential,
    form: PasskeyForm & { readonly challenge: string; readonly set: RecoveryCodeSet | undefined },
  ): Promise<AddedPasskey | PasskeyRefusal> {
    const { accountId } = created
    const { set } = form
    const now = this.#clock.timestamp()
    return orRefusal(this.#database, async (transaction) => {
      if (!(await spendPasskeyChallenge(transaction, form.challenge, now))) return 'outdated'
      // As long as it is the same, no other factor has come or gone since.
      const credentialVersion = await this.#versions.advance(transaction, accountId, form)
      if (credentialVersion === undefined) return 'outdated'
      if (await this.isFull(accountId, transaction)) return 'count'
      const id = randomUUID()
      const factor = {
        id,
        account_id: accountId,
        kind: 'passkey',
        label: form.label,
        state: 'enabled',
      } as const
      await transaction
        .insertInto('factor')
        .values({ ...factor, created_at: now, enabled_at: now })
        .execute()
      const inserted = await transaction
        .insertInto('passkey')
        .values(toRow(created, id))
        .onConflict((conflict) => conflict.column('credential_id').doNothing())
        .returning('id')
        .executeTakeFirst()
      if (inserted === undefined) return 'known'
      const entry = {
        kind: AuditEvent.PasskeyAdded,
        accountId,
        clientAddress: form.clientAddress,
        device: form.device,
      }
      await this.#audit.record(entry, transaction)
      if (set !== undefined) await replaceRecoveryCodes(transaction, accountId, set)
      await this.#duties.fulfilled(transaction, accountId)
      return { credentialVersion, set }
    })
  }
}

/**
 * @param database The database, or a transaction.
 * @returns A query of passkeys, each with what it has as a factor.
 */
export function passkeyRows(
  database: Kysely<Schema>,
): SelectQueryBuilder<Schema, 'passkey' | 'factor', PasskeyRow> {
  return database
    .selectFrom('passkey')
    .innerJoin('factor', 'factor.id', 'passkey.id')
    .selectAll('passkey')
    .select(['factor.account_id', 'factor.label', 'factor.created_at', 'factor.used_at'])
}

/** A passkey as it is stored. */
type PasskeyRow = Schema['passkey'] & Pick<FactorTable, 'account_id' | 'label' | 'created_at' | 'used_at'>

/**
 * @param row A row of {@link passkeyRows}.
 * @returns The passkey.
 */
export function toPasskey(row: PasskeyRow): StoredPasskey {
  return {
    id: row.id,
    accountId: row.account_id,
    label: row.label,
    resident: row.resident,
    createdAt: row.created_at,
    usedAt: row.used_at,
    credentialId: row.credential_id,
    publicKey: row.public_key,
    counter: row.counter,
    transports: row.transports === '' ? [] : row.transports.split(','),
  }
}

function toRow(created: NewCredential, id: string): Schema['passkey'] {
  return {
    id,
    credential_id: created.credentialId,
    public_key: created.publicKey,
    counter: created.counter,
    transports: created.transports.join(','),
    resident: created.resident,
  }
}

// A refusal changes nothing, not even what came before it in the transaction.
async function orRefusal(
  database: Kysely<Schema>,
  work: (transaction: Kysely<Schema>) => Promise<AddedPasskey | PasskeyRefusal>,
): Promise<AddedPasskey | PasskeyRefusal> {
  let refusal: PasskeyRefusal = 'refused'
  const added = await allOrNothing(database, async (transaction) => {
    const result = await work(transaction)
    if (typeof result !== 'string') return result
    refusal = result
    return undefined
  })
  return added ?? refusal
}
