import { createHash } from 'node:crypto'
import { inject } from 'sallyport'
import type { Client } from 'sallyport-app/clients'
import { Account } from '../../core/accounts/account.ts'
import { RecoveryCodes } from '../../core/factors/recovery-codes.ts'
import type { Language } from '../../core/messages/language.ts'
import { CONFIRMATIONS, SignUp } from '../../core/sign-up/sign-up.ts'
import { type AddedPasskey, type PasskeyRefusal, Passkeys, WHOLE_SIGN_IN } from '../passkeys/passkeys.ts'
import type { Registration } from '../passkeys/forms.ts'

/** An account that is asked for, and its passkey. */
export interface NewPasskeyAccount extends Client, Registration {
  readonly name: string
  readonly language: Language
  /** What the passkey is called where the name of its authenticator is not known. */
  readonly unnamed: string
}

/** Accounts that begin with a passkey. */
export class PasskeyAccounts {
  readonly #signUp = inject(SignUp)
  readonly #passkeys = inject(Passkeys)
  readonly #codes = inject(RecoveryCodes)

  /** @returns Who has the account then, which authenticators keep with the passkey; undefined when the link is outdated. */
  async newcomer(token: string): Promise<Account | undefined> {
    const email = await this.#signUp.confirmable(token)
    return email === undefined ? undefined : new Account({ id: accountOf(token), name: email, email })
  }

  /**
   * Creates one. In one transaction: the end of the link, the account, its passkey, its recovery codes and the record of all.
   *
   * @returns Undefined when the link is outdated.
   */
  async create(
    token: string,
    account: Account,
    { session, response, unnamed, ...about }: NewPasskeyAccount,
  ): Promise<AddedPasskey | PasskeyRefusal | undefined> {
    const checked = await this.#passkeys.check(account, { session, response }, WHOLE_SIGN_IN)
    if (typeof checked === 'string') return checked
    const set = await this.#codes.prepare(account.id, about)
    let stored: AddedPasskey | PasskeyRefusal | undefined
    await this.#signUp.confirm(token, {
      ...about,
      id: account.id,
      passwordHash: null,
      also: async (transaction) => {
        stored = await this.#passkeys.store(transaction, checked, { ...about, unnamed, set })
        return typeof stored === 'object'
      },
    })
    return stored
  }
}

/**
 * An authenticator keeps the reference of the account before there is one. It follows from the link, which makes one account at most, and
 * says nothing of the token.
 *
 * @returns A UUID (RFC 9562, version 8).
 */
function accountOf(token: string): string {
  const digest = createHash('sha256')
    .update(`account:${CONFIRMATIONS.digest(token)}`)
    .digest('hex')
  return digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')
}
