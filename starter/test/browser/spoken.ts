import type { Page } from 'playwright-core'
import { findInLanguage } from 'sallyport-app/testing/browser'
import { languageOf } from '../../core/messages/language.ts'
import { catalogues } from '../catalogues.ts'

/** Makes a page find its elements by the English words, whatever language its browser asks for. */
export function speak(page: Page, tag = 'en'): void {
  const own = catalogues[languageOf(tag.slice(0, 2))]
  if (own !== catalogues.en) findInLanguage(page, catalogues.en.messages, own.messages)
}
