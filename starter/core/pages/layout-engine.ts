import { type TemplateSource, ViewEngine } from 'sallyport/view'
import type { Slots } from '../slots.ts'
import type { Account } from '../accounts/account.ts'
import { LANGUAGE_NAMES, LANGUAGES } from '../messages/language.ts'
import { toErrorPage } from './error-page.ts'
import { shownMessages } from './shown-messages.ts'

/** Template of error pages. */
export const ERROR_VIEW = 'errors/page'

// Pages that are not about the account, so that its menu is not beside them.
const WITHOUT_MENU: ReadonlySet<unknown> = new Set([
  '',
  'admin',
  'enrollment',
  'error',
  'home',
  'language',
  'login',
  'mailbox',
  'sign-up',
])

/** What every page may show of an application. */
interface Site {
  readonly hasSignUp: boolean
  readonly hasMailbox: boolean
  readonly slots: Slots
  /** Templates that warn the owner of an account. */
  readonly warningsOf: (account: Account) => Promise<readonly string[]>
}

/** Adds the data of the common layout to every page, error pages included. */
export class LayoutEngine extends ViewEngine {
  readonly #inner: ViewEngine
  readonly #defaults: Readonly<Record<string, unknown>>

  /** @param site What this application has: `hasSignUp`, `hasMailbox`, and the `slots` of its parts. */
  constructor(inner: ViewEngine, site: Site) {
    super()
    this.#inner = inner
    const languages = LANGUAGES.map((tag) => ({ tag, name: LANGUAGE_NAMES[tag] }))
    this.#defaults = {
      page: '',
      narrow: false,
      failed: false,
      door: 0,
      languages,
      here: '',
      titleValues: {},
      warning: undefined,
      again: undefined,
      typed: undefined,
      signsIn: false,
      initialsOf,
      shownMessages,
      ...site,
    }
  }

  /**
   * @returns The page.
   * @throws {Error} If the template does not exist or fails.
   */
  override render(template: string, data: Readonly<Record<string, unknown>>): Promise<string> {
    const added = template === ERROR_VIEW ? { ...data, ...toErrorPage(data['error'], data['deed']) } : data
    const page = { ...this.#defaults, ...added }
    return this.#inner.render(template, { ...page, shell: shellOf(page) })
  }

  /** @returns The names that the engine inside does not show. */
  override shadowedNames(): ReadonlySet<string> {
    return this.#inner.shadowedNames()
  }

  /** @returns The templates of the engine inside. */
  override templates(): readonly TemplateSource[] {
    return this.#inner.templates()
  }
}

// What is around the content: the menu of the account, the gate of whoever stands before it, or nothing.
function shellOf(page: Readonly<Record<string, unknown>>): 'inside' | 'outside' | 'plain' {
  const { isAuthenticated } = Object(page['auth']) as { readonly isAuthenticated?: unknown }
  if (isAuthenticated === true) return WITHOUT_MENU.has(page['page']) ? 'plain' : 'inside'
  return page['narrow'] === true ? 'outside' : 'plain'
}

/** @returns The first letters of its first and last word. */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const ends = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return ends
    .map((word) => /^./u.exec(word ?? '')?.[0] ?? '')
    .join('')
    .toUpperCase()
}
