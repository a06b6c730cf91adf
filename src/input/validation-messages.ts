import type { ViolationParameters } from './violation.ts'

/** The message for a value that is refused for no known reason. */
export const GENERIC_MESSAGE = 'Invalid value'

// Making one takes 20 ms.
let numberFormat: Intl.NumberFormat | null = null
const KIB = 1024

type Message = string | ((parameters: ViolationParameters) => string | undefined)

// The English catalogue of the domain `validation`. Each entry is in the table of docs/input.md.
const MESSAGES: Readonly<Record<string, Message>> = {
  required: 'This field is required',
  too_short: ({ minimum }) => counted('Use at least', minimum, 'character') ?? 'This is too short',
  too_long: ({ maximum }) => counted('Use at most', maximum, 'character') ?? 'This is too long',
  wrong_length: ({ length }) => counted('Use exactly', length, 'character') ?? 'This has the wrong length',
  too_low: ({ minimum }) => (minimum === undefined ? 'This is too low' : `Enter ${shown(minimum)} or more`),
  too_high: ({ maximum }) => (maximum === undefined ? 'This is too high' : `Enter ${shown(maximum)} or less`),
  not_above: ({ minimum }) =>
    minimum === undefined ? 'This is too low' : `Enter more than ${shown(minimum)}`,
  not_below: ({ maximum }) =>
    maximum === undefined ? 'This is too high' : `Enter less than ${shown(maximum)}`,
  not_a_number: 'Enter a number',
  not_whole: 'Enter a whole number',
  not_multiple: ({ divisor }) =>
    divisor === undefined ? 'Enter another number' : `Enter a multiple of ${shown(divisor)}`,
  too_few: ({ minimum }) => (minimum === undefined ? 'Choose more' : `Choose at least ${shown(minimum)}`),
  too_many: ({ maximum }) => (maximum === undefined ? 'Choose fewer' : `Choose at most ${shown(maximum)}`),
  wrong_count: ({ length }) => (length === undefined ? 'Choose another number' : `Choose ${shown(length)}`),
  not_an_option: 'Choose one of the options',
  too_early: ({ minimum }) =>
    minimum === undefined ? 'This is too early' : `Enter ${shown(minimum)} or later`,
  too_late: ({ maximum }) =>
    maximum === undefined ? 'This is too late' : `Enter ${shown(maximum)} or earlier`,
  invalid_email: 'Enter an e-mail address, such as name@example.com',
  invalid_url: 'Enter a URL, such as https://example.com',
  invalid_date: 'Enter a date',
  invalid_time: 'Enter a time',
  invalid_date_time: 'Enter a date and a time',
  invalid_format: ({ expected }) => described(expected) ?? 'This does not have the right format',
  file_too_small: ({ minimum }) =>
    minimum === undefined ? 'This file is too small' : `Choose a file of at least ${size(minimum)}`,
  file_too_large: ({ maximum }) =>
    maximum === undefined ? 'This file is too large' : `Choose a file of at most ${size(maximum)}`,
  files_too_large: ({ maximum }) =>
    maximum === undefined ? 'These files are too large' : `Choose files of at most ${size(maximum)} together`,
  too_many_files: ({ maximum }) =>
    maximum === undefined
      ? 'Choose fewer files'
      : maximum === 1
        ? 'Choose one file'
        : `Choose at most ${shown(maximum)} files`,
  file_required: 'Choose a file',
  wrong_file_type: ({ options }) =>
    options === undefined ? 'Choose a file of another type' : `Choose a file of the type ${shown(options)}`,
  wrong_type: 'This value has the wrong type',
  unknown_field: 'This field is not known',
  invalid: ({ expected }) => described(expected),
}

/**
 * @param id Identifier of a message of the domain `validation`.
 * @param parameters Values of its placeholders; a missing one makes the message less exact.
 * @returns The English message; undefined for an unknown identifier.
 */
export function englishMessage(id: string, parameters: ViolationParameters): string | undefined {
  const message = Object.hasOwn(MESSAGES, id) ? MESSAGES[id] : undefined
  return typeof message === 'function' ? message(parameters) : message
}

type Parameter = ViolationParameters[string]

// arktype describes what a narrowed type expects: "nice".
function described(expected: Parameter | undefined): string | undefined {
  if (typeof expected !== 'string' || expected.startsWith('matched by ')) return undefined
  return `This must be ${expected}`
}

function counted(text: string, count: Parameter | undefined, noun: string): string | undefined {
  return count === undefined ? undefined : `${text} ${shown(count)} ${noun}${count === 1 ? '' : 's'}`
}

function shown(value: Parameter): string {
  if (value instanceof Date) return value.toISOString().replace('T00:00:00.000Z', '')
  return typeof value === 'number' ? formatNumber(value) : value
}

function size(bytes: Parameter): string {
  if (typeof bytes !== 'number') return shown(bytes)
  if (bytes < KIB) return `${shown(bytes)} bytes`
  const inKib = bytes < KIB * KIB
  return `${formatNumber(Math.round((bytes / (inKib ? KIB : KIB * KIB)) * 10) / 10)} ${inKib ? 'KB' : 'MB'}`
}

function formatNumber(value: number): string {
  numberFormat ??= new Intl.NumberFormat('en')
  return numberFormat.format(value)
}
