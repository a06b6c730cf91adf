import { ERR_FACTOR_UNREADABLE } from '../factors/factor-vault.ts'

// Statuses with messages of their own: `error.<status>.title` and `error.<status>.text`. Others are worded as 400 or 500.
const WORDED: readonly number[] = [400, 403, 404, 405, 409, 413, 429, 500, 503]

// Conditions with messages of their own.
const WORDED_CODES: ReadonlyMap<unknown, string> = new Map([
  // Usually a page that was opened before a login, or long ago: not a mistake of the user.
  ['ERR_CSRF_INVALID_TOKEN', 'out-of-date'],
  // A form whose session has ended.
  ['ERR_AUTH_UNAUTHORIZED', 'out-of-date'],
  [ERR_FACTOR_UNREADABLE, 'unreadable'],
])

/** Content of an error page in addition to the error itself. */
export interface ErrorPage {
  /** Message that is heading and title of the page. */
  readonly title: string
  /** Message that says what the user can do next. */
  readonly text: string
  /** Name of the page for the layout. */
  readonly page: 'error'
  /** Where the link leads: to the account or login page, or to the start page. */
  readonly way: 'account' | 'home'
  /** Whether the page can contain a form: not without sessions, which keep its CSRF token. */
  readonly hasForms: boolean
}

/**
 * Words an error for users. Nothing of its own text is shown: that is written for programmers, and in one language.
 *
 * @param deed What was to be done, where the page says what became of it: `sign-out`. Default: nothing.
 * @returns The content of the page.
 */
export function toErrorPage(error: unknown, deed?: unknown): ErrorPage {
  const { status, code } = readError(error)
  const words =
    deed === 'sign-out' && status === 503 ? deed : (WORDED_CODES.get(code) ?? wordedStatus(status))
  return {
    title: `error.${words}.title`,
    text: `error.${words}.text`,
    page: 'error',
    way: words === 'out-of-date' || status === 403 ? 'account' : 'home',
    hasForms: status !== 503,
  }
}

function wordedStatus(status: number): number {
  if (WORDED.includes(status)) return status
  return status < 500 ? 400 : 500
}

function readError(error: unknown): { readonly status: number; readonly code: unknown } {
  const { status, code } = Object(error) as Readonly<Record<string, unknown>>
  return { status: typeof status === 'number' ? status : 500, code }
}
