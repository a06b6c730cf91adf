import { randomUUID } from 'node:crypto'
import { Clock, inject } from 'sallyport'
import { Database } from '../../core/database/database.ts'
import { endExpired, isLive } from '../../core/database/lifetime.ts'
import { type Language, LANGUAGES } from '../../core/messages/language.ts'
import { emailField, emailKey } from '../../core/text/email-address.ts'
import { isOwnerName } from '../../core/text/owner-name.ts'
import { Permission } from './permission.ts'
import { type AuditEntry, AuditEvent, AuditTrail } from '../../core/audit/audit-trail.ts'
import type { Client } from '../../core/clients/client.ts'
import { createLinkToken, linkDigest } from '../../core/mail/link-tokens.ts'
import { type Act, type Acting, Acts } from './acts.ts'
import { grantTo, noteWayIn } from './granters.ts'
import { Permissions } from '../../core/accounts/permissions.ts'
import { assertMayHandOut } from './grants.ts'
import { refusedBy } from './rule.ts'

/** How long a set-up link can be used. */
export const SET_UP_SECONDS: number = 24 * 60 * 60

/** Somebody who gets an account. */
export interface NewOwner {
  /** Address. */
  readonly email: string
  /** Name. */
  readonly name: string
  /** Permissions from the beginning. */
  readonly permissions: readonly string[]
  /** Language of the mails to them. Default: that of the application. */
  readonly language?: Language
}

/** An account without a password, and the only way to give it one. */
export interface AddedAccount {
  /** Account reference. */
  readonly id: string
  /** Token of the set-up link: whoever has it chooses the password, once, within a day. */
  readonly token: string
}

/** An account whose owner is about to choose a password. */
export interface SetUp {
  /** Account reference. */
  readonly id: string
  /** Its address. */
  readonly email: string
  /** Name of its owner. */
  readonly name: string
  /** Language of the mails to its owner. */
  readonly language: string
}

/**
 * Adds accounts for others. Nobody knows, sees or chooses the password of somebody else: an account is added without one, and its
 * owner chooses it behind a link that works once, within a day.
 */
export class NewAccounts {
  readonly #permissions = inject(Permissions)
  readonly #acts = inject(Acts)
  readonly #database = inject(Database)
  readonly #audit = inject(AuditTrail)
  readonly #clock = inject(Clock)

  /**
   * @returns The account and its set-up link.
   * @throws {ValidationException} If a rule refuses it: the address is malformed or taken, or a permission cannot be granted.
   * @throws {ForbiddenException} If the actor may not do this.
   */
  add(act: Act, owner: NewOwner): Promise<AddedAccount> {
    return this.#acts.perform(act, Permission.AccountsPermissions, async (acting) => {
      const { email, name } = checked(owner)
      const permissions = [...new Set(owner.permissions)]
      for (const permission of permissions) assertMayHandOut(acting, permission, this.#permissions.all)
      const id = randomUUID()
      const added = await acting.database
        .insertInto('account')
        .values({
          id,
          email,
          email_key: emailKey(email),
          name,
          password_hash: null,
          state: 'active',
          created_at: acting.now,
          credential_version: 1,
          language: owner.language ?? LANGUAGES[0],
        })
        .onConflict((conflict) => conflict.column('email_key').doNothing())
        .executeTakeFirst()
      if (added.numInsertedOrUpdatedRows !== 1n) throw refusedBy('address_taken', 'email')
      await noteWayIn(acting, id)
      await acting.record(AuditEvent.AccountCreated, id)
      for (const permission of permissions) {
        await grantTo(acting, id, permission)
        await acting.record('permission-granted', id, permission)
      }
      return { id, token: await writeLink(acting, id) }
    })
  }

  /**
   * Makes another link for an account that has no password yet. The earlier one works no more.
   *
   * @returns The account and its set-up link.
   * @throws {ValidationException} If a rule refuses it: its owner has chosen a password.
   * @throws {ForbiddenException} If the actor may not do this.
   * @throws {NotFoundException} If there is no such account.
   */
  renewLink(act: Act, accountId: string): Promise<AddedAccount> {
    return this.#acts.perform(act, Permission.AccountsPermissions, async (acting) => {
      const { id } = await acting.target(accountId)
      const row = await acting.database
        .selectFrom('account')
        .select('id')
        .where('id', '=', id)
        .where('password_hash', 'is', null)
        .executeTakeFirst()
      if (row === undefined) throw refusedBy('already_set_up')
      const token = await writeLink(acting, id)
      await noteWayIn(acting, id)
      await acting.record('set-up-link-made', id)
      return { id, token }
    })
  }

  /**
   * Uses nothing up: programs that check mails open links, too.
   *
   * @returns Whose password can be chosen; undefined when the link is outdated.
   */
  async find(token: string): Promise<SetUp | undefined> {
    await this.#endExpired(token)
    return this.#database
      .selectFrom('set_up_link')
      .innerJoin('account', 'account.id', 'set_up_link.account_id')
      .select(['account.id', 'account.email', 'account.name', 'account.language'])
      .where('digest', '=', linkDigest('set-up', token))
      .where(isLive(this.#clock.timestamp(), SET_UP_SECONDS))
      .where('account.state', '=', 'active')
      .where('account.password_hash', 'is', null)
      .executeTakeFirst()
  }

  #endExpired(token: string): Promise<void> {
    const digest = linkDigest('set-up', token)
    return endExpired(this.#database, 'set_up_link', { digest, now: this.#clock.timestamp() })
  }

  /**
   * Stores the password that the owner chose. Of several requests with one link, one does it.
   *
   * @returns Reference of the account; undefined when the link is outdated.
   */
  async choosePassword(
    token: string,
    chosen: Client & { readonly passwordHash: string },
  ): Promise<string | undefined> {
    const now = this.#clock.timestamp()
    await this.#endExpired(token)
    return this.#database.transaction().execute(async (transaction) => {
      const link = await transaction
        .deleteFrom('set_up_link')
        .where('digest', '=', linkDigest('set-up', token))
        .where(isLive(now, SET_UP_SECONDS))
        .returning('account_id')
        .executeTakeFirst()
      if (link === undefined) return undefined
      const changed = await transaction
        .updateTable('account')
        .set({ password_hash: chosen.passwordHash })
        .where('id', '=', link.account_id)
        .where('state', '=', 'active')
        .where('password_hash', 'is', null)
        .executeTakeFirst()
      if (changed.numUpdatedRows !== 1n) return undefined
      const { clientAddress, device } = chosen
      const entry: AuditEntry = { kind: 'account-set-up', accountId: link.account_id, clientAddress, device }
      await this.#audit.record(entry, transaction)
      return link.account_id
    })
  }
}

function checked(owner: NewOwner): { readonly email: string; readonly name: string } {
  const email = emailField.safeParse(owner.email)
  const name = owner.name.trim()
  if (!email.success) throw refusedBy('invalid_address', 'email')
  if (!isOwnerName(name)) throw refusedBy('invalid_name', 'name')
  return { email: email.data, name }
}

async function writeLink({ database, now }: Acting, accountId: string): Promise<string> {
  const { token, digest } = createLinkToken('set-up')
  const link = { digest, expires_at: now + SET_UP_SECONDS }
  await database
    .insertInto('set_up_link')
    .values({ account_id: accountId, ...link })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(link))
    .execute()
  return token
}
