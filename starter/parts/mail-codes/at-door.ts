import { type HttpContext, inject } from 'sallyport'
import type { AtDoor } from '../../core/factors/factor-kinds.ts'
import type { AccountRights } from '../../core/account-rights.ts'
import { MailCodes } from './mail-codes.ts'

/** A code by mail at the second door. */
export class MailCodeAtDoor implements AtDoor {
  readonly #codes = inject(MailCodes)

  /** @returns Whether a code may be sent to it. */
  isOffered(identity: AccountRights): Promise<boolean> {
    return this.#codes.isOfferedTo(identity)
  }

  /** @returns Whether a code was sent for it that can still be typed. */
  async pageData(
    _context: HttpContext,
    _accountId: string,
    challengeId: string,
  ): Promise<Readonly<Record<string, unknown>>> {
    return { isSent: await this.#codes.isSent(challengeId) }
  }
}
