import { inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import type { Submitted } from 'sallyport/input'
import { type Actions, form, input } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { AuditEvent } from '../audit/audit-trail.ts'
import { CODE_PAGE } from '../factors/factor-kinds.ts'
import { recoveryCode, RecoveryCodes } from '../factors/recovery-codes.ts'
import { isAuthenticator } from '../factors/second-factors.ts'
import { TotpFactors } from '../factors/totp-factors.ts'
import { authenticatorCode } from '../factors/totp-code.ts'
import { Parts } from '../part.ts'
import { TurnedAway } from '../sessions/turned-away.ts'
import { SecondDoor } from './second-door.ts'

/** Whether the page that asks for a code was chosen, not the one of what was used last. */
interface Way {
  readonly with?: 'code' | undefined
}

/** The field of a form that asks for a code. */
interface TypedCode {
  readonly code: string
}

const waySchema: z.ZodType<Way> = z.object({ with: z.literal('code').optional().catch(undefined) })
const codeSchema: z.ZodType<TypedCode> = z.object({ code: authenticatorCode })
const recoverySchema: z.ZodType<TypedCode> = z.object({ code: recoveryCode })
const UNKNOWN: TurnedAway = { ...TurnedAway.noSuchFactor, text: 'sign-in.unknown-factor' }

/** The second door: a code from an authenticator or a recovery code, and the way back. */
export class ChallengeController extends SecondDoor {
  static readonly actions: Actions<ChallengeController> = {
    index: [input(waySchema)],
    indexPost: [form(codeSchema)],
    recovery: [],
    recoveryPost: [form(recoverySchema)],
    cancelPost: [],
  }

  readonly #sessions = inject(SessionAuthentication)
  readonly #factors = inject(TotpFactors)
  readonly #codes = inject(RecoveryCodes)
  readonly #nothingLeft = inject(Parts).lostFactors ?? 'account:login'

  /** The page of the factor that was used last, of those that are not locked: a code is asked for here, other kinds have pages of their own. */
  async index(way: Way): Promise<View | Response> {
    const door = await this.door()
    const held = door.usable.filter(({ is }) => is.isHeld)
    const first = held.find(({ lockedSeconds }) => lockedSeconds === 0) ?? held[0] ?? door.usable[0]
    const isHere = held.some(({ is }) => is.page === CODE_PAGE) && way.with === 'code'
    if (isHere || first?.is.page === CODE_PAGE) return this.pageOf('totp', door)
    return this.redirectToRoute(first?.is.page.route ?? this.#nothingLeft)
  }

  /** Checks a code of any authenticator of the account. */
  async indexPost(form: Submitted<TypedCode>): Promise<View | Response> {
    const door = await this.door()
    // No attempt: what cannot be a code, or be compared with one, is refused before anything is counted.
    if (!form.ok) return this.pageOf('totp', door, { form, status: 422 })
    if (!door.usable.some(isAuthenticator)) return this.turnAway(UNKNOWN, 'account:challenge')
    const { principal } = door.proof.identity
    return this.attempt(door, form, {
      kind: 'totp',
      verify: (challenge) =>
        this.#factors.for(challenge).verifyAndConsume(principal, form.value.code, this.clock),
    })
  }

  async recovery(): Promise<View | Response> {
    return this.pageOf('recovery', await this.door())
  }

  /** Uses a recovery code up. The owner gets a mail at once, and is told how many codes are left. */
  async recoveryPost(form: Submitted<TypedCode>): Promise<View | Response> {
    const door = await this.door()
    if (!form.ok) return this.pageOf('recovery', door, { form, status: 422 })
    const { principal } = door.proof.identity
    return this.attempt(door, form, {
      kind: 'recovery',
      verify: (challenge) => this.#codes.verifyAndConsume(principal, form.value.code, challenge),
      after: async () => {
        const left = await this.#codes.left(principal.id)
        await this.context.flash().add('warning', left === 0 ? 'recovery.used-last' : 'recovery.used')
      },
    })
  }

  /** Cancels the pending login. */
  async cancelPost(): Promise<Response> {
    const { context } = this
    // A user who is signed in has nothing to cancel: this page does not sign out.
    if (context.auth().isAuthenticated()) return this.restart('over')
    const wasPending = await this.logins.end(context, AuditEvent.ChallengeCancelled)
    await this.#sessions.logout(context.session(), context.auth())
    const text = wasPending ? 'sign-in.cancelled' : 'sign-in.none'
    return this.redirectSaying(context.url('account:login'), text)
  }
}
