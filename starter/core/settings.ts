/** Tolerated difference between a code's time and the clock. Whole seconds, less than one step each. */
export interface TotpLeeway {
  /** Behind the clock: accepts a code that expired while it was typed. Default: 29. */
  readonly pastSeconds?: number
  /** Ahead of the clock. Default: 0. */
  readonly futureSeconds?: number
}

/** What an installation may choose: parts add to it. A service asks for the settings that it uses, one by one. */
export class Settings {
  /**
   * Scheme and host of the pages, with which links in mails about an account begin; undefined while that is not known: those mails have
   * no links then. It is configured: what a request claims to be its origin must not reach a mail.
   */
  readonly origin: () => string | undefined = () => undefined
  /** The path of the host below which the pages are, such as `/accounts`; empty for none. */
  readonly basePath: string = ''
  /** Tolerated difference between codes and the clock. */
  readonly leeway: TotpLeeway = {}

  constructor(chosen: Partial<Settings> = {}) {
    Object.assign(this, chosen)
  }
}
