import { inject } from 'sallyport'
import { TooManyRequestsException } from 'sallyport/http'
import type { Submitted } from 'sallyport/input'
import { type Actions, form } from 'sallyport/routing'
import { clientOf } from 'sallyport-app/clients'
import { Users } from '../../core/accounts/users.ts'
import type { TurnedAway } from '../../core/sessions/turned-away.ts'
import { FirstDoor } from '../../core/sign-in/first-door.ts'
import { type PasskeyProof, PasskeyProofs } from './proofs.ts'
import { type PostedPasskey, postedSchema } from './forms.ts'

/** A passkey as the whole login. */
export class PasskeySignInController extends FirstDoor {
  static readonly actions: Actions<PasskeySignInController> = { indexPost: [form(postedSchema)] }

  readonly #proofs = inject(PasskeyProofs)
  readonly #users = inject(Users)

  /**
   * Signs in with a passkey that has verified its user: possession, and a PIN, a fingerprint or a face, are both factors. One
   * that has not is refused, as anything else that is wrong with the response of a known passkey.
   */
  async indexPost(form: Submitted<PostedPasskey>): Promise<Response> {
    const { context } = this
    await this.begin()
    const client = clientOf(context)
    const response = form.ok ? form.value.response : ''
    let passkey: PasskeyProof | 'unknown' | undefined
    try {
      passkey = await this.#proofs.proveAnyone({ session: context.session(), response, ...client })
    } catch (error) {
      // A program is told how long to wait.
      if (!(error instanceof TooManyRequestsException)) throw error
      return this.turnAway(LOCKED, 'account:login', error.headers)
    }
    // The browser is not told to forget an unknown passkey: another installation on this host may know it.
    if (passkey === undefined || passkey === 'unknown') return this.#refuse(null, passkey)
    const proof = passkey
    const identifier = proof.accountId
    const identity = await this.#users.authenticationIdentity(identifier)
    if (identity === null) return this.#refuse(identifier)
    await this.targets.remember(context, form.ok ? form.value.return_url : undefined)
    const proven = { factor: this.clock.timestamp(), kind: 'passkey' as const }
    const signingIn = { identifier, identity, proven }
    const target = await this.completion.completeOnce(context, signingIn, (database) =>
      this.#proofs.useUp(database, proof, client),
    )
    if (target === undefined) return this.#refuse(identifier)
    return this.redirect(target)
  }

  async #refuse(accountId: string | null, why?: 'unknown'): Promise<never> {
    await this.audit.record({ kind: 'passkey-refused', accountId, ...clientOf(this.context) })
    return this.turnAway(why === undefined ? REFUSED : UNKNOWN, 'account:login')
  }
}

const REFUSED: TurnedAway = {
  status: 422,
  code: 'ERR_APP_PASSKEY_REFUSED',
  detail: 'This passkey signs nobody in',
  text: 'passkey.sign-in.refused',
}
const UNKNOWN: TurnedAway = { ...REFUSED, text: 'passkey.sign-in.unknown' }
const LOCKED: TurnedAway = { ...REFUSED, status: 429, text: 'passkey.sign-in.locked' }
