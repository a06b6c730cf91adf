import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { catalogues } from '../catalogues.ts'
import { ofParts } from '../facts-of-parts.ts'
import { OTHERS } from '../languages.ts'
import { type Language, LANGUAGES } from '../../core/messages/language.ts'

// What no message of a language says, and why. A language need not have such a list.
const WITH_LIST = LANGUAGES.filter((language) =>
  existsSync(join(import.meta.dirname, `avoided.${language}.ts`)),
)
const AVOIDED = await Promise.all(
  WITH_LIST.map(async (language) => {
    const { avoided } = (await import(`./avoided.${language}.ts`)) as {
      readonly avoided: readonly (readonly [words: RegExp, why: string])[]
    }
    return { language, avoided }
  }),
)

// Words that are the same in both languages; the empty one is a text of values only.
const ALIKE: ReadonlySet<string> = new Set(['', 'Name', 'UTC', ...Object.keys(ofParts('alike'))])

// What the brand says may be the same in every language.
const OF_BRAND: ReadonlySet<string> = new Set(['layout.site', 'layout.about'])

function textsOf(language: Language): readonly (readonly [string, string])[] {
  const { messages, validation, auth } = catalogues[language]
  return [messages, validation, auth].flatMap((texts) => Object.entries(texts))
}

describe('the words of the messages', () => {
  for (const { language, avoided } of AVOIDED)
    for (const [words, why] of avoided)
      it(`${language}: none has ${String(words)}: ${why} [RA-3101]`, () => {
        const found = textsOf(language).filter(([, text]) => words.test(text))

        assert.deepEqual(found, [])
      })

  for (const language of OTHERS)
    it(`${language}: none is the same in English, except the words that both have [RA-3101]`, () => {
      const english = new Map(textsOf('en'))
      const letters = (text: string): string => text.replaceAll(/\{\w+\}/g, '').trim()
      const same = textsOf(language).filter(
        ([id, text]) => english.get(id) === text && !OF_BRAND.has(id) && !ALIKE.has(letters(text)),
      )

      assert.deepEqual(same, [])
    })
})
