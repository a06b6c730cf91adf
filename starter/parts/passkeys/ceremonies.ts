import { BRAND } from '../../core/brand.ts'
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { inject } from 'sallyport'
import type { Account } from '../../core/accounts/account.ts'
import type { Registering, UserVerification } from './policy.ts'
import { isUnattested, isUsableKey, KEY_ALGORITHMS } from './key.ts'
import { isTopLevel, parseAssertion, type PostedRegistration } from './response.ts'
import { RelyingParty, type RelyingPartyName } from './relying-party.ts'

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
  /** Public key as COSE, in base64url. */
  readonly publicKey: string
}

/** A new credential whose response was right. */
export interface NewCredential extends StoredCredential {
  /** How often it was used. */
  readonly counter: number
  /** Whether the authenticator lists it by itself. */
  readonly resident: 'yes' | 'no' | 'unknown'
  /** Model of the authenticator, as it says. */
  readonly aaguid: string
}

/** What a right response of a passkey says. */
export interface Assertion {
  /** How often the passkey was used. */
  readonly counter: number
}

/**
 * The two ceremonies of WebAuthn, with the library that does them. The library names challenges and origins in its errors,
 * so they end here: a response is right or it is not, and nothing of it is logged.
 */
export class PasskeyCeremonies {
  readonly #site = inject(RelyingParty)

  /** @returns Whether passkeys can be used here at all. */
  areOffered(): boolean {
    return this.#site.name() !== undefined
  }

  /** @returns The only origin where passkeys can be used, if it is another one; undefined where they are not offered, too. */
  elsewhere(origin: string): string | undefined {
    const site = this.#site.name()?.origin
    return site === origin ? undefined : site
  }

  /**
   * @param ceremony The challenge, what is asked for, and the passkeys that the account has: their authenticators refuse.
   * @returns Options for the browser, as JSON; undefined where passkeys are not offered.
   */
  async creationOptions(
    account: Account,
    ceremony: Registering & { readonly challenge: string; readonly known: readonly KnownCredential[] },
  ): Promise<string | undefined> {
    const site = this.#site.name()
    if (site === undefined) return undefined
    const options = await generateRegistrationOptions({
      rpName: BRAND.name,
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
   * @param ceremony The challenge, what is asked for, and the passkeys that may respond. Default: any of the site.
   * @returns Options for the browser, as JSON; undefined where passkeys are not offered.
   */
  async requestOptions(ceremony: {
    readonly challenge: string
    readonly verification: UserVerification
    readonly allowed?: readonly KnownCredential[]
  }): Promise<string | undefined> {
    const site = this.#site.name()
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

  /** @returns The new credential; undefined when the response is not right. */
  async verifyCreation(
    accountId: string,
    posted: PostedRegistration,
    ceremony: Registering & { readonly challenge: string },
  ): Promise<NewCredential | undefined> {
    if (ceremony.residentKey === 'required' && posted.resident === 'no') return undefined
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
   * Checks a response: signature, challenge, origin, site, no frame, presence of the user, and the account that it names. The counter is
   * only reported.
   *
   * @param ceremony The challenge, what was asked for, and whether the response must name the account.
   * @returns What it says; undefined when it is not right.
   */
  async verifyAssertion(
    text: string,
    credential: StoredCredential,
    ceremony: {
      readonly challenge: string
      readonly verification: UserVerification
      readonly mustNameAccount: boolean
    },
  ): Promise<Assertion | undefined> {
    const response = parseAssertion(text)
    if (response === undefined || response.id !== credential.credentialId) return undefined
    const { userHandle, clientDataJSON } = response.response
    // No page of this application is ever shown in a frame.
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
          // The policy judges the counter, not the library.
          counter: 0,
        },
      }),
    )
    if (verified?.verified !== true) return undefined
    return { counter: verified.authenticationInfo.newCounter }
  }

  async #quietly<T>(verify: (site: RelyingPartyName) => Promise<T>): Promise<T | undefined> {
    const site = this.#site.name()
    if (site === undefined) return undefined
    try {
      return await verify(site)
    } catch {
      return undefined
    }
  }
}

function expectedOf(
  site: RelyingPartyName,
  ceremony: { readonly challenge: string; readonly verification: UserVerification },
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
