import { CORE_TEXTS, inEachLanguage, languageOf } from '../messages/language.ts'

/** @returns Date and time in UTC, which the text says. */
export function formatMailTime(timestamp: number, language: string): string {
  return FORMATS[languageOf(language)].format(new Date(timestamp * 1000))
}

const FORMATS = inEachLanguage((language) => formatOf(CORE_TEXTS[language].about.dates))

function formatOf(locale: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
}
