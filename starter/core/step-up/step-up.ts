import { Clock, type HttpContext, inject } from 'sallyport'
import { readProofs } from 'sallyport-app/sessions'
import { isRecent, type StepUpRule as AnyStepUpRule } from 'sallyport-app/step-up'
import { Account } from '../accounts/account.ts'
import { Users } from '../accounts/users.ts'
import type { FactorKind, HeldKind } from '../factors/factor-kinds.ts'
import { FactorLocks, type FactorsHere } from '../factors/factor-locks.ts'
import { FactorPolicy } from '../factors/factor-policy.ts'
import { SecondFactors } from '../factors/second-factors.ts'
import type { Proofs } from '../sign-in-step.ts'

/** What a protected action asks for. */
export interface StepUpRule extends AnyStepUpRule<HeldKind> {
  /**
   * Whether a recovery code stands in for a factor that is lost: whoever lost it puts a new one in its place, sees to the password and ends
   * what somebody else may have open. What takes a factor away, lets programs in or concerns other accounts waits for the new factor, so
   * that no recovery ends in an account that asks for the password only. Default: it does not.
   */
  readonly mendsLoss?: boolean
  /** What the menus call the page it is reached from. Default: the name of the module of its route, in lower case. */
  readonly page?: string
}

/** What must be proven before a protected action, and how that can be done in this browser. */
export interface MissingProofs extends FactorsHere {
  readonly hasPassword: boolean
  /** Whether the password must be typed. */
  readonly password: boolean
  /** Whether a second factor must be proven. */
  readonly factor: boolean
  /** Whether the account holds none of the kinds that count, so that its owner must set one up first. */
  readonly holdsNone: boolean
  /** The kinds that count. */
  readonly accepted: ReadonlySet<FactorKind>
}

/**
 * Recent full authentication: the password and, where the account has one, a second factor, both proven in this session lately, with the
 * present credentials of the account. What stands in for a factor at the second door confirms nothing. An account without a password
 * confirms with what is both factors, and with nothing else.
 */
export class StepUp {
  readonly #factors = inject(SecondFactors)
  readonly #users = inject(Users)
  readonly #locks = inject(FactorLocks)
  readonly #policy = inject(FactorPolicy)
  readonly #clock = inject(Clock)

  /** @returns What must be proven again. */
  async missing(context: HttpContext, rule?: StepUpRule): Promise<MissingProofs> {
    const session = context.session()
    const { id } = context.auth().principalAs(Account)
    const proofs: Proofs = await readProofs(session, id)
    const now = this.#clock.timestamp()
    const hasPassword = await this.#users.hasPassword(id)
    const password = hasPassword && !isRecent(proofs.password, now, rule)
    const accepted = await this.#accepted(context, rule)
    const known = { hasPassword, password, accepted }
    const { kind } = proofs
    if (kind !== undefined && isRecent(proofs.factor, now, rule) && accepted.has(kind))
      return { ...known, factor: false, holdsNone: false, usable: [], unlock: undefined }
    const counted = (await this.#factors.usable(id)).filter((each) => accepted.has(each.kind))
    const here = await this.#locks.here(session, id, counted)
    const holdsNone = rule?.kinds !== undefined && counted.length === 0
    const factor = holdsNone || !hasPassword || (await this.#factors.isRequired(id))
    return { ...known, ...here, factor, holdsNone }
  }

  // Without a rule, as on a page that waits for no action, all count.
  async #accepted(
    context: HttpContext,
    { kinds, mendsLoss = false }: Partial<StepUpRule> = { mendsLoss: true },
  ): Promise<ReadonlySet<FactorKind>> {
    const accepted = await this.#policy.confirmingKinds(this.#policy.holderOf(context.auth()))
    const factors = [...accepted].filter((kind) => kind !== 'recovery')
    const counted = factors.filter((kind) => kinds?.some((each) => each === kind) !== false)
    const codes = mendsLoss && accepted.has('recovery') ? (['recovery'] as const) : []
    // What is demanded of the account is the stronger one, where it leaves none of the kinds of the rule.
    return new Set([...(counted.length > 0 ? counted : factors), ...codes])
  }
}
