import { generateURI, verify } from 'otplib/functional'
import { inject } from 'sallyport'
import { z } from 'zod'
import { typedCode } from 'sallyport-app/text'
import { Settings, type TotpLeeway } from '../settings.ts'
import type { CodeMethod, TypedToken } from './factor-kinds.ts'

/** Length of a time step in seconds. */
export const TOTP_PERIOD_SECONDS = 30

/** Default number of seconds for which a code is accepted after its step. */
export const DEFAULT_PAST_SECONDS: number = TOTP_PERIOD_SECONDS - 1

// Default: the current step, and the previous one for 29 seconds.
function toTolerance({
  pastSeconds = DEFAULT_PAST_SECONDS,
  futureSeconds = 0,
}: TotpLeeway): [past: number, future: number] {
  for (const seconds of [pastSeconds, futureSeconds])
    if (!Number.isInteger(seconds) || seconds < 0 || seconds >= TOTP_PERIOD_SECONDS)
      throw new RangeError(
        `Cannot tolerate ${seconds} seconds: it must be a whole number from 0 to ${TOTP_PERIOD_SECONDS - 1}`,
      )
  return [pastSeconds, futureSeconds]
}

/** @returns The six digits of a code, as {@link typedCode} reads them; undefined for anything else. */
export function parseTotpCode(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const digits = typedCode(value)
  return /^[0-9]{6}$/.test(digits) ? digits : undefined
}

/**
 * The field of such a code, typed or pasted with spaces and dashes of any kind. What cannot be a code is refused before anything is counted
 * or looked up: a slip costs no attempt, and the answer depends on nothing but what was typed.
 */
export const authenticatorCode: z.ZodType<string> = z.stringFormat(
  'six_digits',
  (text) => parseTotpCode(text) !== undefined,
)

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
