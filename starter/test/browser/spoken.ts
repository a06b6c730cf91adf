/** Lets scenes that name what they click in English play on pages of another language. @module */
import type { Locator, Page } from 'playwright-core'
import { catalogues } from '../catalogues.ts'
import { type Language, languageOf } from '../../core/messages/language.ts'

/** What finds an element by its words. */
type Finder = Pick<Locator, 'getByLabel' | 'getByRole' | 'getByText'>

/**
 * Makes a page find its elements by the English words, whatever its language is.
 *
 * @param page The page.
 * @param tag Language that its browser asks for. Default: English.
 */
export function speak(page: Page, tag = 'en'): void {
  const language = languageOf(tag.slice(0, 2))
  if (language !== 'en') translateNames(page, language)
}

function translateNames(finder: Finder, language: Language): void {
  const label = finder.getByLabel.bind(finder)
  const text = finder.getByText.bind(finder)
  const role = finder.getByRole.bind(finder)
  finder.getByLabel = (name, options) => label(inLanguage(name, language, options))
  finder.getByText = (name, options) => text(inLanguage(name, language, options))
  finder.getByRole = (kind, { name, exact, ...options } = {}) => {
    const named = name === undefined ? {} : { name: inLanguage(name, language, { exact }) }
    const found = role(kind, { ...options, ...named })
    translateNames(found, language)
    return found
  }
}

interface Match {
  readonly exact?: boolean | undefined
}

// Several messages may have the same English words: any of their translations will do.
function inLanguage(name: string | RegExp, language: Language, { exact = false }: Match = {}): RegExp {
  if (name instanceof RegExp)
    return new RegExp(translated(name.source.replace(/^\^/, ''), language), name.flags)
  return exact
    ? new RegExp(`^\\s*${translated(name, language)}\\s*$`)
    : new RegExp(translated(name, language), 'i')
}

// What follows the words of a message, such as the name of a device, stays. A part of a message stands for all of it.
function translated(name: string, language: Language): string {
  const english = Object.entries(catalogues.en.messages)
  const begun = english.filter(([, text]) => text !== '' && name.startsWith(text))
  const longest = Math.max(0, ...begun.map(([, text]) => text.length))
  const whole = begun.filter(([, text]) => text.length === longest)
  const found = whole.length > 0 ? whole : english.filter(([, text]) => text.includes(name))
  if (found.length === 0) return escape(name)
  const texts = new Set(found.map(([id]) => catalogues[language].messages[id] ?? ''))
  const rest = whole.length > 0 ? name.slice(longest) : ''
  const after = rest.startsWith(': ') ? `: ${translated(rest.slice(': '.length), language)}` : rest
  return `(?:${[...texts].map(escape).join('|')})${after}`
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}
