import { Clock, type HttpContext, inject } from 'sallyport'
import { orderedId } from 'sallyport-app/database'
import { clientOf, parseDevice } from 'sallyport-app/clients'
import { TurnedAwayException } from 'sallyport-app/pages'
import type { AccountRights } from '../../core/account-rights.ts'
import type { Completion, SigningIn, SignInStep, StandIn } from '../../core/sign-in-step.ts'
import type { SlotData, Slots } from '../../core/slots.ts'
import { deviceMessage } from '../../core/clients/client-messages.ts'
import { SecondFactors } from '../../core/factors/second-factors.ts'
import { FactorPolicy } from '../../core/factors/factor-policy.ts'
import type { TurnedAway } from '../../core/sessions/turned-away.ts'
import { TIMES } from '../../core/messages/language.ts'
import { createToken, forgetToken, idOf, keepToken, readToken } from './browser-token.ts'
import type { TrustedBrowserTable } from './tables.ts'
import { type ProvenOwner, TrustedBrowsers } from './trusted-browsers.ts'

const COPIED: TurnedAway = {
  status: 409,
  code: 'ERR_APP_BROWSER_COPIED',
  detail: 'The token of this browser was used before: all sessions have ended, begin with the password',
  text: 'devices.replayed',
}
// As a page sends it, and as programs do.
const TICKED: readonly unknown[] = ['1', true]

/**
 * Trusted browsers at sign-in. One stands in for the second step after a right password, and proves nothing itself: what asks
 * for a factor asks on. An account that a rule about factors binds always passes the second door.
 */
export class TrustedSignIn implements SignInStep, SlotData {
  readonly #browsers = inject(TrustedBrowsers)
  readonly #factors = inject(SecondFactors)
  readonly #policy = inject(FactorPolicy)
  readonly #clock = inject(Clock)

  /** @returns The trusted browser that the request says to come from. */
  async standIn(context: HttpContext, proof: SigningIn): Promise<StandIn | undefined> {
    const from = readToken(context)
    if (from === undefined || this.#daysFor(proof.identity) === undefined) return undefined
    // While somebody guesses codes, the password alone is not enough in any browser.
    const usable = await this.#factors.usable(proof.identifier)
    if (usable.some(({ lockedSeconds }) => lockedSeconds > 0)) return undefined
    const owner = ownerOf(context, proof)
    const to = createToken(idOf(from))
    let use: number | 'copied' | 'unknown' = 'unknown'
    return {
      kind: 'device',
      useUp: async (transaction) => {
        use = await this.#browsers.use(transaction, owner, { from, to })
        return typeof use === 'number'
      },
      after: async () => {
        if (typeof use === 'number') keepToken(context, to, use - this.#clock.timestamp())
        if (use !== 'copied') return
        forgetToken(context)
        throw new TurnedAwayException(COPIED, context.url('account:login'))
      },
    }
  }

  /** @returns What makes the browser trusted; undefined when the box is not ticked. */
  complete(context: HttpContext, proof: SigningIn): Completion | undefined {
    const isTicked = TICKED.includes(proof.form?.typed['trust'])
    if (!isTicked || this.#daysFor(proof.identity) === undefined) return undefined
    const owner = ownerOf(context, proof)
    const tokens = { from: readToken(context), to: createToken(orderedId(this.#clock)) }
    const { seconds } = this.#browsers
    return {
      record: (transaction) => this.#browsers.trust(transaction, owner, tokens),
      after: async () => keepToken(context, tokens.to, seconds),
    }
  }

  /**
   * Neither the box nor the list is there where no browser is ever trusted.
   *
   * @returns `trustDays` for the box; `trusted`, the lines of the list.
   */
  async dataFor(
    slot: keyof Slots,
    context: HttpContext,
    owner: AccountRights | undefined,
  ): Promise<Readonly<Record<string, unknown>> | undefined> {
    if (owner === undefined) return undefined
    const trustDays = this.#daysFor(owner)
    if (trustDays === undefined) return undefined
    if (slot === 'secondDoor') return { trustDays }
    const { id } = owner.principal
    if (!(await this.#factors.isRequired(id))) return undefined
    return { trusted: (await this.#browsers.list(id)).map((row) => toLine(row, context)) }
  }

  #daysFor(owner: AccountRights): number | undefined {
    return this.#policy.isBound(owner) ? undefined : this.#browsers.days
  }
}

function ownerOf(context: HttpContext, { identifier, identity }: SigningIn): ProvenOwner {
  const { credentialVersion } = identity
  return { accountId: identifier, credentialVersion, ...clientOf(context) }
}

function toLine(row: TrustedBrowserTable, context: HttpContext): Readonly<Record<string, unknown>> {
  const locale = context.locale()
  return {
    id: row.id,
    device: deviceMessage(parseDevice(row.device)),
    isCurrent: row.id === idOf(readToken(context) ?? ''),
    trusted: TIMES.moment(row.trusted_at, locale),
    used: TIMES.moment(row.used_at, locale),
    ends: TIMES.moment(row.expires_at, locale),
  }
}
