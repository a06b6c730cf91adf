import { late } from './late.ts'
import type * as Installed from './sentences.ts'
import type { Sentences } from './sentences.ts'
import { joined, type SentenceValue, shortForm } from './short-form.ts'

// The build replaces it, here and in sentences.ts: both must be of the same build.
const EDITION = 'sources'

// Undefined until the first one is needed; null where they are not beside this file, as in a bundle.
let sentences: Sentences | null | undefined
let hasShortForms = false

const completion = late(async () => {
  const file = await import('./completion.ts')
  sentences = file.sentences
  return file
})

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
export function sentence(text: TemplateStringsArray | number, ...values: readonly SentenceValue[]): string {
  if (typeof text !== 'number') return joined(text, values)
  if (sentences === undefined) sentences = installed()
  const strings = sentences?.[text]
  if (strings !== undefined) return joined(strings, values)
  hasShortForms = true
  return shortForm(text, values)
}

/**
 * Completes the message of an error, and of those behind it, before anybody sees it.
 *
 * @param thrown Any value.
 * @returns Null if there is nothing to wait for; otherwise a promise that never rejects: without the file of sentences the
 * short forms stay.
 */
export function completeMessage(thrown: unknown): null | Promise<void> {
  return hasShortForms ? completeLater(thrown) : null
}

async function completeLater(thrown: unknown): Promise<void> {
  try {
    const { complete } = await completion()
    complete(thrown)
  } catch {
    // Without the file the short forms stay, also those of an error that cannot be changed.
  }
}

/**
 * Reads all sentences, for code that puts messages of errors together.
 */
export async function readSentences(): Promise<void> {
  await completion()
}

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
