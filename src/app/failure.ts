import type { HttpContext } from '../context/index.ts'
import { declarationError, sentence, shown } from '../core/internal.ts'
import { HttpException } from '../http/index.ts'
import type { View } from '../view/index.ts'
import type { ErrorDetails } from './error-page.ts'

/** What went wrong with a request, for an {@link ErrorRenderer}. */
export interface Failure extends ErrorDetails {
  /** Headers that belong to the response, such as `www-authenticate`, `allow` and `retry-after`; they are added to it. */
  readonly headers: Readonly<Record<string, string>>
  /** Language of the request; reading it makes the response depend on `Accept-Language`. */
  readonly locale: string
  /** The exception; null for an unexpected error, of which nothing may reach the client. */
  readonly exception: HttpException | null
}

/** Decides how errors look: of a module by `module.errors()`, of the application by `app.errors()`. */
export interface ErrorRenderer {
  /**
   * @param failure What went wrong.
   * @param context Context of the request. Before routing it has no route, and may have no user.
   * @returns The response; null to leave it to the renderer around. A status from 200 to 299 is replaced by that of the
   * failure.
   */
  render(failure: Failure, context: HttpContext): Response | View | null | Promise<Response | View | null>
}

/** A class of renderers, built once through the container. */
export type ErrorRendererClass = new () => ErrorRenderer

/**
 * @param error What was thrown.
 * @param details What is told of it.
 * @param context Context of the request.
 * @returns The failure.
 */
export function failureOf(error: unknown, details: ErrorDetails, context: HttpContext): Failure {
  const exception = error instanceof HttpException ? error : null
  return {
    ...details,
    headers: exception?.headers ?? {},
    exception,
    get locale() {
      return context.locale()
    },
  }
}

/**
 * @param given The renderer as passed to `errors()`.
 * @throws {TypeError} If it is neither a class nor an object with a method `render`.
 */
export function assertErrorRenderer(given: unknown): void {
  const holder: unknown = typeof given === 'function' ? given.prototype : given
  const render: unknown =
    typeof holder === 'object' && holder !== null ? Reflect.get(holder, 'render') : undefined
  if (typeof render === 'function') return
  throw declarationError(
    sentence`Cannot render errors with ${shown(given)}: pass a class or an object with a method render(failure, context)`,
  )
}
