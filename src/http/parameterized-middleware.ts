import { SallyportException } from '../core/index.ts'
import { declarationError, inOneLine, shown } from '../core/internal.ts'
import { areAlike, argumentsShown, frozenArguments } from './middleware-arguments.ts'
import type { Middleware, Next } from './middleware.ts'

interface Configured {
  readonly type: new () => Middleware
  readonly args: readonly unknown[]
}

// Not held: the classes that `of()` has made of a class live as long as a declaration names them.
const madeOf = new WeakMap<object, WeakRef<Configured>[]>()
const configured = new WeakMap<object, Configured>()

/**
 * A middleware that takes arguments where it is declared. Its constructor takes them; `of()` makes a class of them that a
 * module, a group, a route or a band accepts. The same arguments give the same class, so it runs once for a request, at its
 * outermost place. Services come from `inject()`, as in any middleware.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { App, Controller, defineModule, type HttpContext } from 'sallyport'
 * import { ForbiddenException, type Next, ParameterizedMiddleware } from 'sallyport/http'
 * import { TestClient } from 'sallyport/testing'
 *
 * class RequirePermission extends ParameterizedMiddleware {
 *   readonly #permission: string
 *
 *   constructor(permission: string) {
 *     super()
 *     this.#permission = permission
 *   }
 *
 *   process(context: HttpContext, next: Next): Promise<Response> {
 *     if (!context.auth().allows(this.#permission)) throw new ForbiddenException()
 *     return next()
 *   }
 * }
 *
 * class ReportController extends Controller {
 *   static readonly actions = { index: [] }
 *   index() {}
 * }
 * const reports = defineModule('Reports', (module) =>
 *   module.controllers(ReportController).middleware(RequirePermission.of('reports.read')),
 * )
 *
 * assert.equal((await new TestClient(App.default().modules(reports)).get('/reports/report')).status, 403)
 * assert.equal(RequirePermission.of('reports.read'), RequirePermission.of('reports.read'))
 * ```
 */
export abstract class ParameterizedMiddleware<Context = never> implements Middleware<Context> {
  /**
   * Makes a class of this one that is built with these arguments. Lists and plain objects among them are copied. Two calls
   * with equal strings, numbers, lists, plain objects, dates, expressions and URLs give the same class; functions and
   * instances of classes are equal to themselves only.
   *
   * @param args The arguments of the constructor. Wrap a secret in a `Secret`: strings are shown in lists of routes.
   * @returns The class; its name shows the arguments: `RequirePermission.of("reports.read")`.
   * @throws {TypeError} If a required argument is missing, one is a promise or contains itself.
   */
  static of<A extends readonly unknown[], M extends Middleware>(
    this: new (...args: A) => M,
    ...args: A
  ): new () => M
  static of(this: new (...args: unknown[]) => Middleware, ...args: unknown[]): new () => Middleware {
    const label = `${this.name}.of()`
    if (args.length < this.length)
      throw declarationError(`Cannot use ${label} with ${args.length} arguments: it takes ${this.length}`)
    const frozen = frozenArguments(args, label)
    const known = (madeOf.get(this) ?? []).filter((reference) => reference.deref() !== undefined)
    for (const reference of known) {
      const made = reference.deref()
      if (made !== undefined && areAlike(made.args, frozen)) return made.type
    }
    const made = { type: configuredClass(this, frozen), args: frozen }
    configured.set(made.type, made)
    madeOf.set(this, [...known, new WeakRef(made)])
    return made.type
  }

  /**
   * @param context Context of the request.
   * @param next Runs the rest of the chain; call it at most once.
   * @returns A response of its own, or the one of `next()`.
   */
  abstract process(context: Context, next: Next): Response | Promise<Response>
}

function configuredClass(
  type: new (...args: unknown[]) => Middleware,
  args: readonly unknown[],
): new () => Middleware {
  const name = inOneLine(`${type.name}.of(${argumentsShown(args)})`)
  const made = class extends type {
    constructor() {
      try {
        super(...args)
      } catch (error) {
        throw namedFault(error, name)
      }
    }
  }
  Object.defineProperty(made, 'name', { value: name })
  return made
}

// The stack of what the constructor throws does not lead to the declaration, so the message does.
function namedFault(error: unknown, name: string): unknown {
  if (error instanceof SallyportException) return error
  const reason = error instanceof Error ? error.message : shown(error)
  const type = error instanceof TypeError ? TypeError : error instanceof RangeError ? RangeError : Error
  return new type(inOneLine(`Cannot build ${name}: ${reason}`), { cause: error })
}
