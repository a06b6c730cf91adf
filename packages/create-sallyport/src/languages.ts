/**
 * The languages of the kit. Each has files of its own; other files name it in an import, in a list, or in a block about its file.
 *
 * @module
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The language of the tests: every project has it. */
const ALWAYS = 'en'
const LIST = 'core/messages/language.ts'

/**
 * @param kit Folder of the kit.
 * @returns Tags of its languages; the first one is the default.
 */
export function languagesOf(kit: string): readonly string[] {
  return languagesIn(readFileSync(join(kit, LIST), 'utf8'))
}

/**
 * @param files Texts of the kit.
 * @returns Tags of the languages that they have.
 */
export function languagesAmong(files: ReadonlyMap<string, string | Uint8Array>): readonly string[] {
  return languagesIn(Buffer.from(files.get(LIST) ?? '').toString())
}

function languagesIn(text: string): readonly string[] {
  const [, list = ''] = /^export const LANGUAGES = \[(.*)\] as const$/m.exec(text) ?? []
  return [...list.matchAll(/'([\w-]+)'/g)].map(([, tag = '']) => tag)
}

/**
 * @param all Tags of all languages that there are.
 * @param asked Those that somebody asked for; undefined for all.
 * @returns The chosen ones, in the order of `all`.
 * @throws {RangeError} If one is unknown, or English is not among them.
 */
export function chooseLanguages(
  all: readonly string[],
  asked: readonly string[] | undefined,
): readonly string[] {
  if (asked === undefined) return all
  const unknown = asked.find((tag) => !all.includes(tag))
  if (unknown !== undefined) throw new RangeError(`there is no language "${unknown}": use ${all.join(', ')}`)
  if (!asked.includes(ALWAYS))
    throw new RangeError(`"${ALWAYS}" must be one of the languages: the tests look for its words`)
  return all.filter((tag) => asked.includes(tag))
}

/**
 * @param path Path of a file of the kit.
 * @param tags Tags of languages.
 * @returns Whether the file is only there for one of these.
 */
export function isOfLanguage(path: string, tags: readonly string[]): boolean {
  return tags.some((tag) => path.startsWith(`core/messages/${tag}/`) || path.endsWith(`.${tag}.ts`))
}

/**
 * @param text Text of a program or a guide.
 * @param tags Tags of languages.
 * @returns The text without what names one of these.
 */
export function withoutLanguages(text: string, tags: readonly string[]): string {
  let left = text
  for (const tag of tags)
    left = left
      .replace(new RegExp(`^import (?:\\* as ${tag}|\\{ ${tag} \\}) from .*\\n`, 'm'), '')
      .replace(new RegExp(`^ +${tag}: '.*',\\n`, 'm'), '')
      .replace(new RegExp(`^\`[\\w./-]+\\.${tag}\\.ts\`:\\n\\n\`\`\`[^]*?\\n\`\`\`\\n\\n`, 'm'), '')
      .replaceAll(
        new RegExp(`, (?:${tag}(?= \\})|'${tag}'(?=\\] as const)|\`[\\w.-]+\\.${tag}\\.ts\`)`, 'g'),
        '',
      )
  return left
}
