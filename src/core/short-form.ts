import { inOneLine } from './shown.ts'

/** What may stand in a sentence. */
export type SentenceValue = string | number | undefined

/** What a short form ends with. */
export const ADVICE = 'run the program without a bundler to read it in full'

/** A sentence as long as its strings are not there: its number, and what stands between them. */
export function shortForm(number: number, values: readonly SentenceValue[]): string {
  const quoted = values.map((value) => ` ${JSON.stringify(inOneLine(String(value)))}`)
  return `[sallyport refusal ${number}${quoted.join('')}: ${ADVICE}]`
}

/** A sentence of its strings and what stands between them. */
export function joined(strings: readonly string[], values: readonly SentenceValue[]): string {
  return String.raw({ raw: strings }, ...values)
}
