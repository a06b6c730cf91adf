import { Translator } from 'sallyport/i18n'
import { joinedTexts } from 'sallyport-app/text'
import { BRAND } from '../brand.ts'
import type { Part } from '../part.ts'
import { CORE_TEXTS, inEachLanguage, type Language } from './language.ts'

/** The messages of one language: of pages and mails, of fields of forms, and of credentials. */
export type LanguageMessages = Readonly<
  Record<'messages' | 'validation' | 'auth', Readonly<Record<string, string>>>
>

/** The messages of each language. */
export type Catalogues = Readonly<Record<Language, LanguageMessages>>

/**
 * @returns Every text of the application.
 * @throws {Error} If two subjects have a message of the same identifier.
 */
export function cataloguesOf(parts: readonly Part[]): Catalogues {
  return inEachLanguage((language) => {
    const { about: _, validation, auth, ...pages } = CORE_TEXTS[language]
    const ofParts = parts.map(({ texts }) => texts?.[language] ?? {})
    const messages = joinedTexts([brandTexts(language), ...Object.values(pages), ...ofParts])
    return { messages, validation, auth }
  })
}

/**
 * @returns The translator of the application.
 * @throws {Error} If two subjects have a message of the same identifier.
 */
export function createTranslator(parts: readonly Part[]): Translator {
  return new Translator(cataloguesOf(parts))
}

function brandTexts(language: Language): Readonly<Record<string, string>> {
  const [first = ''] = Object.values(BRAND.about)
  return { 'layout.site': BRAND.name, 'layout.about': BRAND.about[language] ?? first }
}
