import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { isUnattested, isUsableKey, KEY_ALGORITHMS } from './key.ts'
import { isTopLevel, parseAssertion, parseRegistration } from './response.ts'
import { type RelyingParty, relyingParty, type UserVerification, type WebAuthnSite } from './site.ts'

// As long as the challenge lives.
const TIMEOUT_MILLISECONDS = 300_000

/** A passkey as browsers and the library need it. */
export interface KnownCredential {
  /** Identifier in base64url. */
  readonly credentialId: string
  /** How browsers reach it. */
  readonly transports: readonly string[]
}

/** A credential with what its responses are checked against. */
export interface StoredCredential extends KnownCredential {
  /** Its account. */
  readonly accountId: string
  /** Public key as COSE, in base64url. It is no secret. */
  readonly publicKey: string
}

/** A new credential whose response was right. */
export interface NewCredential extends StoredCredential {
  /** How often it was used, as it says. */
  readonly counter: number
  /** Whether the authenticator lists it by itself, as its browser said. Only then it signs in without an address. */
  readonly resident: 'yes' | 'no' | 'unknown'
  /** Model of the authenticator, as it says. */
  readonly aaguid: string
}

/** What is asked of a new passkey. */
export interface CreationRequest {
  /** Whether its authenticator verifies its user. */
  readonly verification: UserVerification
  /** Whether its authenticator must list it by itself, so that it signs in without an address. */
  readonly residentKey: 'required' | 'preferred'
}

/** What a right response of a passkey says. */
export interface Assertion {
  /** How often the passkey was used. It is only reported: the application judges a counter that went backwards. */
  readonly counter: number
}

interface Challenged {
  readonly challenge: string
  readonly verification: UserVerification
}

/**
 * The two ceremonies of WebAuthn, with the library that does them. The library names challenges and origins in its errors,
 * so they end here: a response is right or it is not, and nothing of it is logged.
 */
export class WebAuthn {
  readonly #site: WebAuthnSite

  /** @param site The site. */
  constructor(site: WebAuthnSite) {
    this.#site = site
  }

  /**
   * Names the site as authenticators know it.
   *
   * @returns The site; undefined where browsers offer no passkeys: without an origin, with an address in place of a name, without HTTPS.
   */
  relyingParty(): RelyingParty | undefined {
    return relyingParty(this.#site.origin())
  }

  /**
   * Asks for a new passkey.
   *
   * @param account Whose: its identifier, its address, and the name of its owner.
   * @param ceremony The challenge, what is asked for, and the passkeys that the account has: their authenticators refuse.
   * @returns Options for the browser, as JSON; undefined where passkeys are not offered.
   */
  async creationOptions(
    account: { readonly id: string; readonly email: string; readonly name: string },
    ceremony: CreationRequest & { readonly challenge: string; readonly known: readonly KnownCredential[] },
  ): Promise<string | undefined> {
    const site = this.relyingParty()
    if (site === undefined) return undefined
    const options = await generateRegistrationOptions({
      rpName: this.#site.name,
      rpID: site.id,
      userName: account.email,
      userDisplayName: account.name,
      userID: new TextEncoder().encode(account.id),
      challenge: Buffer.from(ceremony.challenge, 'base64url'),
      timeout: TIMEOUT_MILLISECONDS,
      attestationType: 'none',
      supportedAlgorithmIDs: [...KEY_ALGORITHMS],
      excludeCredentials: ceremony.known.map(toDescriptor),
      authenticatorSelection: {
        residentKey: ceremony.residentKey,
        userVerification: ceremony.verification,
      },
    })
    return JSON.stringify(options)
  }

  /**
   * Asks for a passkey that is known.
   *
   * @param ceremony The challenge, what is asked for, and the passkeys that may respond. Default: any of the site.
   * @returns Options for the browser, as JSON; undefined where passkeys are not offered.
   */
  async requestOptions(
    ceremony: Challenged & { readonly allowed?: readonly KnownCredential[] },
  ): Promise<string | undefined> {
    const site = this.relyingParty()
    if (site === undefined) return undefined
    const { challenge, verification, allowed } = ceremony
    const options = await generateAuthenticationOptions({
      rpID: site.id,
      challenge: Buffer.from(challenge, 'base64url'),
      timeout: TIMEOUT_MILLISECONDS,
      userVerification: verification,
      ...(allowed === undefined ? {} : { allowCredentials: allowed.map(toDescriptor) }),
    })
    return JSON.stringify(options)
  }

  /**
   * Checks the response of a new passkey: challenge, origin, site, no frame, no attestation by certificates, and a key that can verify.
   *
   * @param accountId Whose it becomes.
   * @param response What the browser sent, as JSON.
   * @param ceremony The challenge, and what was asked for.
   * @returns The new credential; undefined when the response is malformed or not right.
   */
  async verifyCreation(
    accountId: string,
    response: string,
    ceremony: CreationRequest & { readonly challenge: string },
  ): Promise<NewCredential | undefined> {
    const posted = parseRegistration(response)
    if (posted === undefined || (ceremony.residentKey === 'required' && posted.resident === 'no'))
      return undefined
    const { attestationObject, clientDataJSON } = posted.json.response
    if (!isTopLevel(clientDataJSON) || !isUnattested(attestationObject)) return undefined
    const verified = await this.#quietly((site) =>
      verifyRegistrationResponse({
        response: posted.json,
        supportedAlgorithmIDs: [...KEY_ALGORITHMS],
        ...expectedOf(site, ceremony),
      }),
    )
    if (verified?.registrationInfo === undefined) return undefined
    const { credential, aaguid } = verified.registrationInfo
    if (!(await isUsableKey(credential.publicKey))) return undefined
    return {
      accountId,
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: posted.json.response.transports ?? [],
      resident: posted.resident,
      aaguid,
    }
  }

  /**
   * Reads which passkey a response is of. Nothing is checked.
   *
   * @param response What the browser sent, as JSON.
   * @returns Identifier of the passkey in base64url; undefined when the response is malformed.
   */
  credentialIdOf(response: string): string | undefined {
    return parseAssertion(response)?.id
  }

  /**
   * Checks a response: signature, challenge, origin, site, no frame, presence of the user, and the account that it names. The counter is
   * only reported.
   *
   * @param text What the browser sent, as JSON.
   * @param credential The passkey.
   * @param ceremony The challenge, what was asked for, and whether the response must name the account.
   * @returns What it says; undefined when it is malformed or not right.
   */
  async verifyAssertion(
    text: string,
    credential: StoredCredential,
    ceremony: Challenged & { readonly mustNameAccount: boolean },
  ): Promise<Assertion | undefined> {
    const response = parseAssertion(text)
    if (response === undefined || response.id !== credential.credentialId) return undefined
    const { userHandle, clientDataJSON } = response.response
    if (!isTopLevel(clientDataJSON)) return undefined
    const owner = Buffer.from(credential.accountId).toString('base64url')
    if (userHandle === undefined ? ceremony.mustNameAccount : userHandle !== owner) return undefined
    const verified = await this.#quietly((site) =>
      verifyAuthenticationResponse({
        response,
        ...expectedOf(site, ceremony),
        credential: {
          id: credential.credentialId,
          publicKey: Buffer.from(credential.publicKey, 'base64url'),
          // The application judges the counter, not the library.
          counter: 0,
        },
      }),
    )
    if (verified?.verified !== true) return undefined
    return { counter: verified.authenticationInfo.newCounter }
  }

  async #quietly<T>(verify: (site: RelyingParty) => Promise<T>): Promise<T | undefined> {
    const site = this.relyingParty()
    if (site === undefined) return undefined
    try {
      return await verify(site)
    } catch {
      return undefined
    }
  }
}

function expectedOf(
  site: RelyingParty,
  ceremony: Challenged,
): {
  readonly expectedChallenge: string
  readonly expectedOrigin: string
  readonly expectedRPID: string
  readonly requireUserVerification: boolean
} {
  return {
    expectedChallenge: ceremony.challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    requireUserVerification: ceremony.verification === 'required',
  }
}

function toDescriptor({ credentialId, transports }: KnownCredential): {
  readonly id: string
  readonly transports: string[]
} {
  return { id: credentialId, transports: [...transports] }
}
