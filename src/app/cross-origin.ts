import type { Container } from '../container/internal.ts'
import { type CrossOriginPolicy, crossOriginPolicyOf } from '../context/internal.ts'
import type { HttpContext } from '../context/index.ts'
import { declarationError, sentence, shown } from '../core/internal.ts'
import type { LightResponse } from '../http/internal.ts'
import type { Middleware } from '../http/index.ts'
import { type Router, RoutingException } from '../routing/index.ts'
import type { ModuleRouting } from '../routing/internal.ts'
import type { IncomingEntry } from './middleware-bands.ts'

/** The cross-origin policies of all modules: the module that owns the URL, as the client sent it, has the say. */
export class CrossOrigin {
  readonly #policies: ReadonlyMap<ModuleRouting, CrossOriginPolicy>
  readonly #router: Router

  private constructor(policies: ReadonlyMap<ModuleRouting, CrossOriginPolicy>, router: Router) {
    this.#policies = policies
    this.#router = router
  }

  /**
   * @param modules The modules.
   * @param parts Where their middlewares are, and who owns a URL.
   * @returns The policies; null if no module has one.
   * @throws {RoutingException} If a module has two.
   */
  static of(
    modules: readonly ModuleRouting[],
    { container, router }: { readonly container: Container; readonly router: Router },
  ): CrossOrigin | null {
    const policies = new Map<ModuleRouting, CrossOriginPolicy>()
    for (const module of modules) {
      const found = module.middlewares.flatMap((type) => {
        const policy = crossOriginPolicyOf(container.get(type))
        return policy === null ? [] : [{ type, policy }]
      })
      const [first, second] = found
      if (first !== undefined) policies.set(module, first.policy)
      if (second === undefined) continue
      const both = `${shown(first?.type)} and ${shown(second.type)}`
      const message = sentence`Cannot use ${both} in module "${module.name}": a module can have only one list of origins; remove one of them`
      throw new RoutingException('invalid-middleware', message)
    }
    return policies.size === 0 ? null : new CrossOrigin(policies, router)
  }

  /**
   * @param context Context of a request.
   * @returns The response if it is a preflight for a module that has a policy; null otherwise.
   */
  preflight(context: HttpContext): LightResponse | null {
    if (context.sentMethod() !== 'OPTIONS') return null
    return this.#policyFor(context)?.preflight(context) ?? null
  }

  /**
   * @param response A response; receives the headers.
   * @param context Context of the request.
   */
  mark(response: LightResponse, context: HttpContext): void {
    this.#policyFor(context)?.mark(response, context)
  }

  #policyFor(context: HttpContext): CrossOriginPolicy | undefined {
    const [owner] = this.#router.ownersOf(context.receivedPath())
    return owner === undefined ? undefined : this.#policies.get(owner)
  }
}

/**
 * @param middleware An instance of a middleware that is not one of a module.
 * @throws {TypeError} If it stands for all URLs of a module, and would have no effect where it is.
 */
export function assertNoPolicy(middleware: object): void {
  if (crossOriginPolicyOf(middleware) === null) return
  throw new TypeError(
    sentence`preflights come before bands and routes; attach it to a module, with module.middleware()`,
  )
}

/**
 * @param entries The middlewares of the application.
 * @param container Where their instances are.
 * @throws {TypeError} If one stands for all URLs of a module.
 */
export function assertNoPolicies(entries: readonly IncomingEntry[], container: Container): void {
  for (const { middleware } of entries) {
    const instance = typeof middleware === 'function' ? container.get<Middleware>(middleware) : middleware
    try {
      assertNoPolicy(instance)
    } catch (cause) {
      const reason = (cause as TypeError).message
      throw declarationError(
        sentence`Cannot use ${shown(middleware)} as a middleware of the application: ${reason}`,
      )
    }
  }
}
