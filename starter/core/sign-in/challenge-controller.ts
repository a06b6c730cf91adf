import { inject } from 'sallyport'
import type { Submitted } from 'sallyport/input'
import { type Actions, form } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { AuditEvent } from '../audit/audit-trail.ts'
import { chooseFactor, discardPendingLogin } from '../challenges/pending-login.ts'
import { RecoveryCodes } from '../factors/recovery-codes.ts'
import { isAuthenticator } from '../factors/second-factors.ts'
import { TotpFactors } from '../factors/totp-factors.ts'
import { authenticatorCode, recoveryCode } from '../pages/code-fields.ts'
import { Parts } from '../part.ts'
import { TurnedAway } from '../sessions/turned-away.ts'
import { openFactor, type TypedCode } from './door.ts'
import { SecondDoor } from './second-door.ts'

/** The code, and which factor the page named. */
interface DoorCode extends TypedCode {
  readonly factor?: string | undefined
}

/** The form of another factor. */
interface Choice {
  readonly factor: string
}

const MAX_FACTOR_CHARACTERS = 100
const codeSchema: z.ZodType<DoorCode> = z.object({
  code: authenticatorCode,
  factor: z.string().min(1).optional().catch(undefined),
})
const recoverySchema: z.ZodType<TypedCode> = z.object({ code: recoveryCode })
const choiceSchema: z.ZodType<Choice> = z.object({ factor: z.string().max(MAX_FACTOR_CHARACTERS) })
const UNKNOWN: TurnedAway = { ...TurnedAway.noSuchFactor, text: 'sign-in.unknown-factor' }

/** The second door: a code from an authenticator or a recovery code, the choice of another factor, and the way back. */
export class ChallengeController extends SecondDoor {
  static readonly actions: Actions<ChallengeController> = {
    index: [],
    indexPost: [form(codeSchema)],
    recovery: [],
    recoveryPost: [form(recoverySchema)],
    choosePost: [form(choiceSchema)],
    cancelPost: [],
  }

  readonly #factors = inject(TotpFactors)
  readonly #codes = inject(RecoveryCodes)
  readonly #nothingLeft = inject(Parts).lostFactors?.route ?? 'account:login'

  /** The page of the factor that was chosen or used last: a code is asked for here, other kinds have pages of their own. */
  async index(): Promise<View | Response> {
    const door = await this.door()
    const asked = openFactor(door)
    if (asked !== undefined && isAuthenticator(asked)) return this.pageOf('totp', door)
    return this.redirectToRoute(asked?.is.page.route ?? this.#nothingLeft)
  }

  /** Checks a code of the authenticator that the page named: another tab may ask for another one by now. */
  async indexPost(form: Submitted<DoorCode>): Promise<View | Response> {
    const found = await this.door()
    const named = form.ok ? form.value.factor : form.value('factor')
    const isNamed = named !== undefined && named !== ''
    // Only what opens this door: the identifier comes from the client. It is chosen, because a refused form is shown again.
    const asked = isNamed
      ? found.usable.find((factor) => factor.id === named && isAuthenticator(factor))
      : this.shown('totp', found)
    if (isNamed && asked !== undefined) await chooseFactor(this.context.session(), asked.id)
    const door = isNamed ? { ...found, chosen: asked ?? found.chosen } : found
    // No attempt: what cannot be a code is refused before anything is counted.
    if (!form.ok) return this.pageOf('totp', door, { form, status: 422 })
    if (asked === undefined) return this.turnAway(UNKNOWN, 'account:challenge')
    const { code } = form.value
    return this.attempt(door, form, {
      factor: asked,
      verify: (principal, challenge) =>
        this.#factors.for(challenge).verifyAndConsume(principal, code, this.clock),
    })
  }

  async recovery(): Promise<View | Response> {
    return this.pageOf('recovery', await this.door())
  }

  /** Uses a recovery code up. The owner gets a mail at once, and is told how many codes are left. */
  async recoveryPost(form: Submitted<TypedCode>): Promise<View | Response> {
    const door = await this.door()
    if (!form.ok) return this.pageOf('recovery', door, { form, status: 422 })
    const { code } = form.value
    return this.attempt(door, form, {
      factor: { kind: 'recovery' },
      verify: (principal, challenge) => this.#codes.verifyAndConsume(principal, code, challenge),
      after: async () => {
        const left = await this.#codes.left(door.proof.identifier)
        await this.context.flash().add('warning', left === 0 ? 'recovery.used-last' : 'recovery.used')
      },
    })
  }

  /** Goes on with another factor. One that does not open this door changes nothing. */
  async choosePost(form: Submitted<Choice>): Promise<Response> {
    const { usable } = await this.door()
    const factor = form.ok ? form.value.factor : ''
    if (!usable.some(({ id }) => id === factor)) return this.turnAway(UNKNOWN, 'account:challenge')
    await chooseFactor(this.context.session(), factor)
    return this.redirectToRoute('account:challenge')
  }

  /** Cancels the pending login. Of this and a right code that comes at the same time, one counts. */
  async cancelPost(): Promise<Response> {
    const { context } = this
    const session = context.session()
    // A user who is signed in has nothing to cancel: this page does not sign out.
    if (context.auth().isAuthenticated()) return this.restart('over')
    const entry = await this.entry(AuditEvent.ChallengeCancelled)
    // First in this browser, even if the rest cannot be stored.
    await discardPendingLogin(session)
    await this.sessions.logout(session, context.auth())
    const isGivenUp =
      entry !== undefined && (await this.challenges.giveUp(entry.challengeId, entry.accountId))
    if (isGivenUp) await this.audit.record(entry)
    const text = entry === undefined ? 'sign-in.none' : 'sign-in.cancelled'
    return this.redirectSaying(context.url('account:login'), text)
  }
}
