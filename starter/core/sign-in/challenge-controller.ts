import { inject } from 'sallyport'
import type { ShownForm, Submitted } from 'sallyport/input'
import { type Actions, form } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import type { PasswordProof } from '../accounts/password-check.ts'
import type { AuthenticationIdentity } from '../accounts/users.ts'
import { AuditEvent } from '../audit/audit-trail.ts'
import {
  chooseFactor,
  chosenFactor,
  challengeIdentifier,
  hasPendingLogin,
  pendingAccount,
} from '../challenges/pending-login.ts'
import { Parts } from '../part.ts'
import { CODE_PAGE, type FactorKind } from '../factors/factor-kinds.ts'
import type { UsableFactor } from '../factors/second-factors.ts'
import { type PendingChallenge, TotpFactors } from '../factors/totp-factors.ts'
import { authenticatorCode } from '../pages/code-fields.ts'
import { Restart } from './restart.ts'
import { TurnedAway } from '../sessions/turned-away.ts'
import type { Refusal, TypedCode } from './door-page.ts'
import { openFactor } from './factor-choices.ts'
import { SecondDoor } from './second-door.ts'

/** The code, and which factor the page named. */
interface DoorCode extends TypedCode {
  readonly factor?: string | undefined
}

const codeSchema: z.ZodType<DoorCode> = z.object({
  code: authenticatorCode,
  factor: z.string().min(1).optional().catch(undefined),
})

/** The form of another factor. */
interface Choice {
  readonly factor: string
}

const MAX_FACTOR_CHARACTERS = 100
const choiceSchema: z.ZodType<Choice> = z.object({ factor: z.string().max(MAX_FACTOR_CHARACTERS) })

/** The second door: a code from an authenticator. */
export class ChallengeController extends SecondDoor {
  /** Actions and their parameters. */
  static readonly actions: Actions<ChallengeController> = {
    index: [],
    indexPost: [form(codeSchema)],
    cancelPost: [],
    choosePost: [form(choiceSchema)],
  }

  readonly #factors = inject(TotpFactors)
  readonly #nothingLeft = inject(Parts).lostFactors

  /**
   * @returns The page of the factor that was chosen or used last: a code is asked for here, other kinds have pages of their own;
   * a redirect to the login page when no challenge is pending.
   */
  async index(): Promise<View | Response> {
    const proof = await this.proofOfPassword()
    if ('kind' in proof) return this.restart(proof)

    const usable = await this.usable(proof.identity)
    const asked = openFactor(usable, await chosenFactor(this.context.session(), usable))
    // Without one, there is nothing to ask for.
    const { route } = asked?.is.page ?? this.#nothingLeft
    return asked !== undefined && isCode(asked)
      ? this.pageOf('totp', proof, { usable })
      : this.redirectToRoute(route)
  }

  /**
   * Checks a code, of the authenticator that the page named: another tab may ask for another one by now. Only a correct code gets past
   * the check.
   *
   * @param form The form. What is not six digits is refused at once, and is no attempt; neither is a code of an authenticator that is not
   *   there any more. Without one, it is a code of the authenticator that is asked for at present.
   * @returns A redirect to the next page; for a browser with a wrong code the challenge page with the error.
   */
  async indexPost(form: Submitted<DoorCode>): Promise<View | Response> {
    const proof = await this.proofOfPassword()
    if ('kind' in proof) return this.restart(proof)
    if (!form.ok) return this.#malformedPage(proof, form)
    const keys = await this.keysOf(proof.identity)
    const asked = await this.#named(proof.identity, keys.usable, form.value.factor)
    if (asked === 'gone') return this.#gone(proof, form, keys.usable)

    const challengeId = await challengeIdentifier(this.context.session())
    const { principal } = proof.identity
    const factorId = asked?.id
    const unlock = await this.unlockOf(principal.id)
    const { code } = form.value
    let isAccepted: boolean
    let triesLeft: number | undefined
    let proven: FactorKind = 'totp'
    const asking = { ...proof, form: form.refuse() }
    const login = await this.completion.prepare(this.context, asking, keys.held)
    try {
      const reserve: PendingChallenge['reserve'] = async (database) => {
        triesLeft = await this.challenges.reserve(challengeId, proof.identifier, database)
        return triesLeft !== undefined
      }
      const accepted: PendingChallenge['accepted'] = async (database, kind) => {
        await login.record(database, kind)
        proven = kind
      }
      const challenge = { id: challengeId, factorId, unlock, reserve, accepted, kinds: keys.accepted }
      isAccepted = await this.#factors.verifyAndConsume(principal, code, this.clock, challenge)
    } catch (error) {
      return this.pageWhenLocked(proof, { kind: 'totp', id: factorId }, error)
    }
    if (triesLeft === undefined) return this.restart(Restart.over)
    if (isAccepted) {
      return this.redirect(await login.enter(this.provenBy(proof, proven)))
    }
    const factor = { kind: 'totp', id: factorId } as const
    const kind = AuditEvent.CodeRefused
    const refusal: Refusal = { factor, asked: asked?.kind, unlock, kind, triesLeft }
    return (await this.refused(proof, refusal)) ?? this.pageWhenWrong(proof, factor, { form, triesLeft })
  }

  // Shown for the same authenticator again. One that is not there is no choice.
  async #malformedPage(proof: PasswordProof, form: ShownForm): Promise<View | Response> {
    const id = form.value('factor')
    if (id !== '' && id.length <= MAX_FACTOR_CHARACTERS) await chooseFactor(this.context.session(), id)
    return this.pageOf('totp', proof, { form, status: 422 })
  }

  // Only what opens this door: the identifier comes from the client.
  async #named(
    identity: AuthenticationIdentity,
    usable: readonly UsableFactor[],
    id: string | undefined,
  ): Promise<UsableFactor | 'gone' | undefined> {
    if (id === undefined) return this.asked(identity, 'totp', usable)
    const named = usable.find((factor) => factor.id === id && isCode(factor))
    if (named === undefined) return 'gone'
    // A refused form is shown again.
    await chooseFactor(this.context.session(), id)
    return named
  }

  // What is left may have a page of its own.
  async #gone(
    proof: PasswordProof,
    form: Submitted<DoorCode>,
    usable: readonly UsableFactor[],
  ): Promise<View | Response> {
    const session = this.context.session()
    const asked = openFactor(usable, await chosenFactor(session, usable))
    const code =
      asked !== undefined && isCode(asked)
        ? asked
        : usable.find((factor) => isCode(factor) && factor.lockedSeconds === 0)
    if (code === undefined) {
      const { route, instead } = asked?.is.page ?? this.#nothingLeft
      return this.turnAway({ ...TurnedAway.noSuchFactor, text: instead }, route)
    }
    const isOpen = code.lockedSeconds === 0
    const told = isOpen ? { warning: { id: 'challenge.gone' } } : { lockedText: 'challenge.gone.locked' }
    return this.pageOf('totp', proof, { form: form.refuse(), ...told, status: 422, usable })
  }

  /**
   * Goes on with another factor. The choice is kept in the session, beside the pending login. A factor that does not open this door
   * changes nothing.
   *
   * @returns A redirect to the page of the factor.
   * @throws {TurnedAwayException} If there is no such factor.
   */
  async choosePost(form: Submitted<Choice>): Promise<Response> {
    const proof = await this.proofOfPassword()
    if ('kind' in proof) return this.restart(proof)
    const factor = form.ok ? form.value.factor : ''
    const usable = await this.usable(proof.identity)
    if (!usable.some(({ id }) => id === factor)) return this.turnAway(UNKNOWN, 'account:challenge')
    await chooseFactor(this.context.session(), factor)
    return this.redirectToRoute('account:challenge')
  }

  /**
   * Cancels the pending login.
   *
   * @returns A redirect to the login page.
   */
  async cancelPost(): Promise<Response> {
    const { context } = this
    // A user who is signed in has nothing to cancel: this page does not sign out.
    if (context.auth().isAuthenticated()) return this.restart(Restart.over)
    const isPending = await hasPendingLogin(context.session())
    try {
      if (!(await this.#giveUp())) return await this.restart(Restart.over)
    } catch (error) {
      // It ends in this browser, even if that cannot be stored.
      await this.#leave(null)
      throw error
    }
    await this.#leave(isPending ? AuditEvent.ChallengeCancelled : null)
    const text = isPending ? 'sign-in.cancelled' : 'sign-in.none'
    return this.redirectSaying(context.url('account:login'), { kind: 'notice', text })
  }

  #leave(kind: AuditEvent | null): Promise<void> {
    const { context } = this
    return this.end(kind, () => this.sessions.logout(context.session(), context.auth()))
  }

  // A right code that comes at the same time completes the login, or is not checked any more.
  async #giveUp(): Promise<boolean> {
    const session = this.context.session()
    const accountId = await pendingAccount(session)
    return accountId === null || this.challenges.giveUp(await challengeIdentifier(session), accountId)
  }
}

function isCode({ is }: UsableFactor): boolean {
  return is.page === CODE_PAGE
}

const UNKNOWN: TurnedAway = { ...TurnedAway.noSuchFactor, text: 'sign-in.unknown-factor' }
