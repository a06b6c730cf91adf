import { Clock, inject } from 'sallyport'
import type { Client } from 'sallyport-app/clients'
import { emailField, isOwnerName } from 'sallyport-app/text'
import { MailedLinks } from 'sallyport-app/mail'
import { Permissions } from '../../core/accounts/permissions.ts'
import { addAccount } from '../../core/accounts/users.ts'
import { AuditEvent, AuditTrail } from '../../core/audit/audit-trail.ts'
import { Database } from '../../core/database/database.ts'
import { holdsFactor } from '../../core/factors/second-factors.ts'
import type { Language } from '../../core/messages/language.ts'
import { type Act, type Acting, Acts } from './acts.ts'
import { assertMayHandOut, grantTo } from './grants.ts'
import { Permission } from './permission.ts'
import { refusedBy } from './rule.ts'
import type { SetUpLinkTable } from './migration.ts'

/** How long a set-up link can be used. */
export const SET_UP_SECONDS: number = 24 * 60 * 60

/** The links behind which owners choose their first password. */
export const SET_UPS: MailedLinks<SetUpLinkTable> = new MailedLinks('set_up_link', 'set-up', SET_UP_SECONDS)

/** Somebody who gets an account. */
export interface NewOwner {
  readonly email: string
  readonly name: string
  readonly permissions: readonly string[]
  /** Language of the mails to them. Default: that of the application. */
  readonly language?: Language
}

/** An account without a password, and the only way to give it one. */
export interface AddedAccount {
  readonly id: string
  /** Token of the set-up link: whoever has it chooses the password, once, within a day. */
  readonly token: string
}

/** An account whose owner is about to choose a password. */
export interface SetUp {
  readonly id: string
  readonly email: string
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

  /** Adds an account without a password. */
  add(act: Act, owner: NewOwner): Promise<AddedAccount> {
    return this.#acts.perform(act, Permission.AccountsPermissions, async (acting) => {
      const { email, name } = checked(owner)
      const permissions = [...new Set(owner.permissions)]
      for (const permission of permissions) assertMayHandOut(acting, permission, this.#permissions.all)
      const { language } = owner
      const account = { email, name, passwordHash: null, language }
      const id = await addAccount(acting.transaction, account, acting.now)
      if (id === undefined) throw refusedBy('address_taken', 'email')
      await acting.record(AuditEvent.AccountCreated, id)
      for (const permission of permissions) {
        await grantTo(acting, id, permission)
        await acting.record('permission-granted', id, permission)
      }
      return { id, token: await makeLink(acting, id) }
    })
  }

  /** Makes another link for an account that has no password yet. The earlier one works no more. */
  renewLink(act: Act, accountId: string): Promise<AddedAccount> {
    return this.#acts.perform(act, Permission.AccountsPermissions, async (acting) => {
      const { id } = await acting.target(accountId)
      const row = await acting.transaction
        .selectFrom('account')
        .select('id')
        .where('id', '=', id)
        .where('password_hash', 'is', null)
        // With a factor it has none because it needs none, and after a reset its owner has been in it.
        .where((account) => account.not(holdsFactor(account)))
        .where('id', 'not in', acting.transaction.selectFrom('new_factor').select('account_id'))
        .executeTakeFirst()
      if (row === undefined) throw refusedBy('already_set_up')
      const token = await makeLink(acting, id)
      await acting.record('set-up-link-made', id)
      return { id, token }
    })
  }

  /** @returns Whose password can be chosen; undefined when the link is outdated. Nothing is used up by asking. */
  async find(token: string): Promise<SetUp | undefined> {
    const link = await SET_UPS.find(this.#database, token, this.#clock.timestamp())
    if (link === undefined) return undefined
    return this.#database
      .selectFrom('account')
      .select(['id', 'email', 'name', 'language'])
      .where('id', '=', link.account_id)
      .where('state', '=', 'active')
      .where('password_hash', 'is', null)
      .executeTakeFirst()
  }

  /** @returns Reference of the account that has the password now; undefined when the link is outdated. */
  choosePassword(
    token: string,
    { passwordHash, clientAddress, device }: Client & { readonly passwordHash: string },
  ): Promise<string | undefined> {
    return this.#database.transaction().execute(async (transaction) => {
      const link = await SET_UPS.take(transaction, token, this.#clock.timestamp())
      if (link === undefined) return undefined
      const { account_id: accountId } = link
      const changed = await transaction
        .updateTable('account')
        .set({ password_hash: passwordHash })
        .where('id', '=', accountId)
        .where('state', '=', 'active')
        .where('password_hash', 'is', null)
        .executeTakeFirst()
      if (changed.numUpdatedRows !== 1n) return undefined
      const entry = { kind: 'account-set-up' as const, accountId, clientAddress, device }
      await this.#audit.record(entry, transaction)
      return accountId
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

async function makeLink({ transaction, now }: Acting, accountId: string): Promise<string> {
  await transaction.deleteFrom('set_up_link').where('account_id', '=', accountId).execute()
  return SET_UPS.make(transaction, { account_id: accountId }, now)
}
