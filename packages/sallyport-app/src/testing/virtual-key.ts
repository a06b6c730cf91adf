/** A virtual authenticator of Chromium: a passkey on the device, or a security key beside it. @module */
import type { CDPSession, Page } from 'playwright-core'

/** What an authenticator can do. */
export interface KeyOptions {
  /** Whether it keeps passkeys that name their account. Default: true. */
  readonly hasResidentKey?: boolean
  /** Whether it verifies its user by a PIN, a fingerprint or a face. Default: true. */
  readonly hasUserVerification?: boolean
  /** Whether it answers at once, as if it was touched. Default: true. */
  readonly answers?: boolean
}

/** What an authenticator keeps. */
export interface KeptCredential {
  /** Its identifier in base64. */
  readonly credentialId: string
  /** Whether it names its account. */
  readonly isResidentCredential: boolean
  /** Site that it is for. Default: that of the page. */
  readonly rpId?: string
  /** Its private key as PKCS #8, in base64. */
  readonly privateKey: string
  /** How often it was used. */
  readonly signCount: number
}

/**
 * Has the browser give up after a second, and not after minutes. Pages behind a redirect are not changed.
 *
 * @param page The page, before it opens what asks for a passkey.
 */
export async function hurryPasskeys(page: Page): Promise<void> {
  await page.route(/\/(login|account|passkey)(\/|\?|$)/, async (route) => {
    if (route.request().method() !== 'GET') return route.continue()
    const response = await route.fetch({ maxRedirects: 0 })
    const body = (await response.text()).replace(/&quot;timeout&quot;:\d+/, '&quot;timeout&quot;:1000')
    await route.fulfill({ response, body })
  })
}

/** An authenticator that is plugged into the window of a user. */
export class VirtualKey {
  readonly #devtools: CDPSession
  readonly #authenticatorId: string

  private constructor(devtools: CDPSession, authenticatorId: string) {
    this.#devtools = devtools
    this.#authenticatorId = authenticatorId
  }

  /**
   * @param window The window.
   * @param options What it can do.
   * @returns The authenticator.
   */
  static async plugIn(window: { readonly page: Page }, options: KeyOptions = {}): Promise<VirtualKey> {
    const { hasResidentKey = true, hasUserVerification = true, answers = true } = options
    const devtools = await window.page.context().newCDPSession(window.page)
    await devtools.send('WebAuthn.enable')
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: hasResidentKey ? 'internal' : 'usb',
        hasResidentKey,
        hasUserVerification,
        isUserVerified: hasUserVerification,
        automaticPresenceSimulation: answers,
      },
    })
    return new VirtualKey(devtools, authenticatorId)
  }

  /**
   * Lists what it keeps.
   *
   * @returns Its credentials.
   */
  async credentials(): Promise<readonly KeptCredential[]> {
    const { credentials } = await this.#devtools.send('WebAuthn.getCredentials', this.#id)
    return credentials
  }

  /**
   * Replaces the credential that it keeps by one with other properties.
   *
   * @param changes The properties.
   */
  async change(changes: Partial<KeptCredential>): Promise<void> {
    const [kept] = await this.credentials()
    if (kept === undefined) throw new TypeError('Cannot change a credential: the authenticator keeps none')
    await this.forget()
    await this.keep({ ...kept, ...changes })
  }

  /**
   * @param credential What it keeps from now on, such as a copy of the credential of another authenticator.
   */
  async keep(credential: KeptCredential): Promise<void> {
    await this.#devtools.send('WebAuthn.addCredential', {
      ...this.#id,
      // The browser does not tell the site of a credential that names no account.
      credential: { rpId: 'localhost', ...credential },
    })
  }

  /** Loses everything that it keeps. */
  async forget(): Promise<void> {
    await this.#devtools.send('WebAuthn.clearCredentials', this.#id)
  }

  /**
   * @param answers Whether it answers at once, as if it was touched.
   */
  async answer(answers: boolean): Promise<void> {
    await this.#devtools.send('WebAuthn.setAutomaticPresenceSimulation', { ...this.#id, enabled: answers })
  }

  /**
   * @param isVerified Whether it recognizes its user.
   */
  async verify(isVerified: boolean): Promise<void> {
    await this.#devtools.send('WebAuthn.setUserVerified', { ...this.#id, isUserVerified: isVerified })
  }

  /** Pulls it out. */
  async unplug(): Promise<void> {
    await this.#devtools.send('WebAuthn.removeVirtualAuthenticator', this.#id)
  }

  get #id(): { readonly authenticatorId: string } {
    return { authenticatorId: this.#authenticatorId }
  }
}
