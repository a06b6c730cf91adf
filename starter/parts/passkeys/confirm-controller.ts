import { inject } from 'sallyport'
import type { Submitted } from 'sallyport/input'
import { type Actions, form } from 'sallyport/routing'
import { allOrNothing } from 'sallyport-app/database'
import { clientOf } from 'sallyport-app/clients'
import { TurnedAwayException } from 'sallyport-app/pages'
import { addProofs } from 'sallyport-app/sessions'
import { SuspendedActions } from 'sallyport-app/step-up'
import { Database } from '../../core/database/database.ts'
import { AuditEvent, AuditTrail } from '../../core/audit/audit-trail.ts'
import type { TurnedAway } from '../../core/sessions/turned-away.ts'
import { StepUp, type StepUpRule } from '../../core/step-up/step-up.ts'
import { PageController } from '../../core/pages/page-controller.ts'
import { type PasskeyProof, PasskeyProofs } from './proofs.ts'
import { type PostedPasskey, postedSchema } from './forms.ts'

/** Step-up: a passkey in the place of a code. */
export class ConfirmPasskeyController extends PageController {
  static readonly actions: Actions<ConfirmPasskeyController> = { indexPost: [form(postedSchema)] }

  readonly #database = inject(Database)
  readonly #stepUp = inject(StepUp)
  readonly #suspended = inject(SuspendedActions<StepUpRule>)
  readonly #proofs = inject(PasskeyProofs)
  readonly #audit = inject(AuditTrail)

  /** Checks a response that was asked for in this session. The password is asked for next, unless it was proven lately. */
  async indexPost(form: Submitted<PostedPasskey>): Promise<Response> {
    const { context } = this
    const { response = '', return_url: returnTo } = form.ok ? form.value : {}
    const action = await this.#suspended.read(returnTo)
    const path = context.url('security:confirm', action === undefined ? {} : { return_url: action.path })
    const account = this.account()
    const client = clientOf(context)
    const posted = { session: context.session(), response }
    const proof = await this.#proofs.proveOwn(account.id, posted, { purpose: 'step-up', to: account.id })
    if (proof === undefined)
      await this.#audit.record({ kind: 'passkey-refused', accountId: account.id, ...client })
    if (proof === undefined || !(await this.#confirm(proof))) throw new TurnedAwayException(REFUSED, path)
    const { password } = await this.#stepUp.missing(context, action?.rule)
    if (password) await context.flash().add('notice', 'step-up.passkey-counts')
    return this.redirect(path)
  }

  async #confirm(proof: PasskeyProof): Promise<boolean> {
    const { accountId } = proof
    const client = clientOf(this.context)
    const entry = { kind: AuditEvent.StepUpConfirmed, accountId, ...client, detail: 'passkey' }
    const isUsedUp = await allOrNothing(this.#database, async (transaction) => {
      if (!(await this.#proofs.useUp(transaction, proof, client))) return undefined
      await this.#audit.record(entry, transaction)
      return true
    })
    if (isUsedUp !== true) return false
    const proven = { factor: this.clock.timestamp(), kind: 'passkey' } as const
    await addProofs(this.context.session(), accountId, proven)
    return true
  }
}

const REFUSED: TurnedAway = {
  status: 422,
  code: 'ERR_APP_PASSKEY_REFUSED',
  detail: 'This passkey confirms nothing here',
  text: 'step-up.passkey-refused',
}
