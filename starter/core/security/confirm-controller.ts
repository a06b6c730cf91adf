import { inject } from 'sallyport'
import { blankForm, type Submitted } from 'sallyport/input'
import { type Actions, form, input } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { PageSlots } from '../page-slots.ts'
import { CODE_PAGE } from '../factors/factor-kinds.ts'
import { Account } from '../accounts/account.ts'
import { RecoveryCodes } from '../factors/recovery-codes.ts'
import { SecondFactors, type UsableFactor } from '../factors/second-factors.ts'
import { Notices } from '../mail/notices.ts'
import { FactorPolicy } from '../factors/factor-policy.ts'
import { acceptsRecovery } from '../step-up/recovery-actions.ts'
import { type MissingProofs, type Confirmation as Outcome, StepUp } from '../step-up/step-up.ts'
import {
  choiceOf,
  type ChoiceTime,
  type LockMessage,
  lockMessage,
  openFactor,
} from '../sign-in/factor-choices.ts'
import { type CodeFault, codeFault } from '../pages/code-fields.ts'
import { type FormPage, PageController, waitMessage } from '../pages/page-controller.ts'
import type { PageMessage } from '../pages/presentation.ts'
import { type SuspendedAction, SuspendedActions } from './suspended-action.ts'

/** The page that waits, and what it is confirmed with. */
interface ReturnTo {
  readonly return_url?: string | undefined
  readonly with?: 'recovery' | undefined
  readonly factor?: string | undefined
}

const returnUrl = z.string().optional().catch(undefined)
const way = z.literal('recovery').optional().catch(undefined)
const factorId = z.string().min(1).optional().catch(undefined)
const returnToSchema: z.ZodType<ReturnTo> = z.object({
  return_url: returnUrl,
  with: way,
  factor: factorId,
})

/** Fields of the form: those that are asked for. */
interface Confirmation {
  readonly return_url?: string | undefined
  readonly password?: string | undefined
  readonly code?: string | undefined
  readonly recovery_code?: string | undefined
  readonly factor?: string | undefined
}

const confirmationSchema: z.ZodType<Confirmation> = z.object({
  password: z.string().optional(),
  code: z.string().optional(),
  recovery_code: z.string().optional(),
  factor: factorId,
  return_url: returnUrl,
})

/**
 * Step-up: asks a signed-in user for password and second factor, as far as they were not proven within the last minutes. Who has
 * lost the factor confirms with a recovery code, where the action accepts one. A code is of the authenticator that its form names.
 */
export class ConfirmController extends PageController {
  /** Actions and their parameters. */
  static readonly actions: Actions<ConfirmController> = {
    index: [input(returnToSchema)],
    indexPost: [form(confirmationSchema)],
  }

  readonly #stepUp = inject(StepUp)
  readonly #factors = inject(SecondFactors)
  readonly #policy = inject(FactorPolicy)
  readonly #slots = inject(PageSlots)
  readonly #suspended = inject(SuspendedActions)
  readonly #codes = inject(RecoveryCodes)
  readonly #notices = inject(Notices)

  /**
   * @param query `return_url`: the page of the action that waits; `with`: `recovery` asks for a recovery code; `factor`: identifier
   *   of the authenticator to ask for.
   * @returns The page that names the action and asks for what is missing; a redirect to the action when nothing is.
   */
  async index(query: ReturnTo): Promise<View | Response> {
    const state = await this.#state(query, query.with === 'recovery')
    if (!isMissing(state.missing)) return this.#resume(state)
    const warning = this.#lockOf(state) ?? (await this.#recoveryLock(state))
    return this.#confirmPage(state, { form: blankForm(), ...(warning && { warning }) })
  }

  /**
   * Checks password and code. The action itself is not done: its page is shown again, and all its guards run again.
   *
   * @param form The form. A code is of the authenticator that it names; without one, of the one that is asked for at present.
   * @returns A redirect to the page of the action; the page with the error when something was not proven.
   */
  async indexPost(form: Submitted<Confirmation>): Promise<View | Response> {
    const typed = form.ok ? form.value : undefined
    const isRecovery = form.ok ? form.value.recovery_code !== undefined : form.value('recovery_code') !== ''
    const asked = typed ?? { return_url: form.ok ? undefined : form.value('return_url') }
    const state = await this.#state(asked, isRecovery)
    if (!isMissing(state.missing)) return this.#resume(state)
    if (!form.ok) return this.#confirmPage(state, { form, status: 422 })
    const fault = faultOf(form.value, state)
    if (fault !== undefined) return this.#refuseMalformed(state, form, fault)
    if (state.isGone) return this.#gone(state, form)
    let outcome: Outcome
    try {
      outcome = await this.#confirm(form.value, state)
    } catch (error) {
      const told = this.locked(error, 'sign-in.locked')
      const now = await this.#state(form.value, isRecovery)
      return this.#confirmPage(now, { ...told, form: form.refuse(), ...this.#warningOf(now) })
    }
    if (outcome === 'confirmed') return this.#resume(state)
    const now = await this.#state(form.value, isRecovery)
    const locked = this.#warningOf(now)
    // A lock is all that is told: what is typed again now is not looked at.
    const refused = locked.warning === undefined ? form.refuse(refusalOf(state)) : form.refuse()
    return this.#confirmPage(now, { form: refused, status: 422, ...locked })
  }

  // As at the second door. Neither password nor code is looked at.
  #gone(state: ConfirmState, form: Submitted<Confirmation>): Promise<View> {
    const next = state.asked ?? state.usable[0]
    const warning = this.#lockOf(state, 'challenge.gone.locked') ?? {
      id: next?.is.page.instead ?? CODE_PAGE.instead,
    }
    return this.#confirmPage(state, { form: form.refuse(), warning, status: 422 })
  }

  // Not even the password is looked at: nothing of the form counts as an attempt.
  #refuseMalformed(state: ConfirmState, form: Submitted<Confirmation>, fault: CodeFault): Promise<View> {
    return this.#confirmPage(state, { form: form.refuse(fault), status: 422 })
  }

  #account(): Account {
    return this.context.auth().principalAs(Account)
  }

  async #state(
    { return_url: returnTo, factor }: Pick<ReturnTo, 'return_url' | 'factor'>,
    isRecovery: boolean,
  ): Promise<ConfirmState> {
    const action = await this.#suspended.read(returnTo)
    const missing = await this.#stepUp.missing(this.context, action?.name)
    const kind = isRecovery && missing.factor && acceptsRecovery(action?.name) ? 'recovery' : 'totp'
    const usable = missing.factor ? await this.#stepUp.usable(this.context, action?.name) : []
    const codes = usable.filter(isCode)
    const named = codes.find(({ id }) => id === factor)
    const isGone = missing.factor && kind === 'totp' && factor !== undefined && named === undefined
    const wanted = named ?? codes[0]
    return { action, missing, kind, usable, codes, named, wanted, asked: openFactor(codes, wanted), isGone }
  }

  // A recovery code that was used is told at once, as at the login.
  async #confirm(typed: Confirmation, { action, kind, named, asked }: ConfirmState): Promise<Outcome> {
    const account = this.#account()
    const { password, code, recovery_code: recoveryCode = '' } = typed
    const ofFactor = kind === 'recovery' ? { recoveryCode } : { code, factorId: (named ?? asked)?.id }
    const proofs = { password, action: action?.name, ...ofFactor }
    const outcome = await this.#stepUp.confirm(this.context, account, proofs)
    if (outcome === 'confirmed' && kind === 'recovery')
      await this.#notices.tell(account.id, 'recovery-code-used', { left: await this.#codes.left(account.id) })
    return outcome
  }

  #warningOf(state: ConfirmState): { readonly warning?: LockMessage } {
    const warning = this.#lockOf(state)
    return warning === undefined ? {} : { warning }
  }

  // Of the authenticator that the page was to ask for, or that it asks for.
  #lockOf(state: ConfirmState, id = 'challenge.locked'): LockMessage | undefined {
    const { kind, codes, wanted, asked } = state
    const isLocked = kind === 'totp' && (wanted?.lockedSeconds ?? 0) + (asked?.lockedSeconds ?? 0) > 0
    if (!isLocked) return undefined
    return lockMessage({ usable: codes, shown: asked }, { id, time: this.#when() })
  }

  async #recoveryLock({ kind }: ConfirmState): Promise<PageMessage | undefined> {
    if (kind !== 'recovery') return undefined
    const wait = await this.#stepUp.lockedSeconds(this.context.session(), this.#account().id, kind)
    return wait === 0 ? undefined : waitMessage('challenge.locked', wait)
  }

  #when(): ChoiceTime {
    return { now: this.clock.timestamp(), locale: this.context.locale() }
  }

  // The page itself, for a factor. Default: the one that was used last.
  #urlOf({ action, kind }: ConfirmState, factor?: string): string {
    const way = kind === 'recovery' ? { with: 'recovery' } : factor === undefined ? {} : { factor }
    return this.context.url('security:confirm', { ...(action && { return_url: action.path }), ...way })
  }

  #resume({ action }: ConfirmState): Response {
    return action === undefined ? this.redirectToRoute('security:home') : this.redirect(action.path)
  }

  async #confirmPage(state: ConfirmState, shown: FormPage): Promise<View> {
    const { action, missing, kind, codes, named, asked } = state
    const { form, warning, status = 200, headers = {} } = shown
    const { email, id } = this.#account()
    const page = { title: 'step-up.title', failed: status !== 200, page: 'security', narrow: true }
    const here = this.#urlOf(state, named?.id)
    const ways = missing.factor ? await this.#waysOf(id, state) : NO_WAYS
    const time = this.#when()
    const others = codes.filter((code) => code !== asked)
    const data = {
      ...page,
      here,
      form,
      warning,
      action,
      missing,
      email,
      isRecovery: kind === 'recovery',
      isForLoss: acceptsRecovery(action?.name),
      links: {
        ordinary: this.#urlOf({ ...state, kind: 'totp' }),
        recovery: this.#urlOf({ ...state, kind: 'recovery' }),
      },
      factor: asked && choiceOf(asked, time),
      others: others.map((other) => ({ ...choiceOf(other, time), url: this.#urlOf(state, other.id) })),
      ...ways,
    }
    return this.page('security/confirm', data, { status, headers })
  }

  // What does not confirm is not offered.
  async #waysOf(accountId: string, { usable, codes }: ConfirmState): Promise<FactorWays> {
    const hasCode = codes.length > 0
    const hasRecovery = usable.some(({ kind }) => kind === 'recovery')
    const held = hasCode ? usable : await this.#factors.usable(accountId)
    const holder = this.#policy.holderOf(this.context.auth())
    const added = await this.#slots.fill('confirmation', this.context, holder)
    const hasOther = added.slots.confirmation.length > 0
    return { hasCode, hasRecovery, hasOther, isCodeRefused: !hasCode && held.some(isCode), ...added }
  }
}

interface FactorWays {
  readonly hasCode: boolean
  readonly hasRecovery: boolean
  /** Whether parts have another way. */
  readonly hasOther: boolean
  /** Whether a rule lets no code of the account confirm. */
  readonly isCodeRefused: boolean
}

const NO_WAYS: FactorWays = {
  hasCode: false,
  hasRecovery: false,
  hasOther: false,
  isCodeRefused: false,
}

interface ConfirmState {
  readonly action: SuspendedAction | undefined
  readonly missing: MissingProofs
  readonly kind: 'totp' | 'recovery'
  /** What confirms the action. */
  readonly usable: readonly UsableFactor[]
  /** The authenticators among that. */
  readonly codes: readonly UsableFactor[]
  /** The authenticator that was named. */
  readonly named: UsableFactor | undefined
  /** The one to ask for: the one that was named, or used last. */
  readonly wanted: UsableFactor | undefined
  /** The one that the page asks for, because that one may be locked. */
  readonly asked: UsableFactor | undefined
  /** Whether the one that was named is not there. */
  readonly isGone: boolean
}

function faultOf(
  { code = '', recovery_code: recoveryCode = '' }: Confirmation,
  { missing, kind }: ConfirmState,
): CodeFault | undefined {
  if (!missing.factor) return undefined
  return codeFault(kind, kind === 'recovery' ? recoveryCode : code)
}

function isCode({ is }: UsableFactor): boolean {
  return is.page === CODE_PAGE
}

function isMissing({ password, factor }: MissingProofs): boolean {
  return password || factor
}

// Where both are asked for, which of them was wrong is not told.
function refusalOf({ missing, kind }: ConfirmState): typeof NOT_PROVEN {
  const { password, factor } = missing
  const isRecovery = kind === 'recovery'
  if (password && factor) return isRecovery ? { ...NOT_PROVEN, messageId: 'recovery_not_proven' } : NOT_PROVEN
  const ofFactor = isRecovery ? 'recovery_code_not_proven' : 'code_not_proven'
  return { ...NOT_PROVEN, messageId: password ? 'password_not_proven' : ofFactor }
}

const NOT_PROVEN = {
  field: null,
  code: 'not_proven',
  messageId: 'not_proven',
  fallback: 'What you typed is wrong',
  domain: 'auth',
}
