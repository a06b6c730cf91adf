import { WrittenTimes } from 'sallyport-app/pages'
import * as de from './de/texts.ts'
import * as en from './en/texts.ts'

/** The languages of the application; the first one is the default. `docs/languages.md` says how one more is added. */
export const LANGUAGES = ['en', 'de'] as const

/** One of the languages. */
export type Language = (typeof LANGUAGES)[number]

/** What the core says in one language: by subject, then by identifier. */
type CoreTexts = {
  readonly [Subject in keyof typeof en]: Readonly<Record<keyof (typeof en)[Subject], string>>
}

/** The core in each language. A text that one of them lacks does not compile. */
export const CORE_TEXTS: Readonly<Record<Language, CoreTexts>> = { en, de }

/** What each language calls itself. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = inEachLanguage(
  (language) => CORE_TEXTS[language].about.name,
)

/** Whether people choose a language. */
export const HAS_CHOICE: boolean = Object.keys(CORE_TEXTS).length > 1

/** Writes times as the readers of each language expect them. */
export const TIMES: WrittenTimes = new WrittenTimes(
  inEachLanguage((language) => CORE_TEXTS[language].about.dates),
)

/** Messages of one part: by language, then by identifier, in ICU MessageFormat. */
export type Texts = Readonly<Record<Language, Readonly<Record<string, string>>>>

/** @returns The language of the application; the default one for any other tag. */
export function languageOf(tag: string): Language {
  return LANGUAGES.find((language) => language === tag) ?? LANGUAGES[0]
}

/** @returns What is made for each language. */
export function inEachLanguage<T>(make: (language: Language) => T): Readonly<Record<Language, T>> {
  // The entries are those of all languages.
  return Object.fromEntries(LANGUAGES.map((language) => [language, make(language)])) as Record<Language, T>
}
