// Shown with whatever the application says about a refusal; a status that is not here keeps its own title.
const TITLES: Readonly<Record<number, string>> = {
  403: 'Not allowed',
  404: 'Page not found',
  405: 'This page cannot be opened like that',
  413: 'That is too large',
  503: 'Not available at the moment',
}

// For people, what to do next; an error without one here says enough itself.
const TEXTS: Readonly<Record<number, string>> = {
  405: 'A button leads to it, on another page.',
  500: 'It is our fault and not yours. Try again in a moment.',
  503: 'Too much is going on, or a part of this site cannot be reached. Try again in a moment.',
}

/** What an error page shows, beside the error itself. */
export interface ErrorPage {
  /** Heading, and title of the window. */
  readonly title: string
  /** A sentence or two. */
  readonly text: string
  /** Name of the page for the layout. */
  readonly page: 'error'
  /** What leads on: the account page or a fresh login form, whichever is theirs, or the start page. */
  readonly way: 'account' | 'home'
  /** Whether the page can hold a form: not when there are no sessions, for its token is kept in one. */
  readonly hasForms: boolean
}

/**
 * Words an error for people.
 *
 * @param error What the framework gives a template as `error`.
 * @returns What the page shows.
 */
export function toErrorPage(error: unknown): ErrorPage {
  const { status, code, title, message } = readError(error)
  const hasForms = status !== 503
  // Mostly a second click, or a page from before a login: nothing that the person did wrong.
  if (code === 'ERR_CSRF_INVALID_TOKEN') {
    const text = 'Its form was sent twice, or you opened it before you last signed in or out. Try again.'
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
    message: typeof message === 'string' ? message : 'This did not work',
  }
}
