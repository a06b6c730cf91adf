import { type HttpContext, inject } from 'sallyport'
import { Mailer } from 'sallyport-app/mail'
import type { AccountRights } from '../../core/account-rights.ts'
import { Users } from '../../core/accounts/users.ts'
import type { AtDoor } from '../../core/factors/factor-kinds.ts'
import { FactorPolicy } from '../../core/factors/factor-policy.ts'
import { Settings } from '../../core/settings.ts'
import { MailCodes } from './mail-codes.ts'

/** To whom codes by mail are offered. */
export class MailAtDoor implements AtDoor {
  readonly #codes = inject(MailCodes)
  readonly #policy = inject(FactorPolicy)
  readonly #users = inject(Users)
  readonly #isOn = inject(Settings).mailCodes === true && inject(Mailer).sends

  /** @returns Whether a code may be sent to it: a rule binds nobody, and the mailbox has not set the password lately. */
  async isOffered(identity: AccountRights): Promise<boolean> {
    if (!this.#isOn || this.#policy.isBound(identity)) return false
    return !(await this.#users.hasMailPassword(identity.principal.id))
  }

  /** @returns Whether a code was sent for the pending login that can still be typed. */
  async pageData(
    _context: HttpContext,
    _accountId: string,
    challengeId: string,
  ): Promise<{ readonly isSent: boolean }> {
    return { isSent: (await this.#codes.find(challengeId))?.used_at === null }
  }
}
