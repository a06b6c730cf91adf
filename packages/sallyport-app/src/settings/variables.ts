import { StartupError } from './startup-error.ts'

/** What a process was started with: `process.env`. */
export type Variables = Readonly<Record<string, string | undefined>>

/** An environment variable. */
export interface Variable<T> {
  /** What it must be, as the message to the operator says it. */
  readonly must: string
  /**
   * Reads it; undefined, or an exception, when it is malformed.
   *
   * @param text What it is set to; not empty.
   * @returns Its value.
   */
  readonly parse: (text: string) => T | undefined
  /** Whether no message shows it. Default: one does. */
  readonly isSecret?: true
}

/**
 * Reads an environment variable.
 *
 * @param name Its name, for the message.
 * @param text What it is set to; undefined when it is unset.
 * @param variable What it must be.
 * @returns The value; undefined when the variable is unset or empty.
 * @throws {StartupError} If it is malformed.
 */
export function readVariable<T>(
  name: string,
  text: string | undefined,
  variable: Variable<T>,
): T | undefined {
  const { must, parse, isSecret } = variable
  if (text === undefined || text === '') return undefined
  const shown = isSecret === true ? '' : `, not ${JSON.stringify(text)}`
  const malformed = (options?: ErrorOptions): StartupError =>
    new StartupError(`${name} must be ${must}${shown}`, options)
  let value
  try {
    value = parse(text)
  } catch (cause) {
    throw malformed({ cause })
  }
  if (value === undefined) throw malformed()
  return value
}

/**
 * Reads a switch, `1` or `0`.
 *
 * @param name Its name.
 * @param text What it is set to; undefined when it is unset.
 * @param unset What an unset one means. Default: off.
 * @returns Whether it is on.
 * @throws {StartupError} If it is malformed.
 */
export function readSwitch(name: string, text: string | undefined, unset = false): boolean {
  const parse = (given: string): boolean | undefined =>
    ['0', '1'].includes(given) ? given === '1' : undefined
  return readVariable(name, text, { must: '1 or 0', parse }) ?? unset
}

/**
 * Reads a whole number of at most five digits.
 *
 * @param name Its name.
 * @param text What it is set to: an unset one is what the caller puts in its place.
 * @param bounds The smallest and the largest that it may be.
 * @returns The number.
 * @throws {StartupError} If it is malformed.
 */
export function readNumber(name: string, text: string, bounds: readonly [number, number]): number {
  const [min, max] = bounds
  const parse = (given: string): number | undefined =>
    /^[0-9]{1,5}$/.test(given) && Number(given) >= min && Number(given) <= max ? Number(given) : undefined
  const must = `a number from ${min} to ${max}`
  const number = readVariable(name, text, { must, parse })
  if (number === undefined) throw new StartupError(`${name} must be ${must}`)
  return number
}
