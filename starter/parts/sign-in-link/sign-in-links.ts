import type { Kysely } from 'kysely'
import { Clock, inject } from 'sallyport'
import type { Client } from 'sallyport-app/clients'
import { allOrNothing } from 'sallyport-app/database'
import { Attempts, Limit } from 'sallyport-app/limits'
import { MailedLinks } from 'sallyport-app/mail'
import { identityIn, Users } from '../../core/accounts/users.ts'
import { AuditTrail } from '../../core/audit/audit-trail.ts'
import { Database } from '../../core/database/database.ts'
import type { Schema } from '../../core/database/schema.ts'
import type { Recipient, WriteMail } from '../../core/mail/mails.ts'
import type { SigningIn } from '../../core/sign-in-step.ts'
import type { SignInLinkTable } from './migration.ts'

/** How long a link can be used. */
export const SIGN_IN_LINK_SECONDS: number = 15 * 60

const HOUR = 60 * 60

/** Mails with a link to sign in to one address, whether or not it has an account. */
export const SIGN_IN_LINK_LIMIT: Limit = new Limit('sign-in-link', 5, { windowSeconds: HOUR })

/** Mails with a link to sign in that one client asks for. It may still sign in. */
export const SIGN_IN_LINK_CLIENT_LIMIT: Limit = new Limit('sign-in-link-client', 20, { windowSeconds: HOUR })

const LINKS: MailedLinks<SignInLinkTable> = new MailedLinks(
  'sign_in_link',
  'sign-in-link',
  SIGN_IN_LINK_SECONDS,
)

/** A link that was asked for. */
export interface RequestedLink {
  readonly token: string
  /** Who gets it, at the address of the account; `unknown` where the address has none, and undefined where its account gets no mail. */
  readonly to: Recipient | 'unknown' | undefined
}

/** The links that sign in. Each stands for the password of its account, once. */
export class SignInLinks {
  readonly #database = inject(Database)
  readonly #users = inject(Users)
  readonly #attempts = inject(Attempts)
  readonly #audit = inject(AuditTrail)
  readonly #clock = inject(Clock)

  /**
   * Prepares a link. An address without an account that may use one costs the same work: its token is given to nobody.
   *
   * @param write Writes the mail, in the same transaction.
   * @returns The token.
   * @throws {TooManyRequestsException} If too many were asked for, for the address or by the client.
   */
  request(email: string, client: Client, write: WriteMail<RequestedLink>): Promise<string> {
    const limited = [
      SIGN_IN_LINK_LIMIT.ofAddress(email),
      ...SIGN_IN_LINK_CLIENT_LIMIT.ofClient(client.clientAddress),
    ]
    return this.#attempts.spend(limited, async () => {
      const found = await this.#users.findByEmail(email)
      // Without a password there is nothing that the link could stand for.
      const account = found?.isActive === true && found.passwordHash !== null ? found : undefined
      const row = { account_id: account?.id ?? null, credential_version: account?.credentialVersion ?? 0 }
      return this.#database.transaction().execute(async (transaction) => {
        const entry = { kind: 'sign-in-link-requested' as const, accountId: found?.id ?? null, ...client }
        await this.#audit.record(entry, transaction)
        const token = await LINKS.make(transaction, row, this.#clock.timestamp())
        await write({ token, to: found === null ? 'unknown' : account }, transaction)
        return token
      })
    })
  }

  /** @returns What the browser that asked keeps of the link. */
  digest(token: string): string {
    return LINKS.digest(token)
  }

  /** @returns Address of the account that the link signs in to; undefined when it is outdated. Nothing is used up. */
  async addressOf(token: string): Promise<string | undefined> {
    const link = await LINKS.find(this.#database, token, this.#clock.timestamp())
    return link && (await proofOf(this.#database, link))?.identity.principal.email
  }

  /** @returns What stands for the password; undefined when the link is outdated. Of several requests with one link, one gets it. */
  use(token: string, client: Client): Promise<SigningIn | undefined> {
    return allOrNothing(this.#database, async (transaction) => {
      const link = await LINKS.take(transaction, token, this.#clock.timestamp())
      const proof = link && (await proofOf(transaction, link))
      if (proof === undefined) return undefined
      const entry = { kind: 'sign-in-link-used' as const, accountId: proof.identifier, ...client }
      await this.#audit.record(entry, transaction)
      return proof
    })
  }
}

// The version decides: it was raised by whatever changed credentials or address since the link was asked for.
async function proofOf(
  database: Kysely<Schema>,
  { account_id: id, credential_version: version }: SignInLinkTable,
): Promise<SigningIn | undefined> {
  const identity = id === null ? null : await identityIn(database, id)
  if (id === null || identity?.credentialVersion !== version) return undefined
  return { identifier: id, identity, isByMail: true }
}
