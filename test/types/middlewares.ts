// Compiles only: what `of()` of a middleware proves, and what it refuses.
import type { HttpContext } from 'sallyport'
import { type MiddlewareClass, type Next, ParameterizedMiddleware } from 'sallyport/http'

class RequirePermission extends ParameterizedMiddleware {
  readonly #permission: string

  constructor(permission: string, strict = false) {
    super()
    this.#permission = permission + String(strict)
  }

  process(context: HttpContext, next: Next): Promise<Response> {
    context.auth().allows(this.#permission)
    return next()
  }
}

export const accepted: MiddlewareClass[] = [RequirePermission.of('a'), RequirePermission.of('a', true)]

export const refused: MiddlewareClass[] = [
  // @ts-expect-error the permission is missing
  RequirePermission.of(),
  // @ts-expect-error a permission is a string
  RequirePermission.of(5),
  // @ts-expect-error one argument too many
  RequirePermission.of('a', true, 1),
]
