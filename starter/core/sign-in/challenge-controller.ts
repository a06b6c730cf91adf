import { inject } from 'sallyport'
import type { Submitted } from 'sallyport/input'
import { type Actions, form } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { AuditEvent } from '../audit/audit-trail.ts'
import { chooseFactor, chosenFactor, discardPendingLogin } from '../challenges/pending-login.ts'
import { CODE_PAGE } from '../factors/factor-kinds.ts'
import type { UsableFactor } from '../factors/second-factors.ts'
import { TotpFactors } from '../factors/totp-factors.ts'
import { authenticatorCode } from '../pages/code-fields.ts'
import { Parts } from '../part.ts'
import { TurnedAway } from '../sessions/turned-away.ts'
import { type Door, openFactor, Restart, type TypedCode } from './door.ts'
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
const choiceSchema: z.ZodType<Choice> = z.object({ factor: z.string().max(MAX_FACTOR_CHARACTERS) })
const UNKNOWN: TurnedAway = { ...TurnedAway.noSuchFactor, text: 'sign-in.unknown-factor' }

/** The second door: a code from an authenticator, the choice of another factor, and the way back. */
export class ChallengeController extends SecondDoor {
  static readonly actions: Actions<ChallengeController> = {
    index: [],
    indexPost: [form(codeSchema)],
    cancelPost: [],
    choosePost: [form(choiceSchema)],
  }

  readonly #factors = inject(TotpFactors)
  readonly #nothingLeft = inject(Parts).lostFactors.route

  /** The page of the factor that was chosen or used last: a code is asked for here, other kinds have pages of their own. */
  async index(): Promise<View | Response> {
    const door = await this.door()
    const asked = openFactor(door.usable, await chosenFactor(this.context.session(), door.usable))
    if (asked !== undefined && isCode(asked)) return this.pageOf('totp', door)
    return this.redirectToRoute(asked?.is.page.route ?? this.#nothingLeft)
  }

  /** Checks a code of the authenticator that the page named: another tab may ask for another one by now. */
  async indexPost(form: Submitted<DoorCode>): Promise<View | Response> {
    const door = await this.door()
    const named = form.ok ? form.value.factor : form.value('factor')
    const asked = await this.#asked(door, named === '' ? undefined : named)
    // No attempt: what cannot be a code is refused before anything is counted.
    if (!form.ok) return this.pageOf('totp', door, { form, status: 422 })
    if (asked === undefined) return this.turnAway(UNKNOWN, 'account:challenge')
    const { code } = form.value
    return this.attempt(door, form, {
      factor: { kind: 'totp', id: asked.id },
      verify: (principal, challenge) =>
        this.#factors.for(challenge).verifyAndConsume(principal, code, this.clock),
    })
  }

  // Only what opens this door: the identifier comes from the client. It is chosen, because a refused form is shown again.
  async #asked(door: Door, id: string | undefined): Promise<UsableFactor | undefined> {
    if (id === undefined) return this.shown('totp', door)
    const named = door.usable.find((factor) => factor.id === id && isCode(factor))
    if (named !== undefined) await chooseFactor(this.context.session(), id)
    return named
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
    if (context.auth().isAuthenticated()) return this.restart(Restart.over)
    const entry = await this.entry(AuditEvent.ChallengeCancelled)
    // First in this browser, even if the rest cannot be stored.
    await discardPendingLogin(session)
    await this.sessions.logout(session, context.auth())
    const isGivenUp =
      entry !== undefined && (await this.challenges.giveUp(entry.challengeId, entry.accountId))
    if (isGivenUp) await this.audit.record(entry)
    const text = entry === undefined ? 'sign-in.none' : 'sign-in.cancelled'
    return this.redirectSaying(context.url('account:login'), { kind: 'notice', text })
  }
}

function isCode({ is }: UsableFactor): boolean {
  return is.page === CODE_PAGE
}
