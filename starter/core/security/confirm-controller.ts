import { inject } from 'sallyport'
import { blankForm, type Submitted } from 'sallyport/input'
import { type Actions, form, input } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { Account } from '../accounts/account.ts'
import { Users } from '../accounts/users.ts'
import { type AddPage, CODE_PAGE, type FactorKind } from '../factors/factor-kinds.ts'
import { FactorPolicy } from '../factors/factor-policy.ts'
import { FactorKinds } from '../factors/known-kinds.ts'
import { SecondFactors, type UsableFactor } from '../factors/second-factors.ts'
import { PageSlots } from '../page-slots.ts'
import { codeFault } from '../pages/code-fields.ts'
import { type FormPage, PageController, waitMessage } from '../pages/page-controller.ts'
import { type MissingProofs, StepUp } from '../step-up/step-up.ts'
import { type SuspendedAction, SuspendedActions } from '../step-up/suspended-action.ts'

/** The page that waits, and whether it is confirmed with a recovery code. */
interface ReturnTo {
  readonly return_url?: string | undefined
  readonly with?: 'recovery' | undefined
}

const returnUrl = z.string().optional().catch(undefined)
const returnToSchema: z.ZodType<ReturnTo> = z.object({
  return_url: returnUrl,
  with: z.literal('recovery').optional().catch(undefined),
})

/** Fields of the form: those that are asked for. */
interface Confirmation {
  readonly return_url?: string | undefined
  readonly password?: string | undefined
  readonly code?: string | undefined
  readonly recovery_code?: string | undefined
}

const confirmationSchema: z.ZodType<Confirmation> = z.object({
  password: z.string().optional(),
  code: z.string().optional(),
  recovery_code: z.string().optional(),
  return_url: returnUrl,
})

interface ConfirmState {
  readonly action: SuspendedAction | undefined
  readonly missing: MissingProofs
  readonly kind: 'totp' | 'recovery'
  /** What confirms the action. */
  readonly usable: readonly UsableFactor[]
}

/**
 * Step-up: asks a signed-in user for password and second factor, as far as they were not proven within the last minutes: a code of any
 * authenticator that counts for the action, or a recovery code where the action accepts one.
 */
export class ConfirmController extends PageController {
  static readonly actions: Actions<ConfirmController> = {
    index: [input(returnToSchema)],
    indexPost: [form(confirmationSchema)],
  }

  readonly #stepUp = inject(StepUp)
  readonly #factors = inject(SecondFactors)
  readonly #policy = inject(FactorPolicy)
  readonly #kinds = inject(FactorKinds)
  readonly #slots = inject(PageSlots)
  readonly #suspended = inject(SuspendedActions)
  readonly #users = inject(Users)

  /** The page that names the action and asks for what is missing; a redirect to the action when nothing is. */
  async index(query: ReturnTo): Promise<View | Response> {
    const state = await this.#state(query.return_url, query.with === 'recovery')
    return isMissing(state.missing) ? this.#confirmPage(state, { form: blankForm() }) : this.#resume(state)
  }

  /** Checks password and code. The action itself is not done: its page is shown again, and all its guards run again. */
  async indexPost(form: Submitted<Confirmation>): Promise<View | Response> {
    const typed: Confirmation = form.ok ? form.value : {}
    const isRecovery = typed.recovery_code !== undefined
    const returnTo = form.ok ? form.value.return_url : form.value('return_url')
    const state = await this.#state(returnTo, isRecovery)
    const { action, missing, kind } = state
    if (!isMissing(missing)) return this.#resume(state)
    if (missing.holdsNone) return this.#confirmPage(state, { form: blankForm(), status: 422 })
    if (!form.ok) return this.#confirmPage(state, { form, status: 422 })
    const { password, code = '', recovery_code: recoveryCode = '' } = typed
    // Not even the password is looked at: nothing of the form counts as an attempt.
    const fault = missing.factor ? codeFault(kind, kind === 'recovery' ? recoveryCode : code) : undefined
    if (fault !== undefined) return this.#confirmPage(state, { form: form.refuse(fault), status: 422 })
    try {
      const ofFactor = kind === 'recovery' ? { recoveryCode } : { code }
      if (await this.#stepUp.confirm(this.context, { password, rule: action?.rule, ...ofFactor })) {
        return this.#resume(state)
      }
    } catch (error) {
      const locked = this.locked(error, 'sign-in.locked')
      return this.#confirmPage(state, { ...locked, form: form.refuse() })
    }
    const now = await this.#state(returnTo, isRecovery)
    return this.#confirmPage(now, { form: form.refuse(refusalOf(state)), status: 422 })
  }

  async #state(returnTo: string | undefined, isRecovery: boolean): Promise<ConfirmState> {
    const action = await this.#suspended.read(returnTo)
    const rule = action?.rule
    const missing = await this.#stepUp.missing(this.context, rule)
    const kind = isRecovery && missing.factor && this.#stepUp.acceptsRecovery(rule) ? 'recovery' : 'totp'
    const usable = missing.factor ? await this.#stepUp.usable(this.context, rule) : []
    return { action, missing, kind, usable }
  }

  #urlOf({ action }: ConfirmState, kind: ConfirmState['kind']): string {
    const way = kind === 'recovery' ? { with: 'recovery' } : {}
    return this.context.url('security:confirm', { ...(action && { return_url: action.path }), ...way })
  }

  #resume({ action }: ConfirmState): Response {
    return action === undefined ? this.redirectToRoute('security:home') : this.redirect(action.path)
  }

  async #confirmPage(state: ConfirmState, shown: FormPage): Promise<View> {
    const { action, missing, kind, usable } = state
    const { status = 200, headers = {} } = shown
    const page = { title: 'step-up.title', failed: status !== 200, narrow: true }
    const asked = usable.filter((factor) => (kind === 'recovery' ? factor.kind === kind : isCode(factor)))
    const wait = Math.min(...asked.map(({ lockedSeconds }) => lockedSeconds))
    const locked = asked.length > 0 && wait > 0 ? waitMessage('challenge.locked', wait) : undefined
    const data = {
      ...page,
      page: action?.page ?? 'security',
      here: this.#urlOf(state, kind),
      // Until when nothing can be proven is said alone, also after the code that locked.
      form: locked === undefined ? shown.form : blankForm(),
      warning: shown.warning ?? locked,
      action,
      missing,
      email: this.context.auth().principalAs(Account).email,
      hasPassword: await this.#users.hasPassword(this.context.auth().principalAs(Account).id),
      isRecovery: kind === 'recovery',
      isForLoss: this.#stepUp.acceptsRecovery(action?.rule),
      setUps: missing.holdsNone ? this.#setUps(action?.rule.kinds) : [],
      links: { ordinary: this.#urlOf(state, 'totp'), recovery: this.#urlOf(state, 'recovery') },
      ...(missing.factor ? await this.#waysOf(usable) : NO_WAYS),
    }
    return this.page('security/confirm', data, { status, headers })
  }

  // What does not confirm is not offered.
  async #waysOf(usable: readonly UsableFactor[]): Promise<FactorWays> {
    const holder = this.#policy.holderOf(this.context.auth())
    const hasCode = usable.some(isCode)
    const hasRecovery = usable.some(({ kind }) => kind === 'recovery')
    const held = hasCode ? usable : await this.#factors.usable(holder.principal.id)
    const added = await this.#slots.fill('confirmation', this.context, holder)
    const others = usable.filter(({ is }) => is.isHeld && is.page !== CODE_PAGE).map(({ kind }) => kind)
    const hasOther = others.length > 0 && added.slots.confirmation.length > 0
    const isCodeRefused = !hasCode && held.some(isCode)
    return { hasCode, hasRecovery, hasOther, others, isCodeRefused, ...added }
  }

  #setUps(kinds: readonly FactorKind[] = []): readonly AddPage[] {
    return kinds.flatMap((kind) => this.#kinds.find(kind)?.add ?? [])
  }
}

interface FactorWays {
  readonly hasCode: boolean
  readonly hasRecovery: boolean
  /** Whether parts have another way. */
  readonly hasOther: boolean
  /** The kinds that do it in their own way. */
  readonly others: readonly FactorKind[]
  /** Whether a rule lets no code of the account confirm. */
  readonly isCodeRefused: boolean
}

const NO_WAYS: FactorWays = {
  hasCode: false,
  hasRecovery: false,
  hasOther: false,
  others: [],
  isCodeRefused: false,
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
