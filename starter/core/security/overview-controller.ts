import { inject } from 'sallyport'
import type { Actions } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { Users } from '../accounts/users.ts'
import { RecoveryCodes } from '../factors/recovery-codes.ts'
import { isAuthenticator, SecondFactors, type UsableFactor } from '../factors/second-factors.ts'
import { FactorPolicy } from '../factors/factor-policy.ts'
import { kindNamedBy } from '../messages/factor-names.ts'
import { PageController } from '../pages/page-controller.ts'
import { TIMES } from '../messages/language.ts'
import { lostOffer } from '../sign-in/lost-offer.ts'

/** Everything about signing in to an account: its factors, recovery codes and password. */
export class OverviewController extends PageController {
  static readonly actions: Actions<OverviewController> = { index: [] }

  readonly #factors = inject(SecondFactors)
  readonly #codes = inject(RecoveryCodes)
  readonly #policy = inject(FactorPolicy)
  readonly #users = inject(Users)

  async index(): Promise<View> {
    const holder = this.#policy.holderOf(this.context.auth())
    const { id } = holder.principal
    const held = await this.#factors.held(id)
    const authenticators = held.filter(isAuthenticator)
    return this.page('security/overview', {
      title: 'security.title',
      page: 'security',
      lost: await lostOffer(this.context.session(), id, authenticators),
      advice: adviceFor(held.length),
      factors: authenticators.map((factor) => this.#toLine(factor)),
      hasPassword: await this.#users.hasPassword(id),
      codesLeft: held.length === 0 ? undefined : await this.#codes.left(id),
      ...(await this.slots.dataFor(['factors', 'security'], this.context, holder)),
    })
  }

  #toLine({ id, kind, label, enabledAt = null, usedAt, lockedSeconds }: UsableFactor): object {
    const locale = this.context.locale()
    return {
      id,
      kind: kindNamedBy(label) === undefined ? `security.kind.${kind}` : undefined,
      label: this.shownLabel(label),
      locked: lockedSeconds === 0 ? undefined : TIMES.moment(this.clock.timestamp() + lockedSeconds, locale),
      added: TIMES.moment(enabledAt, locale),
      used: TIMES.moment(usedAt, locale),
    }
  }
}

function adviceFor(count: number): string | undefined {
  if (count === 0) return 'security.advice.none'
  return count === 1 ? 'security.advice.one' : undefined
}
