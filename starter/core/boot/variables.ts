import { StartupError } from './startup-error.ts'

/** An environment variable. */
export interface Variable<T> {
  /** What it must be, as the message to the operator says it. */
  readonly must: string
  /** Reads it; undefined, or an exception, when it is malformed. */
  readonly parse: (text: string) => T | undefined
  /** Whether no message shows it. Default: one does. */
  readonly isSecret?: true
}

/**
 * @returns The value; undefined when the variable is unset or empty.
 * @throws {StartupError} If it is malformed.
 */
export function readVariable<T>(
  name: string,
  text: string | undefined,
  { must, parse, isSecret }: Variable<T>,
): T | undefined {
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

/** @param unset What an unset one means. Default: off. */
export function readSwitch(name: string, text: string | undefined, unset = false): boolean {
  const parse = (given: string): boolean | undefined =>
    ['0', '1'].includes(given) ? given === '1' : undefined
  return readVariable(name, text, { must: '1 or 0', parse }) ?? unset
}

/** @returns The whole number, within the bounds. */
export function readNumber(name: string, text: string, [min, max]: readonly [number, number]): number {
  const parse = (given: string): number | undefined =>
    /^[0-9]{1,5}$/.test(given) && Number(given) >= min && Number(given) <= max ? Number(given) : undefined
  const must = `a number from ${min} to ${max}`
  const number = readVariable(name, text, { must, parse })
  if (number === undefined) throw new StartupError(`${name} must be ${must}`)
  return number
}
