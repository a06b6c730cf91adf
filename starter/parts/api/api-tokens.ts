import type { Transaction } from 'kysely'
import { Clock, inject, type Secret } from 'sallyport'
import { MAX_SKEW_SECONDS, orderedId } from 'sallyport-app/database'
import type { Client } from 'sallyport-app/clients'
import { Database } from '../../core/database/database.ts'
import { CredentialVersions, type HeldCredentials } from '../../core/accounts/credential-version.ts'
import type { Schema } from '../../core/database/schema.ts'
import { identityIn } from '../../core/accounts/users.ts'
import { AuditTrail } from '../../core/audit/audit-trail.ts'
import { Notices } from '../../core/mail/notices.ts'
import { Scopes } from './scopes.ts'
import { newToken, tokenDigest, tokenHint } from './token-format.ts'

/** How many tokens an account may have at once. */
export const MAX_TOKENS = 25

/** How long a token may live, in days. There is no token without an end. */
export const TOKEN_DAYS: readonly number[] = [7, 30, 90, 365]

const DAY_SECONDS = 24 * 60 * 60

/** Who acts on the tokens of an account. */
export interface TokenOwner extends Client {
  readonly accountId: string
}

/** A token to make. */
export interface TokenRequest extends HeldCredentials {
  /** Its identifier, which makes one token however often it is asked for. Default: a new one. */
  readonly id?: string
  /** Name given by its owner; not empty. */
  readonly name: string
  /** What it may do: some of `Scopes.grantable()`. */
  readonly scopes: readonly string[]
  /** How long it lives; one of `TOKEN_DAYS`. */
  readonly days: number
}

/**
 * Why a token was not made: its account has too many, or may not do that; `outdated`: it has other credentials than the session, or
 * there is one with this identifier.
 */
export type TokenRefusal = 'count' | 'scope' | 'outdated'

/** A token of the list. */
export interface ListedToken {
  readonly id: string
  readonly name: string
  /** Its first characters. */
  readonly hint: string
  /** What it may do now. */
  readonly scopes: readonly string[]
  /** `suspended`: made before the last change of credentials, and not confirmed since. */
  readonly state: 'active' | 'expired' | 'suspended'
  readonly createdAt: number
  readonly expiresAt: number
  /** Last use, to within a minute; null before the first. */
  readonly usedAt: number | null
}

/** The API tokens of accounts: what their owner does with them. */
export class ApiTokens {
  readonly #database = inject(Database)
  readonly #audit = inject(AuditTrail)
  readonly #notices = inject(Notices)
  readonly #clock = inject(Clock)
  readonly #scopes = inject(Scopes)
  readonly #versions = inject(CredentialVersions)

  /** @returns Identifier of a token that is about to be made, for its form. */
  newIdentifier(): string {
    return orderedId(this.#clock)
  }

  /** Makes a token. It is returned once, and stored as a digest. Returns why there is none where it is refused. */
  create(owner: TokenOwner, request: TokenRequest): Promise<Secret | TokenRefusal> {
    const { id = this.newIdentifier(), name, scopes, days, credentialVersion } = request
    const token = newToken()
    const text = token.reveal()
    const now = this.#clock.timestamp()
    const row = {
      id,
      account_id: owner.accountId,
      name,
      digest: tokenDigest(text),
      hint: tokenHint(text),
      scope: scopes.join(' '),
      credential_version: credentialVersion,
      created_at: now,
      expires_at: now + days * DAY_SECONDS,
      used_at: null,
    }
    return this.#database.transaction().execute(async (transaction) => {
      const refusal = await this.#refusalOf(transaction, owner, request)
      if (refusal !== undefined) return refusal
      await transaction.insertInto('api_token').values(row).execute()
      await this.#audit.record({ kind: 'token-created', ...owner }, transaction)
      const { accountId } = owner
      await this.#notices.tell({ kind: 'token-created', accountId, values: { name } }, transaction)
      return token
    })
  }

  async list(accountId: string): Promise<readonly ListedToken[]> {
    const identity = await identityIn(this.#database, accountId)
    if (identity === null) return []
    const rows = await this.#database
      .selectFrom('api_token')
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .execute()
    const now = this.#clock.timestamp()
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      hint: row.hint,
      scopes: this.#scopes.effective(scopesOf(row.scope), identity.permissions),
      state: stateOf(row, identity, now),
      createdAt: row.created_at,
      expiresAt: row.expires_at,
      usedAt: row.used_at,
    }))
  }

  /**
   * Lets a suspended token count again: its owner has seen it after the change of credentials, and knows it.
   *
   * @returns Whether it was suspended and counts now.
   */
  confirm(owner: TokenOwner, id: string, session: HeldCredentials): Promise<boolean> {
    const { credentialVersion } = session
    return this.#database.transaction().execute(async (transaction) => {
      if (!(await this.#versions.confirm(transaction, owner.accountId, session))) return false
      const result = await transaction
        .updateTable('api_token')
        .set({ credential_version: credentialVersion })
        .where('id', '=', id)
        .where('account_id', '=', owner.accountId)
        .where('credential_version', '<>', credentialVersion)
        .executeTakeFirst()
      if (result.numUpdatedRows !== 1n) return false
      await this.#audit.record({ kind: 'token-confirmed', ...owner }, transaction)
      return true
    })
  }

  /**
   * Revokes a token: the next request with it is refused.
   *
   * @returns Whether the account had it.
   */
  revoke(owner: TokenOwner, id: string): Promise<boolean> {
    return this.#database.transaction().execute(async (transaction) => {
      const result = await transaction
        .deleteFrom('api_token')
        .where('id', '=', id)
        .where('account_id', '=', owner.accountId)
        .executeTakeFirst()
      if (result.numDeletedRows !== 1n) return false
      await this.#audit.record({ kind: 'token-revoked', ...owner }, transaction)
      return true
    })
  }

  async #refusalOf(
    transaction: Transaction<Schema>,
    { accountId }: TokenOwner,
    request: TokenRequest,
  ): Promise<TokenRefusal | undefined> {
    const { id = '', scopes } = request
    if (!(await this.#versions.confirm(transaction, accountId, request))) return 'outdated'
    // The write lock is held: of several requests with one identifier, the first one makes the token.
    const known = await transaction
      .selectFrom('api_token')
      .select('id')
      .where('id', '=', id)
      .executeTakeFirst()
    if (known !== undefined) return 'outdated'
    const identity = await identityIn(transaction, accountId)
    const grantable = this.#scopes.grantable(identity?.permissions ?? [])
    if (identity === null || scopes.some((scope) => !grantable.includes(scope))) return 'scope'
    const { count } = await transaction
      .selectFrom('api_token')
      .select((select) => select.fn.countAll<number>().as('count'))
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow()
    return count < MAX_TOKENS ? undefined : 'count'
  }
}

/** @returns What a token was made for. */
export function scopesOf(scope: string): readonly string[] {
  return scope === '' ? [] : scope.split(' ')
}

/** @returns Whether it counts. One dated in the future has ended, because the clock was set back. */
export function stateOf(
  token: {
    readonly created_at: number
    readonly expires_at: number
    readonly credential_version: number
  },
  account: { readonly credentialVersion: number },
  now: number,
): ListedToken['state'] {
  if (now >= token.expires_at || token.created_at > now + MAX_SKEW_SECONDS) return 'expired'
  return token.credential_version === account.credentialVersion ? 'active' : 'suspended'
}
