import { sentences } from './sentences.ts'
import { ADVICE, joined } from './short-form.ts'

export { sentences }

const SHORT_FORM = new RegExp(`\\[sallyport refusal (\\d+)((?: "(?:[^"\\\\]|\\\\.)*")*): ${ADVICE}\\]`, 'g')
const VALUE = / ("(?:[^"\\]|\\.)*")/g

/** Completes the messages of an error and of those behind it, where they have short forms of sentences. */
export function complete(thrown: unknown, seen: Set<unknown> = new Set()): void {
  if (!(thrown instanceof Error) || seen.has(thrown)) return
  seen.add(thrown)
  const { message, stack, cause } = thrown
  thrown.message = completed(message)
  if (stack !== undefined) thrown.stack = stack.replace(message, () => thrown.message)
  complete(cause, seen)
  if (thrown instanceof AggregateError) for (const each of thrown.errors) complete(each, seen)
}

function completed(message: string): string {
  return message.replace(SHORT_FORM, (short, number: string, quoted: string) => {
    const strings = sentences[Number(number)]
    if (strings === undefined) return short
    const values = [...quoted.matchAll(VALUE)].map(([, value = '']) => String(JSON.parse(value)))
    // A value may itself be a sentence.
    return joined(strings, values.map(completed))
  })
}
