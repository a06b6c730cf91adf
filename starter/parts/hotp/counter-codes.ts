import { generateURI, verify } from 'otplib/functional'
import type { CodeMethod, TypedToken } from '../../core/factors/factor-kinds.ts'

/**
 * How many counters are tried, the first unused one included (RFC 4226 section 7.4). A device whose button was pressed more often
 * in between is no longer understood; each further counter would make every guess more likely to be right.
 */
export const HOTP_LOOK_AHEAD = 5

/** Codes that are made from a counter (RFC 4226). */
export class CounterCodes implements CodeMethod {
  /**
   * @returns The counter whose code it is; undefined when it is the code of none of the next ones. Counters up to the last accepted one
   *   are not even looked at.
   */
  async match({ secret, token, last }: TypedToken): Promise<number | undefined> {
    const counter = last === null ? 0 : last + 1
    const counterTolerance = HOTP_LOOK_AHEAD - 1
    const options = { strategy: 'hotp', secret: secret.reveal(), token, counter, counterTolerance } as const
    const result = await verify(options)
    return result.valid && !('timeStep' in result) ? counter + result.delta : undefined
  }

  /** @returns No limit: unlike time, a counter is not set back. */
  latest(): number {
    return Number.MAX_SAFE_INTEGER
  }

  /** @returns The `otpauth:` URI, which begins to count at zero. */
  uri(named: Parameters<CodeMethod['uri']>[0]): string {
    return generateURI({ ...named, strategy: 'hotp', counter: 0 })
  }
}
