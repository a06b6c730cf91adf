import { type HttpContext, inject } from 'sallyport'
import type { AccountRights } from '../../core/account-rights.ts'
import type { SlotData, Slots } from '../../core/slots.ts'
import { FactorKinds } from '../../core/factors/known-kinds.ts'
import { FactorPolicy } from '../../core/factors/factor-policy.ts'
import { TIMES } from '../../core/messages/language.ts'

/** Reminds the owner of an account of what it must hold soon. */
export class DutyNotice implements SlotData {
  readonly #policy = inject(FactorPolicy)
  readonly #kinds = inject(FactorKinds)

  /** @returns `duty`, the message; undefined where there is nothing to do. */
  async dataFor(
    _slot: keyof Slots,
    context: HttpContext,
    owner: AccountRights,
  ): Promise<Readonly<Record<string, unknown>> | undefined> {
    const duty = await this.#policy.dutyOf(owner)
    if (duty === undefined) return undefined
    const { kind } = this.#kinds.toSetUp(duty.kinds)
    if (duty.isDue) return { duty: { id: `duty.overdue.${kind}` } }
    const values = { date: TIMES.day(duty.from, context.locale()) }
    return { duty: { id: `duty.reminder.${kind}`, values } }
  }
}
