import { PASSKEY_POLICY, type PasskeyPolicy } from './identity/factors/passkey-policy.ts'
import type { TotpLeeway } from './identity/factors/totp-code.ts'

/** What an installation may choose: parts add to it. A service asks for the settings that it uses, one by one. */
export class Settings {
  /**
   * Scheme and host of the pages, with which links in mails about an account begin, and with which passkeys are registered; undefined
   * while that is not known: those mails have no links then, and there are no passkeys. It is configured: what a request claims to
   * be its origin must not reach a mail.
   */
  readonly origin: () => string | undefined = () => undefined
  /** The path of the host below which the pages are, such as `/accounts`; empty for none. */
  readonly basePath: string = ''
  /** Tolerated difference between codes and the clock. */
  readonly leeway: TotpLeeway = {}
  /** What is expected of the authenticators of passkeys. */
  readonly passkeyPolicy: PasskeyPolicy = PASSKEY_POLICY

  /**
   * @param chosen What differs from the defaults.
   */
  constructor(chosen: Partial<Settings> = {}) {
    Object.assign(this, chosen)
  }
}
