/** The languages in tests: these speak English, and look at another language where there is one. @module */
import assert from 'node:assert/strict'
import { createTranslator } from '../core/messages/catalogue.ts'
import { HAS_CHOICE, type Language, LANGUAGES } from '../core/messages/language.ts'
import { PARTS } from '../parts.ts'

/** The languages beside English. */
export const OTHERS: readonly Language[] = LANGUAGES.filter((language) => language !== 'en')

/** One of them; English where it is the only language, so that a test of texts holds there, too. */
export const OTHER: Language = OTHERS[0] ?? 'en'

/** Options of a test that needs two languages. */
export const needsTwo: { readonly skip: string | false } = {
  skip: !HAS_CHOICE && 'the application has one language',
}

/** Path of the page where a language is chosen, if there is a choice. */
export const CHOICE: readonly string[] = HAS_CHOICE ? ['/language'] : []

/** Options of a request of somebody who prefers the other language. */
export const IN_OTHER: { readonly headers: Readonly<Record<string, string>> } = {
  headers: { 'accept-language': `${OTHER}-AT,${OTHER};q=0.9,en;q=0.5` },
}

const translator = createTranslator(PARTS)

/** @returns A message in the other language, as mails have it. */
export function saidInOther(
  id: string,
  { domain = 'messages', ...values }: Readonly<Record<string, string | number>> = {},
): string {
  const message = { id, domain: String(domain), values }
  assert.ok(translator.has(OTHER, message), id)
  return translator.translate(OTHER, message)
}

/** @returns The same as pages have it. */
export function shownInOther(...message: Parameters<typeof saidInOther>): string {
  return saidInOther(...message).replaceAll("'", '&#39;')
}
