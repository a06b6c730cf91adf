import { generateURI, verify } from 'otplib/functional'
import { inject } from 'sallyport'
import type { CodeMethod, TypedToken } from '../second-factor.ts'
import { Settings, type TotpLeeway } from '../settings.ts'
import { typedCode } from '../text/typed-code.ts'

/** Length of a time step in seconds. */
export const TOTP_PERIOD_SECONDS = 30

/** Default number of seconds for which a code is accepted after its step. */
export const DEFAULT_PAST_SECONDS: number = TOTP_PERIOD_SECONDS - 1

/** Seconds behind and ahead of the clock. */
export type TotpTolerance = [past: number, future: number]

/**
 * @param leeway Tolerated difference. Default: the current step, and the previous one for 29 seconds.
 * @returns The same, complete.
 * @throws {RangeError} If a leeway is not an integer from 0 to 29.
 */
export function toTolerance(leeway: TotpLeeway): TotpTolerance {
  const tolerance: TotpTolerance = [leeway.pastSeconds ?? DEFAULT_PAST_SECONDS, leeway.futureSeconds ?? 0]
  for (const seconds of tolerance) {
    if (!Number.isInteger(seconds) || seconds < 0 || seconds >= TOTP_PERIOD_SECONDS)
      throw new RangeError(
        `Cannot tolerate ${seconds} seconds: it must be a whole number from 0 to ${TOTP_PERIOD_SECONDS - 1}`,
      )
  }
  return tolerance
}

/** @returns The six digits of a code, as {@link typedCode} reads them; undefined for anything else. */
export function parseTotpCode(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const digits = typedCode(value)
  return /^[0-9]{6}$/.test(digits) ? digits : undefined
}

/** Codes that are made from the time (RFC 6238: SHA-1, 30 seconds). */
export class TotpCodes implements CodeMethod {
  readonly #tolerance = toTolerance(inject(Settings).leeway)

  /** @returns The time step whose code it is; undefined when it is the code of no tolerated step. */
  async match({ secret, token, now }: TypedToken): Promise<number | undefined> {
    const result = await verify({
      secret: secret.reveal(),
      token,
      epoch: now,
      epochTolerance: this.#tolerance,
      period: TOTP_PERIOD_SECONDS,
    })
    return result.valid && 'timeStep' in result ? result.timeStep : undefined
  }

  /** @returns The last tolerated step. */
  latest(now: number): number {
    const [, futureSeconds] = this.#tolerance
    return Math.floor((now + futureSeconds) / TOTP_PERIOD_SECONDS)
  }

  /** As {@link CodeMethod.uri}. */
  readonly uri: CodeMethod['uri'] = generateURI
}
