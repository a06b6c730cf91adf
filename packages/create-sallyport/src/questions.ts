/**
 * The questions in a terminal: one for everything that the words of the command line do not say.
 *
 * @module
 */
import type { Readable, Writable } from 'node:stream'
import { confirm, intro, isCancel, multiselect, select, text } from '@clack/prompts'
import { chooseParts, type KitPart, MINIMAL, PRESETS } from './catalogue.ts'
import { DATABASES } from './database.ts'
import { DEFAULT_PRESET, type Given } from './options.ts'

/** A part, and what it adds in one sentence. */
export interface DescribedPart extends KitPart {
  readonly summary: string
}

/** What is known before the questions. */
export interface Known {
  readonly given: Given
  /** The parts of the kit, each with what it adds. */
  readonly parts: readonly DescribedPart[]
  /** Tags of the languages of the kit. */
  readonly languages: readonly string[]
  /** Says why no project can be made in a folder; undefined if one can. */
  readonly refusal: (folder: string) => string | undefined
}

/** Where the questions are asked. Default: the terminal of the process. */
export interface Terminal {
  readonly input?: Readable
  readonly output?: Writable
}

const ABOUT: Readonly<Record<string, string>> = {
  minimal: 'the notebook of the tutorial: accounts, a second step, one page',
  standard: 'the starter with passkeys and the pages of sessions and activity',
  full: 'the starter with all of its parts',
}

class Canceled extends Error {}

/**
 * @param known What is known before.
 * @param terminal Where the questions are asked.
 * @returns What is known then; null if somebody canceled a question.
 */
export async function ask(known: Known, terminal: Terminal = {}): Promise<Given | null> {
  try {
    return await askAll(known, terminal)
  } catch (error) {
    if (error instanceof Canceled) return null
    throw error
  }
}

async function askAll({ given, parts, languages: all, refusal }: Known, terminal: Terminal): Promise<Given> {
  intro('A new project with Sallyport', terminal)
  const folder = given.folder ?? (await askFolder(refusal, terminal))
  const preset = given.preset ?? (await askPreset(terminal))
  const named = given.added ?? given.left
  const hasParts = preset !== MINIMAL && named === undefined
  const chosen = hasParts ? await askParts(preset, parts, terminal) : given
  const languages = given.languages ?? (await askLanguages(preset, all, terminal))
  const database = given.database ?? (await askDatabase(preset, terminal))
  const installs = given.installs ?? (await isYes('Install the packages?', terminal))
  const usesGit = given.usesGit ?? (await isYes('Make a git repository?', terminal))
  const { added, left } = chosen
  return { ...given, folder, preset, added, left, languages, database, installs, usesGit }
}

function askFolder(refusal: (folder: string) => string | undefined, terminal: Terminal): Promise<string> {
  const preset = 'my-app'
  return answerOf(
    text({
      ...terminal,
      message: 'In which folder?',
      placeholder: preset,
      defaultValue: preset,
      validate: (typed) => refusal(typed === undefined || typed === '' ? preset : typed),
    }),
  )
}

function askPreset(terminal: Terminal): Promise<string> {
  const options = Object.keys(PRESETS).map((value) => ({ value, label: value, hint: ABOUT[value] ?? '' }))
  return answerOf(select({ ...terminal, message: 'Which preset?', options, initialValue: DEFAULT_PRESET }))
}

async function askParts(
  preset: string,
  parts: readonly DescribedPart[],
  terminal: Terminal,
): Promise<{ readonly added: readonly string[]; readonly left: readonly string[] }> {
  const ofPreset = chooseParts(parts, { preset, added: [], left: [] })
  const chosen = await answerOf(
    multiselect({
      ...terminal,
      message: 'Which parts? The space bar adds one or leaves it out.',
      options: parts.map(({ name, summary }) => ({ value: name, label: name, hint: summary })),
      initialValues: [...ofPreset],
      required: false,
      maxItems: 12,
    }),
  )
  return {
    added: chosen.filter((name) => !ofPreset.includes(name)),
    left: ofPreset.filter((name) => !chosen.includes(name)),
  }
}

async function askLanguages(
  preset: string,
  all: readonly string[],
  terminal: Terminal,
): Promise<readonly string[] | undefined> {
  if (preset === MINIMAL) return undefined
  const names = new Intl.DisplayNames('en', { type: 'language' })
  const [first = '', ...others] = all
  const chosen = await answerOf(
    multiselect({
      ...terminal,
      message: `Which languages beside ${names.of(first)}? The space bar adds one or leaves it out.`,
      options: others.map((tag) => ({ value: tag, label: names.of(tag) ?? tag })),
      initialValues: others,
      required: false,
    }),
  )
  return [first, ...chosen]
}

async function askDatabase(preset: string, terminal: Terminal): Promise<string | undefined> {
  if (preset === MINIMAL) return undefined
  const hints = ['a file, nothing to install', 'with a service for Docker']
  const options = DATABASES.map((value, index) => ({ value, label: value, hint: hints[index] ?? '' }))
  return answerOf(select({ ...terminal, message: 'Which database?', options }))
}

function isYes(message: string, terminal: Terminal): Promise<boolean> {
  return answerOf(confirm({ ...terminal, message }))
}

async function answerOf<T>(question: Promise<T>): Promise<Exclude<T, symbol>> {
  const answer = await question
  if (isCancel(answer)) throw new Canceled()
  return answer as Exclude<T, symbol>
}
