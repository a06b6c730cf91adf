/** The languages of the application; the first one is the default. */
export const LANGUAGES = ['en', 'de'] as const

/** One of the languages. */
export type Language = (typeof LANGUAGES)[number]

/** What each language calls itself. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' }

/** Messages of one subject: by language, then by identifier, in ICU MessageFormat. */
export type Texts<Id extends string = string> = Readonly<Record<Language, Readonly<Record<Id, string>>>>

/** @returns The language of the application; the default one for any other tag. */
export function languageOf(tag: string): Language {
  return LANGUAGES.find((language) => language === tag) ?? LANGUAGES[0]
}
