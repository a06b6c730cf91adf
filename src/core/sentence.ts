import { inOneLine } from './shown.ts'
import { late } from './late.ts'
import type * as Installed from './sentences.ts'
import type { Sentences } from './sentences.ts'

/** What may stand in a sentence. */
type Value = string | number | undefined

// The build replaces it, here and in sentences.ts: both must be of the same build.
const EDITION = 'sources'
const ADVICE = 'run the program without a bundler to read it in full'
const SHORT_FORM = new RegExp(`\\[sallyport refusal (\\d+)((?: "(?:[^"\\\\]|\\\\.)*")*): ${ADVICE}\\]`, 'g')

// Undefined until the first one is needed; null where they are not beside this file, as in a bundle.
let sentences: Sentences | null | undefined
let hasShortForms = false

/**
 * Marks a sentence for a programmer, or a part of one, which nothing needs until something is refused. In the sources this
 * gives the string as it stands. The build of the package moves all such sentences into one file and leaves a number here,
 * so that neither a start nor a bundle pays for them. That file is read when the first sentence is needed; a bundle has it
 * as a chunk, which can only be awaited: until {@link completeMessage} has done so, the sentence has a short form.
 *
 * @param text The strings of the sentence; its number in the package as it is built.
 * @param values What stands between the strings.
 * @returns The sentence.
 */
export function sentence(text: TemplateStringsArray | number, ...values: readonly Value[]): string {
  if (typeof text !== 'number') return joined(text, values)
  if (sentences === undefined) sentences = installed()
  const strings = sentences?.[text]
  return strings === undefined ? shortForm(text, values) : joined(strings, values)
}

/**
 * Completes the message of an error, and of those behind it, before anybody sees it.
 *
 * @param thrown Any value.
 * @returns Null if there is nothing to wait for; otherwise a promise that never rejects: without the file of sentences the
 * short forms stay.
 */
export function completeMessage(thrown: unknown): null | Promise<void> {
  if (!hasShortForms) return null
  return readSentences().then(
    () => complete(thrown, new Set()),
    () => undefined,
  )
}

/**
 * Reads all sentences, for code that puts messages of errors together.
 */
export async function readSentences(): Promise<void> {
  await bundled()
}

const bundled = late(async () => {
  const file = await import('./sentences.ts')
  sentences = file.sentences
  return file
})

// Not by a path, at which the folder of a bundle could hold a file of the application.
function installed(): Sentences | null {
  try {
    const { createRequire } = process.getBuiltinModule('node:module')
    const file = createRequire(import.meta.url)('#sallyport-sentences') as typeof Installed
    return file.edition === EDITION ? file.sentences : null
  } catch {
    return null
  }
}

function joined(strings: readonly string[], values: readonly Value[]): string {
  return String.raw({ raw: strings }, ...values)
}

function shortForm(number: number, values: readonly Value[]): string {
  hasShortForms = true
  const quoted = values.map((value) => ` ${JSON.stringify(inOneLine(String(value)))}`)
  return `[sallyport refusal ${number}${quoted.join('')}: ${ADVICE}]`
}

function completed(message: string): string {
  return message.replace(SHORT_FORM, (short, number: string, quoted: string) => {
    const strings = sentences?.[Number(number)]
    if (strings === undefined) return short
    const values = [...quoted.matchAll(/ ("(?:[^"\\]|\\.)*")/g)].map(([, value = '']) =>
      String(JSON.parse(value)),
    )
    // A value may itself be a sentence.
    return joined(strings, values.map(completed))
  })
}

function complete(thrown: unknown, seen: Set<unknown>): void {
  if (!(thrown instanceof Error) || seen.has(thrown)) return
  seen.add(thrown)
  const { message, stack, cause } = thrown
  thrown.message = completed(message)
  if (stack !== undefined) thrown.stack = stack.replace(message, () => thrown.message)
  complete(cause, seen)
  if (thrown instanceof AggregateError) for (const each of thrown.errors) complete(each, seen)
}
