import { Clock, inject } from 'sallyport'
import type { Actions } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { PageSlots } from '../page-slots.ts'
import { Account } from '../accounts/account.ts'
import { Users } from '../accounts/users.ts'
import { RecoveryCodes } from '../factors/recovery-codes.ts'
import { SecondFactors, type UsableFactor } from '../factors/second-factors.ts'
import { type FactorSummary, TotpFactors } from '../factors/totp-factors.ts'
import { FactorPolicy } from '../factors/factor-policy.ts'
import { kindNamedBy } from '../messages/factor-names.ts'
import { PageController } from '../pages/page-controller.ts'
import { toMoment } from '../pages/presentation.ts'
import { lostOffer } from '../sign-in/lost-offer.ts'

/** Everything about signing in to an account: its factors, recovery codes and password. */
export class OverviewController extends PageController {
  static readonly actions: Actions<OverviewController> = { index: [] }

  readonly #factors = inject(TotpFactors)
  readonly #secondFactors = inject(SecondFactors)
  readonly #codes = inject(RecoveryCodes)
  readonly #slots = inject(PageSlots)
  readonly #policy = inject(FactorPolicy)
  readonly #users = inject(Users)
  readonly #clock = inject(Clock)

  async index(): Promise<View> {
    const { id } = this.context.auth().principalAs(Account)
    const usable = (await this.#secondFactors.usable(id)).filter(({ is }) => is.isHeld)
    const factors = await this.#factors.list(id)
    const holder = this.#policy.holderOf(this.context.auth())
    const { slots, ...above } = await this.#slots.fill('factors', this.context, holder)
    const below = await this.#slots.fill('security', this.context, holder)
    return this.page('security/overview', {
      title: 'security.title',
      page: 'security',
      lost: await lostOffer(this.context.session(), id, factors),
      advice: adviceFor(usable.length),
      factors: factors.map((factor) => this.#toLine(factor, usable)),
      hasPassword: await this.#users.hasPassword(id),
      codesLeft: usable.length === 0 ? undefined : await this.#codes.left(id),
      unconfirmed: await this.#codes.unconfirmed(id),
      ...above,
      ...below,
      slots: { ...below.slots, factors: slots.factors },
    })
  }

  #toLine(
    { id, kind, label, enabledAt, usedAt }: FactorSummary,
    usable: readonly UsableFactor[],
  ): Readonly<Record<string, unknown>> {
    const locale = this.context.locale()
    const wait = usable.find((factor) => factor.id === id)?.lockedSeconds ?? 0
    return {
      id,
      kind: kindNamedBy(label) === undefined ? `security.kind.${kind}` : undefined,
      label: this.shownLabel(label),
      locked: wait === 0 ? undefined : toMoment(this.#clock.timestamp() + wait, locale),
      added: toMoment(enabledAt, locale),
      used: toMoment(usedAt, locale),
    }
  }
}

function adviceFor(count: number): string | undefined {
  if (count === 0) return 'security.advice.none'
  return count === 1 ? 'security.advice.one' : undefined
}
