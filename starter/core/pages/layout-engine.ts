import type { FlashMessage } from 'sallyport'
import { type TemplateSource, ViewEngine } from 'sallyport/view'
import { EdgeViewEngine } from 'sallyport/view/edge'
import { ERR_SECRET_UNREADABLE } from 'sallyport-app/keys'
import { Mailbox, type Mailer } from 'sallyport-app/mail'
import { initialsOf } from 'sallyport-app/text'
import type { Account } from '../accounts/account.ts'
import { BRAND } from '../brand.ts'
import { BRAND_VERSION } from '../brand/brand-controller.ts'
import type { Database } from '../database/database.ts'
import { HAS_CHOICE, LANGUAGE_NAMES, LANGUAGES } from '../messages/language.ts'
import type { Parts } from '../part.ts'

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

// Statuses with messages of their own: `error.<status>.title` and `error.<status>.text`. Others are worded as 400 or 500.
const WORDED: readonly unknown[] = [400, 403, 404, 405, 409, 413, 429, 500, 503]

// Conditions with messages of their own: a page from before a login, a form whose session has ended, a secret that no key opens.
const WORDED_CODES: ReadonlyMap<unknown, string> = new Map([
  ['ERR_CSRF_INVALID_TOKEN', 'out-of-date'],
  ['ERR_AUTH_UNAUTHORIZED', 'out-of-date'],
  [ERR_SECRET_UNREADABLE, 'unreadable'],
])

type Data = Readonly<Record<string, unknown>>

/** What pages are made of. */
interface Site {
  readonly parts: Parts
  readonly mailer: Mailer
  readonly database: Database
  /** Whether compiled templates are kept. */
  readonly cache: boolean
}

/** Puts every page into the common layout, error pages included. */
export class LayoutEngine extends ViewEngine {
  readonly #inner: ViewEngine
  readonly #defaults: Data

  constructor({ parts, mailer, database, cache }: Site) {
    super()
    this.#inner = new EdgeViewEngine({
      directory: new URL('../views/', import.meta.url),
      cache,
      directories: Object.fromEntries(
        parts.all.flatMap(({ name, views }) => (views === undefined ? [] : [[name, views]])),
      ),
    })
    this.#defaults = {
      page: '',
      narrow: false,
      failed: false,
      door: 0,
      languages: LANGUAGES.map((tag) => ({ tag, name: LANGUAGE_NAMES[tag] })),
      // Named here: where there is no choice, no template may ask for its route.
      languageRoute: HAS_CHOICE ? 'site:language' : '',
      here: '',
      titleValues: {},
      warning: undefined,
      again: undefined,
      typed: [],
      signsIn: false,
      initialsOf,
      logo: BRAND.logo,
      brandVersion: BRAND_VERSION,
      shownMessages,
      hasSignUp: mailer.sends,
      hasMailbox: mailer instanceof Mailbox,
      slots: parts.slots,
      // Templates that warn the owner of an account.
      warningsOf: ({ id }: Account) => parts.warnings(database, id),
    }
  }

  override async render(template: string, data: Data): Promise<string> {
    const added = template === ERROR_VIEW ? toErrorPage(data['error'], data['words']) : {}
    const page = { ...this.#defaults, ...data, ...added }
    const content = await this.#inner.render(template, page)
    return this.#inner.render('layout', { ...page, shell: shellOf(page), content })
  }

  override shadowedNames(): ReadonlySet<string> {
    return this.#inner.shadowedNames()
  }

  override templates(): readonly TemplateSource[] {
    return this.#inner.templates()
  }
}

// What is around the content: the menu of the account, the gate of whoever stands before it, or nothing.
function shellOf(page: Data): 'inside' | 'outside' | 'plain' {
  const { isAuthenticated } = Object(page['auth']) as { readonly isAuthenticated?: unknown }
  if (isAuthenticated === true) return WITHOUT_MENU.has(page['page']) ? 'plain' : 'inside'
  return page['narrow'] === true ? 'outside' : 'plain'
}

// Each once, however many requests left it.
function shownMessages(messages: readonly FlashMessage[]): readonly FlashMessage[] {
  return [...new Map(messages.map((message) => [message.text, message])).values()]
}

/**
 * Words an error for users, by `words`, its code or its status. Its own text is for programmers, and in one language.
 *
 * @returns Heading and text of its page, where the link leads, and whether there can be a form: not without sessions, which keep its CSRF token.
 */
export function toErrorPage(
  error: unknown,
  words?: unknown,
): { readonly title: string; readonly text: string } & Data {
  const { status = 500, code } = Object(error) as { readonly status?: number; readonly code?: unknown }
  const otherwise = status < 500 ? 400 : 500
  const named = typeof words === 'string' ? words : WORDED_CODES.get(code)
  const known = named ?? (WORDED.includes(status) ? status : otherwise)
  return {
    title: `error.${known}.title`,
    text: `error.${known}.text`,
    page: 'error',
    way: known === 'out-of-date' || status === 403 ? 'account' : 'home',
    hasForms: status !== 503,
  }
}
