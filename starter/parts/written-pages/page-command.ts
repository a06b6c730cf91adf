import { readFile } from 'node:fs/promises'
import type { App } from 'sallyport'
import { UsageError } from 'sallyport-app/commands'
import type { Command } from '../../core/commands/command.ts'
import { LANGUAGES } from '../../core/messages/language.ts'
import { Pages } from './pages.ts'

/** Writes a page. */
export const page: Command = {
  usage: 'page NAME LANGUAGE FILE [--draft]',
  summary: 'publishes a page of plain text at /NAME; the first line of the file is its title',
  words: [3, 3],
  options: { draft: { type: 'boolean' } },
  async run({ app, words, options }) {
    const [slug = '', tag = '', file = ''] = words
    const language = LANGUAGES.find((each) => each === tag)
    if (language === undefined) throw new UsageError(`the language is one of ${LANGUAGES.join(', ')}`)
    const text = await readText(file)
    const [title = '', ...lines] = text.split(/\r?\n/)
    const state = options['draft'] === true ? 'draft' : 'published'
    if (await isTaken(app, slug))
      throw new UsageError(`/${slug} is a path of the application itself: choose another name for the page`)
    try {
      await app.get(Pages).save({ slug, language, title: title.trim(), body: lines.join('\n').trim(), state })
    } catch (cause) {
      if (cause instanceof RangeError) throw new UsageError(cause.message)
      throw cause
    }
    return state === 'draft'
      ? `/${slug} is a draft in ${language}: nobody finds it.`
      : `/${slug} is published in ${language}.`
  },
}

// The resolver of written pages is asked only for paths that nothing else has.
async function isTaken(app: App, slug: string): Promise<boolean> {
  const { steps } = await (await app.inspection()).explain('GET', `/${slug}`)
  return steps.every(({ kind }) => kind !== 'resolver')
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch {
    throw new UsageError(`the file ${JSON.stringify(file)} cannot be read`)
  }
}
