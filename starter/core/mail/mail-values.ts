import { CORE_TEXTS, inEachLanguage, languageOf } from '../messages/language.ts'

// Longest value that a text takes: names of factors, devices and tokens are chosen by people and by their browsers.
const MAX_VALUE_CHARACTERS = 80

/** Keeps what people and browsers chose on its line: nobody writes paragraphs into a mail of this application. */
export function plainValue(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  return line.length <= MAX_VALUE_CHARACTERS ? line : `${line.slice(0, MAX_VALUE_CHARACTERS)}…`
}

/** @returns Date and time in UTC, which the text says. */
export function formatMailTime(timestamp: number, language: string): string {
  return FORMATS[languageOf(language)].format(new Date(timestamp * 1000))
}

const FORMATS = inEachLanguage((language) => formatOf(CORE_TEXTS[language].about.dates))

function formatOf(locale: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
}
