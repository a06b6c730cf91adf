import { EdgeViewEngine } from 'sallyport/view/edge'
import { ERR_SECRET_UNREADABLE } from 'sallyport-app/keys'
import { Mailbox, type Mailer } from 'sallyport-app/mail'
import { brandVersion, type ErrorPages, LayoutEngine } from 'sallyport-app/pages'
import { slotsOf } from 'sallyport-app/parts'
import { initialsOf } from 'sallyport-app/text'
import type { Account } from '../accounts/account.ts'
import { BRAND } from '../brand.ts'
import type { Database } from '../database/database.ts'
import { HAS_CHOICE, LANGUAGE_NAMES } from '../messages/language.ts'
import type { Parts } from '../part.ts'
import { SLOTS } from '../slots.ts'

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

const ERROR_PAGES: ErrorPages = {
  template: ERROR_VIEW,
  statuses: [400, 403, 404, 405, 409, 413, 429, 500, 503],
  // A page from before a login, a form whose session has ended, a secret that no key opens.
  codes: {
    ERR_CSRF_INVALID_TOKEN: 'out-of-date',
    ERR_AUTH_UNAUTHORIZED: 'out-of-date',
    [ERR_SECRET_UNREADABLE]: 'unreadable',
  },
}

/** What pages are made of. */
interface Site {
  readonly parts: Parts
  readonly mailer: Mailer
  readonly database: Database
  /** Whether compiled templates are kept. */
  readonly cache: boolean
}

/** @returns What puts every page into the common layout, error pages included. */
export function layoutEngine({ parts, mailer, database, cache }: Site): LayoutEngine {
  return new LayoutEngine({
    inner: new EdgeViewEngine({
      directory: new URL('../views/', import.meta.url),
      directories: parts.views(),
      cache,
    }),
    layout: 'layout',
    errors: ERROR_PAGES,
    defaults: {
      page: '',
      narrow: false,
      door: 0,
      languageNames: LANGUAGE_NAMES,
      // Named here: where there is no choice, no template may ask for its route.
      languageRoute: HAS_CHOICE ? 'site:language' : '',
      initialsOf,
      logo: BRAND.logo,
      brandVersion: brandVersion(BRAND),
      hasSignUp: mailer.sends,
      hasMailbox: mailer instanceof Mailbox,
      slots: slotsOf(SLOTS, parts),
      // Templates that warn the owner of the account.
      warningsOf: (owner: Account | null) => (owner === null ? [] : parts.warnings(database, owner.id)),
    },
    around: (page) => ({ shell: shellOf(page) }),
  })
}

// What is around the content: the menu of the account, the gate of whoever stands before it, or nothing.
function shellOf(page: Readonly<Record<string, unknown>>): 'inside' | 'outside' | 'plain' {
  const { isAuthenticated } = Object(page['auth']) as { readonly isAuthenticated?: unknown }
  if (isAuthenticated === true) return WITHOUT_MENU.has(page['page']) ? 'plain' : 'inside'
  return page['narrow'] === true ? 'outside' : 'plain'
}
