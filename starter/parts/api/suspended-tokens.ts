import { type HttpContext, inject } from 'sallyport'
import type { AccountRights } from '../../core/account-rights.ts'
import type { SlotData, Slots } from '../../core/slots.ts'
import { ApiTokens } from './api-tokens.ts'

/** Tells the owner of an account which tokens have stopped with a change of password or factors, until each is kept or revoked. */
export class SuspendedTokens implements SlotData {
  readonly #tokens = inject(ApiTokens)

  async dataFor(
    _slot: keyof Slots,
    _context: HttpContext,
    owner: AccountRights | undefined,
  ): Promise<{ readonly suspendedTokens: readonly string[] } | undefined> {
    if (owner === undefined) return undefined
    const tokens = await this.#tokens.list(owner.principal.id)
    const suspendedTokens = tokens.filter(({ state }) => state === 'suspended').map(({ name }) => name)
    return suspendedTokens.length === 0 ? undefined : { suspendedTokens }
  }
}
