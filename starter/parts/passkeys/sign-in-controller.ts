import { inject } from 'sallyport'
import type { Submitted } from 'sallyport/input'
import { type Actions, form } from 'sallyport/routing'
import { clientOf } from 'sallyport-app/clients'
import { Attempts, Limit } from 'sallyport-app/limits'
import { Users } from '../../core/accounts/users.ts'
import type { TurnedAway } from '../../core/sessions/turned-away.ts'
import { FirstDoor } from '../../core/sign-in/first-door.ts'
import { PasskeyProofs } from './proofs.ts'
import { type PostedPasskey, postedSchema } from './forms.ts'

/** Refused passkeys of one client, as the whole login: passwords stay a way in. A right one is accepted whatever their number is. */
export const PASSKEY_CLIENT_LIMIT: Limit = new Limit('passkey-client', 50)

/** A passkey as the whole login. */
export class PasskeySignInController extends FirstDoor {
  static readonly actions: Actions<PasskeySignInController> = { indexPost: [form(postedSchema)] }

  readonly #proofs = inject(PasskeyProofs)
  readonly #users = inject(Users)
  readonly #attempts = inject(Attempts)

  /**
   * Signs in with a passkey that has verified its user: possession, and a PIN, a fingerprint or a face, are both factors. One
   * that has not is refused, as anything else that is wrong with the response of a known passkey.
   */
  async indexPost(form: Submitted<PostedPasskey>): Promise<Response> {
    const { context } = this
    await this.begin()
    const client = clientOf(context)
    const response = form.ok ? form.value.response : ''
    const proof = await this.#proofs.proveAnyone({ session: context.session(), response })
    if (proof === undefined || proof === 'unknown') return this.#refuse(null, proof)
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

  // Counted for the client, and never for a right one: a passkey cannot be guessed, and behind one address nobody locks others out. The
  // limit bounds what refusals write.
  async #refuse(accountId: string | null, why?: 'unknown'): Promise<never> {
    const client = clientOf(this.context)
    await this.#attempts.count(PASSKEY_CLIENT_LIMIT.ofClient(client.clientAddress))
    await this.audit.record({ kind: 'passkey-refused', accountId, ...client })
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
