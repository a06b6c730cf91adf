import type { CreationRequest, UserVerification } from 'sallyport-app/webauthn'

/** A passkey that is the whole sign-in of its account from the start. */
export const WHOLE_SIGN_IN: CreationRequest = { verification: 'required', residentKey: 'required' }

/** What the application expects of authenticators, which must verify their user as the whole login. Each value is asked for and checked: there is no second place. */
export interface PasskeyPolicy {
  /** As the second door. Default: `discouraged`, because the password was proven, and a touch proves possession. */
  readonly secondDoor: UserVerification
  /** For a new passkey. Default: `preferred`. */
  readonly registration: UserVerification
  /**
   * What happens to a passkey whose counter goes backwards, as that of a copy would. Default: `record`, because some sound
   * authenticators count wrongly. `refuse` refuses its responses, too.
   */
  readonly counterBackwards: 'record' | 'refuse'
}

/** The policy of this application. */
export const PASSKEY_POLICY: PasskeyPolicy = {
  secondDoor: 'discouraged',
  registration: 'preferred',
  counterBackwards: 'record',
}
