import type { EndingTokens } from '../tokens/ending-tokens.ts'
import type { ReadyRecoveries } from '../recovery/ready-recoveries.ts'
import { formatMailTime, plainValue } from './mail-values.ts'
import type { Mails } from './mails.ts'

/**
 * The mails that nobody's request sends: the waiting time of a recovery is over, a token ends soon. Each is sent once, after it was
 * noted: a process that ends in between loses the mail rather than sending it twice.
 */
export class Reminders {
  readonly #mails: Mails
  readonly #recoveries: ReadyRecoveries
  readonly #tokens: EndingTokens

  /**
   * @param services `mails`, and what they are about: `recoveries` and `tokens`.
   */
  constructor(services: {
    readonly mails: Mails
    readonly recoveries: ReadyRecoveries
    readonly tokens: EndingTokens
  }) {
    this.#mails = services.mails
    this.#recoveries = services.recoveries
    this.#tokens = services.tokens
  }

  /**
   * Sends what is due. It may run at any time, and in several processes at once. Where no mails are sent, nothing is noted.
   *
   * @returns How many mails were sent.
   */
  async run(): Promise<number> {
    if (!this.#mails.areSent) return 0
    return (await this.#ofRecoveries()) + (await this.#ofTokens())
  }

  async #ofRecoveries(): Promise<number> {
    let count = 0
    for await (const { cancel, expiresAt, ...to } of this.#recoveries.take()) {
      this.#mails.send('lost-ready', to, {
        url: this.#mails.linkTo('/login'),
        at: formatMailTime(expiresAt, to.language),
        cancel: this.#mails.linkTo(`/lost/cancel/${cancel}`),
      })
      count += 1
    }
    return count
  }

  async #ofTokens(): Promise<number> {
    let count = 0
    for await (const { name, expiresAt, ...to } of this.#tokens.take()) {
      this.#mails.send('token-ends', to, {
        name: plainValue(name),
        at: formatMailTime(expiresAt, to.language),
        url: this.#mails.linkTo('/account/security/tokens'),
      })
      count += 1
    }
    return count
  }
}
