import { inject } from 'sallyport'
import { prefersJson } from 'sallyport/http'
import { blankForm, type Submitted, ValidationException, Violation } from 'sallyport/input'
import { type Actions, form, input } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { Account } from '../../identity/accounts/account.ts'
import { PasskeyProofs } from '../../identity/factors/passkey-proofs.ts'
import { RecoveryCodes } from '../../identity/factors/recovery-codes.ts'
import { SecondFactors, type UsableFactor } from '../../identity/factors/second-factors.ts'
import { Notices } from '../../identity/mail/notices.ts'
import { acceptsRecovery } from '../../identity/step-up/recovery-actions.ts'
import { type MissingProofs, StepUp } from '../../identity/step-up/step-up.ts'
import { type CodeFault, codeFault } from '../code-fields.ts'
import { type FormPage, PageController } from '../page-controller.ts'
import { type SuspendedAction, SuspendedActions } from './suspended-action.ts'

/** The page that waits, and what it is confirmed with. */
interface ReturnTo {
  readonly return_url?: string | undefined
  readonly with?: 'recovery' | undefined
}

const returnUrl = z.string().optional().catch(undefined)
const way = z.literal('recovery').optional().catch(undefined)
const returnToSchema: z.ZodType<ReturnTo> = z.object({ return_url: returnUrl, with: way })

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

/**
 * Step-up: asks a signed-in user for password and second factor, as far as they were not proven within the last minutes. Who has
 * lost the factor confirms with a recovery code, where the action accepts one.
 */
export class ConfirmController extends PageController {
  /** Actions and their parameters. */
  static readonly actions: Actions<ConfirmController> = {
    index: [input(returnToSchema)],
    indexPost: [form(confirmationSchema)],
  }

  readonly #stepUp = inject(StepUp)
  readonly #factors = inject(SecondFactors)
  readonly #proofs = inject(PasskeyProofs)
  readonly #suspended = inject(SuspendedActions)
  readonly #codes = inject(RecoveryCodes)
  readonly #notices = inject(Notices)

  /**
   * @param query `return_url`: the page of the action that waits; `with`: `recovery` asks for a recovery code.
   * @returns The page that names the action and asks for what is missing; a redirect to the action when nothing is.
   */
  async index(query: ReturnTo): Promise<View | Response> {
    const state = await this.#state(query.return_url, query.with === 'recovery')
    if (!isMissing(state.missing)) return this.#resume(state)
    const { missing, kind } = state
    const session = this.context.session()
    const wait = missing.factor ? await this.#stepUp.lockedSeconds(session, this.#account().id, kind) : 0
    const warning = wait === 0 ? undefined : await this.waitFor('challenge.locked', wait)
    return this.#confirmPage(state, { form: blankForm(), ...(warning && { warning }) })
  }

  /**
   * Checks password and code. The action itself is not done: its page is shown again, and all its guards run again.
   *
   * @param form The form.
   * @returns A redirect to the page of the action; the page with the error when something was not proven.
   * @throws {ValidationException} With the one violation `not_proven`, or `invalid_format`, for a client that prefers JSON.
   * @throws {TooManyRequestsException} If password or factors of the account are locked, for a client that prefers JSON.
   */
  async indexPost(form: Submitted<Confirmation>): Promise<View | Response> {
    const isRecovery = form.ok ? form.value.recovery_code !== undefined : form.value('recovery_code') !== ''
    const state = await this.#state(form.ok ? form.value.return_url : form.value('return_url'), isRecovery)
    if (!isMissing(state.missing)) return this.#resume(state)
    if (!form.ok) return this.#confirmPage(state, { form, status: 422 })
    const fault = faultOf(form.value, state)
    if (fault !== undefined) return this.#refuseMalformed(state, form, fault)
    try {
      if (await this.#isConfirmed(form.value, state)) return this.#resume(state)
    } catch (error) {
      return this.#confirmPage(state, {
        form: form.refuse(),
        ...(await this.locked(error, 'sign-in.locked')),
      })
    }
    if (prefersJson(this.context.header('accept'))) throw new ValidationException([new Violation(NOT_PROVEN)])
    return this.#confirmPage(state, { form: form.refuse(refusalOf(state)), status: 422 })
  }

  // Not even the password is looked at: nothing of the form counts as an attempt.
  #refuseMalformed(state: ConfirmState, form: Submitted<Confirmation>, fault: CodeFault): Promise<View> {
    if (prefersJson(this.context.header('accept'))) throw new ValidationException([new Violation(fault)])
    return this.#confirmPage(state, { form: form.refuse(fault), status: 422 })
  }

  #account(): Account {
    return this.context.auth().principalAs(Account)
  }

  async #state(returnTo: unknown, isRecovery: boolean): Promise<ConfirmState> {
    const action = await this.#suspended.read(returnTo)
    const missing = await this.#stepUp.missing(this.context, action?.name)
    const kind = isRecovery && missing.factor && acceptsRecovery(action?.name) ? 'recovery' : 'totp'
    return { action, missing, kind }
  }

  // A recovery code that was used is told at once, as at the login.
  async #isConfirmed(typed: Confirmation, { action, kind }: ConfirmState): Promise<boolean> {
    const account = this.#account()
    const { password, code, recovery_code: recoveryCode = '' } = typed
    const proofs = { password, action: action?.name, ...(kind === 'recovery' ? { recoveryCode } : { code }) }
    if (!(await this.#stepUp.confirm(this.context, account, proofs))) return false
    if (kind === 'recovery')
      await this.#notices.tell(account.id, 'recovery-code-used', { left: await this.#codes.left(account.id) })
    return true
  }

  #resume({ action }: ConfirmState): Response {
    return action === undefined ? this.redirectToRoute('security:home') : this.redirect(action.path)
  }

  async #confirmPage({ action, missing, kind }: ConfirmState, state: FormPage): Promise<View> {
    const { form, warning, status = 200, headers = {} } = state
    const { email, id } = this.#account()
    const page = { title: 'step-up.title', failed: status !== 200, page: 'security', narrow: true }
    const back = action === undefined ? {} : { return_url: action.path }
    const isRecovery = kind === 'recovery'
    const here = this.context.url('security:confirm', { ...back, ...(isRecovery && { with: 'recovery' }) })
    const ways = missing.factor ? await this.#waysOf(id, action?.name) : NO_WAYS
    const links = {
      ordinary: this.context.url('security:confirm', back),
      recovery: this.context.url('security:confirm', { ...back, with: 'recovery' }),
    }
    const isForLoss = acceptsRecovery(action?.name)
    const shown = { action, missing, email, isRecovery, isForLoss, links, ...ways }
    const data = { ...page, here, form, warning, ...shown }
    return this.page('security/confirm', data, { status, headers })
  }

  // An authenticator gives codes that are typed; a passkey answers what this session asks. What does not confirm is not offered.
  async #waysOf(accountId: string, action: string | undefined): Promise<FactorWays> {
    const accepted = await this.#stepUp.acceptedKinds(this.context, action)
    const held = await this.#factors.usable(accountId)
    const usable = held.filter(({ kind }) => accepted.has(kind))
    const hasCode = usable.some(isCode)
    const hasRecovery = usable.some(({ kind }) => kind === 'recovery')
    const binding = { purpose: 'step-up', to: accountId } as const
    const options = await this.#proofs.ownOptions(this.context.session(), accountId, binding)
    const passkey = options === undefined ? undefined : JSON.stringify(options)
    return { hasCode, hasRecovery, needsPasskey: !hasCode && held.some(isCode), passkey }
  }
}

interface FactorWays {
  readonly hasCode: boolean
  readonly hasRecovery: boolean
  /** Whether a rule lets no code of the account confirm. */
  readonly needsPasskey: boolean
  readonly passkey: string | undefined
}

const NO_WAYS: FactorWays = {
  hasCode: false,
  hasRecovery: false,
  needsPasskey: false,
  passkey: undefined,
}

interface ConfirmState {
  readonly action: SuspendedAction | undefined
  readonly missing: MissingProofs
  readonly kind: 'totp' | 'recovery'
}

function faultOf(
  { code = '', recovery_code: recoveryCode = '' }: Confirmation,
  { missing, kind }: ConfirmState,
): CodeFault | undefined {
  if (!missing.factor) return undefined
  return codeFault(kind, kind === 'recovery' ? recoveryCode : code)
}

function isCode({ kind }: UsableFactor): boolean {
  return kind === 'totp' || kind === 'hotp'
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
