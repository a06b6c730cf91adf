import { Clock, inject } from 'sallyport'
import { HttpException, UnauthorizedException } from 'sallyport/http'
import type { Client } from 'sallyport-app/clients'
import { Attempts, Limit } from 'sallyport-app/limits'
import { Database } from '../../core/database/database.ts'
import { type AuthenticationIdentity, Users } from '../../core/accounts/users.ts'
import { AuditTrail } from '../../core/audit/audit-trail.ts'
import type { Account } from '../../core/accounts/account.ts'
import { scopesOf, stateOf } from './api-tokens.ts'
import { Scopes } from './scopes.ts'
import { bearerChallenge } from './bearer-challenge.ts'
import { isWellFormedToken, tokenDigest } from './token-format.ts'

// The time of the last use is written at most this often.
const USE_SECONDS = 60

/** Refused API tokens of one client. People at an address with a broken program may still sign in. */
export const TOKEN_CLIENT_LIMIT: Limit = new Limit('token-client', 50)

/** The principal of a request with a token: a program that acts for an account. It is no `Account`, and opens no page. */
export class ApiClient {
  readonly account: Account
  /** The token that the request came with, and when it ends. */
  readonly token: { readonly id: string; readonly name: string; readonly expiresAt: number }
  /** What it may do now. */
  readonly scopes: readonly string[]

  constructor(account: Account, token: ApiClient['token'], scopes: readonly string[]) {
    this.account = account
    this.token = token
    this.scopes = scopes
  }
}

interface Judged {
  /** Undefined: it is refused, and nobody learns why. `suspended`: whoever has the whole token may know. */
  readonly client: ApiClient | 'suspended' | undefined
  /** The account of the token; null for an unknown one. */
  readonly accountId: string | null
}

const UNKNOWN: Judged = { client: undefined, accountId: null }

/** Judges the token of a request: nothing is remembered from one request to the next. */
export class TokenCheck {
  readonly #database = inject(Database)
  readonly #users = inject(Users)
  readonly #attempts = inject(Attempts)
  readonly #audit = inject(AuditTrail)
  readonly #clock = inject(Clock)
  readonly #scopes = inject(Scopes)

  /**
   * Finds out who calls. Account and permissions are loaded anew. A refused token counts against its client, and a valid one never does: behind one address, a program with a revoked token
   * locks out nobody else. The limit bounds what refusals cost. It protects no token, because 256 random bits need no limit.
   *
   * @returns Who calls.
   * @throws {UnauthorizedException} If the token is unknown, expired, or of an account that may not sign in.
   * @throws {HttpException} With 401 and the code `token_suspended`, if its owner must keep it first.
   * @throws {TooManyRequestsException} If it is refused, and so were many others of this client.
   */
  async verify(token: string, from: () => Client): Promise<ApiClient> {
    const { client, accountId } = await this.#judge(token)
    if (client instanceof ApiClient) return client
    await this.#countRefusal(accountId, from())
    const challenge = bearerChallenge({ error: 'invalid_token' })
    throw client === 'suspended' ? suspended(challenge) : new UnauthorizedException(challenge)
  }

  async #judge(token: string): Promise<Judged> {
    if (!isWellFormedToken(token)) return UNKNOWN
    const row = await this.#database
      .selectFrom('api_token')
      .selectAll()
      .where('digest', '=', tokenDigest(token))
      .executeTakeFirst()
    if (row === undefined) return UNKNOWN
    const account = await this.#users.authenticationIdentity(row.account_id)
    const now = this.#clock.timestamp()
    const state = account === null ? 'expired' : stateOf(row, account, now)
    if (account === null || state === 'expired') return { client: undefined, accountId: row.account_id }
    if (state === 'suspended') return { client: 'suspended', accountId: row.account_id }
    const isRecent = row.used_at !== null && row.used_at <= now && row.used_at > now - USE_SECONDS
    if (!isRecent) await this.#keepUse(row.id, now)
    return { client: this.#clientOf(row, account), accountId: row.account_id }
  }

  async #keepUse(id: string, now: number): Promise<void> {
    await this.#database.updateTable('api_token').set({ used_at: now }).where('id', '=', id).execute()
  }

  async #countRefusal(accountId: string | null, from: Client): Promise<void> {
    await this.#attempts.count(TOKEN_CLIENT_LIMIT.ofClient(from.clientAddress))
    await this.#audit.record({ kind: 'token-refused', accountId, ...from })
  }

  #clientOf(
    row: { readonly id: string; readonly name: string; readonly scope: string; readonly expires_at: number },
    { principal, permissions }: AuthenticationIdentity,
  ): ApiClient {
    const token = { id: row.id, name: row.name, expiresAt: row.expires_at }
    return new ApiClient(principal, token, this.#scopes.effective(scopesOf(row.scope), permissions))
  }
}

// Its owner can mend it, so the program must be able to say so.
function suspended(challenge: string): HttpException {
  return new HttpException(
    401,
    'token_suspended',
    'The token is suspended since the credentials of its account changed: its owner must sign in and keep it on the page "API tokens", or create a new one',
    { headers: { 'www-authenticate': challenge, 'cache-control': 'no-store' } },
  )
}
