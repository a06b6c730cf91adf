/** Lets steps that name what they click in one language work on pages of another. @module */
import type { Locator, Page } from 'playwright-core'

/** Messages by their identifiers. */
export type Wordings = Readonly<Record<string, string>>

/** What finds an element by its words. */
type Finder = Pick<Locator, 'getByLabel' | 'getByRole' | 'getByText'>

interface Languages {
  readonly named: Wordings
  readonly shown: Wordings
}

/**
 * Makes a page find its elements by words of another language than it shows: by label, role and text.
 *
 * @param page The page.
 * @param named Messages of the language in which elements are named.
 * @param shown The same messages in the language of the page.
 */
export function findInLanguage(page: Page, named: Wordings, shown: Wordings): void {
  translateNames(page, { named, shown })
}

function translateNames(finder: Finder, language: Languages): void {
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

// Several messages may have the same words: any of their translations will do.
function inLanguage(name: string | RegExp, language: Languages, { exact = false }: Match = {}): RegExp {
  if (name instanceof RegExp)
    return new RegExp(translated(name.source.replace(/^\^/, ''), language), name.flags)
  return exact
    ? new RegExp(`^\\s*${translated(name, language)}\\s*$`)
    : new RegExp(translated(name, language), 'i')
}

// What follows the words of a message, such as the name of a device, stays. A part of a message stands for all of it.
function translated(name: string, language: Languages): string {
  const messages = Object.entries(language.named)
  const begun = messages.filter(([, text]) => text !== '' && name.startsWith(text))
  const longest = Math.max(0, ...begun.map(([, text]) => text.length))
  const whole = begun.filter(([, text]) => text.length === longest)
  const found = whole.length > 0 ? whole : messages.filter(([, text]) => text.includes(name))
  if (found.length === 0) return escape(name)
  const texts = new Set(found.map(([id]) => language.shown[id] ?? ''))
  const rest = whole.length > 0 ? name.slice(longest) : ''
  const after = rest.startsWith(': ') ? `: ${translated(rest.slice(': '.length), language)}` : rest
  return `(?:${[...texts].map(escape).join('|')})${after}`
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}
