// Combined with the message of the error; for other statuses the title of the framework is shown.
const TITLES: Readonly<Record<number, string>> = {
  403: 'Not allowed',
  404: 'Page not found',
  405: 'This page cannot be opened directly',
  413: 'Your request is too large',
  503: 'Temporarily unavailable',
}

// What the user can do next; the message of other errors is enough.
const TEXTS: Readonly<Record<number, string>> = {
  405: 'Use the button that leads to it.',
  500: 'The problem is on our end. Try again in a moment.',
  503: 'This site is very busy, or a part of it cannot be reached. Try again in a moment.',
}

/** Content of an error page in addition to the error itself. */
export interface ErrorPage {
  /** Heading and title of the page. */
  readonly title: string
  /** A sentence or two. */
  readonly text: string
  /** Name of the page for the layout. */
  readonly page: 'error'
  /** Where the link leads: to the account or login page, or to the start page. */
  readonly way: 'account' | 'home'
  /** Whether the page can contain a form: not without sessions, which keep its CSRF token. */
  readonly hasForms: boolean
}

/**
 * Words an error for users.
 *
 * @param error The value of `error` in a template.
 * @returns The content of the page.
 */
export function toErrorPage(error: unknown): ErrorPage {
  const { status, code, title, message } = readError(error)
  const hasForms = status !== 503
  // Usually a second click, or a page opened before a login: not a mistake of the user.
  if (code === 'ERR_CSRF_INVALID_TOKEN') {
    const text =
      'The form was submitted twice, or you opened the page before you last signed in or out. Try again.'
    return { title: 'This page was out of date', text, page: 'error', way: 'account', hasForms }
  }
  const way = status === 403 ? 'account' : 'home'
  return {
    title: TITLES[status] ?? title,
    text: TEXTS[status] ?? `${message}.`,
    page: 'error',
    way,
    hasForms,
  }
}

function readError(error: unknown): { status: number; code: unknown; title: string; message: string } {
  const { status, code, title, message } = Object(error) as Readonly<Record<string, unknown>>
  return {
    status: typeof status === 'number' ? status : 500,
    code,
    title: typeof title === 'string' ? title : 'Something went wrong',
    message: typeof message === 'string' ? message : 'Something went wrong',
  }
}
