import type { Kysely } from 'kysely'
import { Clock, type HttpContext, inject } from 'sallyport'
import { orderedId } from '../../database/ordered-id.ts'
import type { Schema } from '../../database/schema.ts'
import type { PasswordProof } from '../accounts/password-check.ts'
import type { AuthenticationIdentity } from '../accounts/users.ts'
import { type ClientMessage, deviceMessage } from '../clients/client-messages.ts'
import { clientOf } from '../clients/client.ts'
import { parseDevice } from '../clients/device.ts'
import { SecondFactors } from '../factors/second-factors.ts'
import { Notices } from '../mail/notices.ts'
import { FactorPolicy } from '../policy/factor-policy.ts'
import { LoginCompletion } from '../sessions/login-completion.ts'
import { OpenSessions } from '../sessions/open-sessions.ts'
import {
  createDeviceToken,
  type DeviceToken,
  forgetDeviceCookie,
  keepDeviceCookie,
  readDeviceCookie,
} from './device-cookie.ts'
import type { DeviceOwner } from './device-owner.ts'
import type { TrustEnd } from './trust-ends.ts'
import { TrustedDevices } from './trusted-devices.ts'
import { UnsentTokens } from './unsent-tokens.ts'
import { keepReplayTold } from './untold-replays.ts'

const DAY_SECONDS = 24 * 60 * 60

/** What a completed second door does about the browser. */
export interface BrowserTrust {
  /** Records it, in the transaction that uses up the second proof. */
  readonly record: (database: Kysely<Schema>) => Promise<void>
  /** Lets the browser know, after the login, and removes the sessions that are void. The owner is told of a new trust when the response is on its way. */
  readonly keep: () => Promise<void>
}

const NOTHING: BrowserTrust = { record: () => Promise.resolve(), keep: () => Promise.resolve() }

/**
 * Trusted browsers at the doors. One stands in for the second step after a right password, and proves nothing itself: what asks
 * for a factor asks on. An account that a rule about factors binds always passes the second door.
 */
export class TrustedBrowsers {
  readonly #devices = inject(TrustedDevices)
  readonly #unsent = inject(UnsentTokens)
  readonly #factors = inject(SecondFactors)
  readonly #policy = inject(FactorPolicy)
  readonly #completion = inject(LoginCompletion)
  readonly #notices = inject(Notices)
  readonly #open = inject(OpenSessions)
  readonly #clock = inject(Clock)

  /**
   * @param context Context of the request.
   * @param proof The account, which has a second factor.
   * @returns Whether its browser says that it is trusted; {@link enter} finds out.
   */
  mayKnow(context: HttpContext, { identity }: PasswordProof): boolean {
    return this.daysFor(identity) !== undefined && readDeviceCookie(context) !== undefined
  }

  /**
   * Completes a login with the password, if its browser is trusted.
   *
   * @param context Context of the request.
   * @param proof The account, which has a second factor.
   * @returns Path of the page to go to; undefined when the second door stands.
   * @throws {ServiceUnavailableException} If the accounts cannot be reached or the session store fails.
   */
  async enter(context: HttpContext, proof: PasswordProof): Promise<string | undefined> {
    const from = readDeviceCookie(context)
    if (from === undefined || this.daysFor(proof.identity) === undefined) return undefined
    const owner = ownerOf(context, proof)
    const judgement = await this.#devices.judge(owner, from)
    if (judgement.kind === 'replayed' || judgement.kind === 'ended') await this.#warn(context, owner)
    if (judgement.kind === 'replayed') await this.#endSessions(owner, { id: from.id, end: 'replayed' })
    if (judgement.kind !== 'trusted' || (await this.#isLocked(owner.accountId))) return undefined
    const to = createDeviceToken(from.id)
    const proven = { password: this.#clock.timestamp(), standIn: 'device', trustId: from.id } as const
    const target = await this.#completion.completeOnce(context, { ...proof, proven }, async (database) => {
      if (!(await this.#devices.rotate(database, owner, { from, to }))) return false
      const { before } = judgement
      this.#unsent.watch(context, { to, unsent: () => this.#devices.takeBack({ from, to, before }) })
      return true
    })
    if (target !== undefined) keepDeviceCookie(context, to, judgement.endsAt - this.#clock.timestamp())
    return target
  }

  /**
   * @param identity Account that signs in.
   * @returns For how many days its browser can be trusted; undefined when that is not offered.
   */
  daysFor(identity: AuthenticationIdentity): number | undefined {
    return this.#policy.isBound(identity) ? undefined : this.#devices.days
  }

  /**
   * @param context Context of the request that proves the second step.
   * @param proof The account.
   * @param isWanted Whether the browser is to be trusted.
   * @returns What happens with the login.
   */
  prepare(context: HttpContext, proof: PasswordProof, isWanted: boolean): BrowserTrust {
    const days = this.daysFor(proof.identity)
    if (days === undefined) return NOTHING
    const owner = ownerOf(context, proof)
    const from = readDeviceCookie(context)
    const settled = from === undefined ? NOTHING : this.#settling(context, owner, from)
    return isWanted ? this.#trusting(context, owner, { days, from, settled }) : settled
  }

  #settling(context: HttpContext, owner: DeviceOwner, from: DeviceToken): BrowserTrust {
    let end: TrustEnd | undefined
    return {
      record: async (database) => {
        end = await this.#devices.settle(database, owner, from)
      },
      keep: async () => {
        if (end === undefined) return
        // The account page tells it.
        if (end === 'replayed') forgetDeviceCookie(context)
        await this.#endSessions(owner, { id: from.id, end })
      },
    }
  }

  #trusting(
    context: HttpContext,
    owner: DeviceOwner,
    {
      days,
      from,
      settled,
    }: { readonly days: number; readonly from: DeviceToken | undefined; readonly settled: BrowserTrust },
  ): BrowserTrust {
    const to = createDeviceToken(orderedId(this.#clock))
    return {
      record: async (database) => {
        await settled.record(database)
        await this.#devices.trust(database, owner, { from, to })
        this.#unsent.watch(context, {
          to,
          sent: () => this.#tellTrusted(owner, days),
          unsent: () => this.#devices.forget(owner, to),
        })
      },
      keep: async () => {
        await settled.keep()
        keepDeviceCookie(context, to, days * DAY_SECONDS)
      },
    }
  }

  // Whoever of the two comes later is told on the page, too, and once: the cookie goes.
  async #warn(context: HttpContext, { accountId }: DeviceOwner): Promise<void> {
    forgetDeviceCookie(context)
    await context.flash().add('warning', 'devices.replayed')
    await keepReplayTold(context.session(), accountId)
  }

  // They are void already.
  async #endSessions(
    owner: DeviceOwner,
    { id, end }: { readonly id: string; readonly end: TrustEnd },
  ): Promise<void> {
    await this.#open.removeTrusted(owner.accountId, id)
    if (end === 'replayed') await this.#tellReplayed(owner)
  }

  // While somebody guesses codes, the password alone is not enough in any browser.
  async #isLocked(accountId: string): Promise<boolean> {
    const usable = await this.#factors.usable(accountId)
    return usable.some(({ lockedSeconds }) => lockedSeconds > 0)
  }

  #tellTrusted({ accountId, device }: DeviceOwner, days: number): Promise<void> {
    const until = { at: this.#clock.timestamp() + days * DAY_SECONDS }
    return this.#notices.tell(accountId, 'device-trusted', { device: messageOf(device), until })
  }

  // A browser that is trusted now may be called like the one that was copied, and has a key of its own.
  async #tellReplayed({ accountId, device }: DeviceOwner): Promise<void> {
    const { browser, system } = parseDevice(device)
    const trusted = await this.#devices.list(accountId)
    const alike = trusted.filter((each) => each.device.browser === browser && each.device.system === system)
    const values = { device: messageOf(device), alike: alike.length }
    await this.#notices.tell(accountId, 'device-replayed', values)
  }
}

function messageOf(device: string): ClientMessage {
  return deviceMessage(parseDevice(device))
}

function ownerOf(context: HttpContext, { identifier, identity }: PasswordProof): DeviceOwner {
  const { credentialVersion } = identity
  return { accountId: identifier, credentialVersion, ...clientOf(context) }
}
