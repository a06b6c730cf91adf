import { randomUUID } from 'node:crypto'
import { inject } from 'sallyport'
import { blankForm, type Submitted } from 'sallyport/input'
import { type Actions, form, input } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { type SuspendedAction, SuspendedActions } from 'sallyport-app/step-up'
import { FactorPolicy } from '../factors/factor-policy.ts'
import { isAuthenticator, SecondFactors, type UsableFactor } from '../factors/second-factors.ts'
import { recoveryCode } from '../factors/recovery-codes.ts'
import { authenticatorCode } from '../factors/totp-code.ts'
import { type FormPage, PageController } from '../pages/page-controller.ts'
import { returnUrlField, type ReturnTo, waitMessage } from 'sallyport-app/pages'
import { StepUpCheck } from '../step-up/step-up-check.ts'
import { type MissingProofs, StepUp, type StepUpRule } from '../step-up/step-up.ts'

/** The page that waits, and whether it is confirmed with a recovery code. */
interface Query extends ReturnTo {
  readonly with?: 'recovery' | undefined
}

const querySchema: z.ZodType<Query> = z.object({
  return_url: returnUrlField,
  with: z.literal('recovery').optional().catch(undefined),
})

/** Fields of the form: those that are asked for. */
interface Confirmation extends ReturnTo {
  readonly password?: string | undefined
  readonly code?: string | undefined
  readonly recovery_code?: string | undefined
  /** Another one for each page that shows the form. */
  readonly form_id?: string | undefined
}

const confirmationSchema: z.ZodType<Confirmation> = z.object({
  password: z.string().optional(),
  code: authenticatorCode.optional(),
  recovery_code: recoveryCode.optional(),
  form_id: z.uuid().optional().catch(undefined),
  return_url: returnUrlField,
})

/** What the page asks for. */
interface Asked {
  readonly action: SuspendedAction<StepUpRule> | undefined
  readonly missing: MissingProofs
  /** Whether a recovery code confirms what waits. */
  readonly isForLoss: boolean
  /** Whether one is typed. */
  readonly isRecovery: boolean
}

/**
 * Step-up: asks a signed-in user for password and second factor, as far as they were not proven within the last minutes: a code of any
 * authenticator that counts for the action, or a recovery code where the action accepts one.
 */
export class ConfirmController extends PageController {
  static readonly actions: Actions<ConfirmController> = {
    index: [input(querySchema)],
    indexPost: [form(confirmationSchema)],
  }

  readonly #stepUp = inject(StepUp)
  readonly #check = inject(StepUpCheck)
  readonly #factors = inject(SecondFactors)
  readonly #policy = inject(FactorPolicy)
  readonly #suspended = inject(SuspendedActions<StepUpRule>)

  /** The page that names the action and asks for what is missing; a redirect to the action when nothing is. */
  async index(query: Query): Promise<View | Response> {
    const asked = await this.#read(query.return_url, query.with === 'recovery')
    return isDone(asked) ? this.#resume(asked) : this.#confirmPage(asked, { form: blankForm() })
  }

  /** Checks password and code. The action itself is not done: its page is shown again, and all its guards run again. */
  async indexPost(form: Submitted<Confirmation>): Promise<View | Response> {
    const returnTo = form.ok ? form.value.return_url : form.value('return_url')
    const asked = await this.#read(returnTo, isOfRecovery(form))
    const { missing, isRecovery } = asked
    if (isDone(asked)) return this.#resume(asked)
    if (missing.holdsNone) return this.#confirmPage(asked, { form: blankForm(), status: 422 })
    // Not even the password is looked at: nothing of the form counts as an attempt.
    if (!form.ok) return this.#confirmPage(asked, { form, status: 422 })
    const { password, code, recovery_code: ofLoss, form_id: formId } = form.value
    const typed = { password, formId, ...(isRecovery ? { recoveryCode: ofLoss } : { code }) }
    if (missing.factor && !isRecovery && code === undefined)
      return this.#confirmPage(asked, { form: form.refuse(NO_CODE), status: 422 })
    try {
      if (await this.#check.confirm(this.context, missing, typed)) return this.#resume(asked)
    } catch (error) {
      return this.#confirmPage(asked, { ...this.locked(error, 'sign-in.locked'), form: form.refuse() })
    }
    const now = await this.#read(returnTo, isRecovery)
    return this.#confirmPage(now, { form: form.refuse(refusalOf(asked)), status: 422 })
  }

  async #read(returnTo: string | undefined, isRecovery: boolean): Promise<Asked> {
    const action = await this.#suspended.read(returnTo)
    const missing = await this.#stepUp.missing(this.context, action?.rule)
    const isForLoss = action === undefined || action.rule.mendsLoss === true
    return { action, missing, isForLoss, isRecovery: isRecovery && missing.factor && isForLoss }
  }

  #resume({ action }: Asked): Response {
    return action === undefined ? this.redirectToRoute('security:home') : this.redirect(action.path)
  }

  async #confirmPage(asked: Asked, state: FormPage): Promise<View> {
    const { action, missing, isForLoss, isRecovery } = asked
    const wait = Math.min(
      ...missing.usable
        .filter(isRecovery ? isRecoveryCodes : isAuthenticator)
        .map(({ lockedSeconds }) => lockedSeconds),
    )
    const locked = Number.isFinite(wait) && wait > 0 ? waitMessage('challenge.locked', wait) : undefined
    const urlOf = (way: Query): string =>
      this.context.url('security:confirm', { ...(action && { return_url: action.path }), ...way })
    const links = { ordinary: urlOf({}), recovery: urlOf({ with: 'recovery' }) }
    const data = {
      title: 'step-up.title',
      narrow: true,
      page: action?.rule.page ?? action?.module.toLowerCase() ?? 'security',
      here: isRecovery ? links.recovery : links.ordinary,
      action,
      missing,
      email: this.account().email,
      hasPassword: missing.hasPassword,
      isRecovery,
      isForLoss,
      links,
      formId: randomUUID(),
      ...(missing.factor && (await this.#waysOf(missing.usable))),
    }
    // Until when nothing can be proven is said alone, also after the code that locked.
    const said = locked === undefined ? state : { warning: locked, ...state, form: blankForm() }
    return this.page('security/confirm', data, said)
  }

  // What does not confirm is not offered.
  async #waysOf(usable: readonly UsableFactor[]): Promise<Readonly<Record<string, unknown>>> {
    const holder = this.#policy.holderOf(this.context.auth())
    const added = await this.slots.dataFor(['confirmation'], this.context, holder)
    const others = usable.filter((factor) => factor.is.isHeld && !isAuthenticator(factor))
    const hasCode = usable.some(isAuthenticator)
    return {
      hasCode,
      hasRecovery: usable.some(isRecoveryCodes),
      others: others.map(({ kind }) => kind),
      hasOther: others.length > 0 && added.slots.confirmation.length > 0,
      isCodeRefused: !hasCode && (await this.#factors.held(holder.principal.id)).some(isAuthenticator),
      ...added,
    }
  }
}

function isOfRecovery(form: Submitted<Confirmation>): boolean {
  return form.ok
    ? form.value.recovery_code !== undefined
    : form.violations.some(({ field }) => field === 'recovery_code')
}

function isRecoveryCodes({ kind }: UsableFactor): boolean {
  return kind === 'recovery'
}

function isDone({ missing }: Asked): boolean {
  return !missing.password && !missing.factor
}

// Where both are asked for, which of them was wrong is not told.
function refusalOf({ missing: { password, factor }, isRecovery }: Asked): typeof NOT_PROVEN {
  if (password && factor)
    return { ...NOT_PROVEN, messageId: isRecovery ? 'recovery_not_proven' : 'not_proven' }
  const ofFactor = isRecovery ? 'recovery_code_not_proven' : 'code_not_proven'
  return { ...NOT_PROVEN, messageId: password ? 'password_not_proven' : ofFactor }
}

// The form was opened when no code was asked for.
const NO_CODE = { field: 'code', code: 'required', fallback: 'This is missing' }

const NOT_PROVEN = {
  field: null,
  code: 'not_proven',
  messageId: 'not_proven',
  fallback: 'What you typed is wrong',
  domain: 'auth',
}
