import type { RouteLimits } from './route-limits.ts'
import type { MiddlewareClass } from '../../http/index.ts'
import type { ControllerClass } from './controller-class.ts'
import type { Resolver, ResolverClass } from '../resolution/resolver.ts'
import type { LocalizedPath } from './route-collector.ts'
import type { Routes } from './routes.ts'

/** One declaration of a module about its URLs. */
export type ModuleStep =
  | { readonly kind: 'table'; readonly declare: (routes: Routes) => void }
  | { readonly kind: 'resolver'; readonly resolver: ResolverClass | Resolver; readonly priority: number }
  | { readonly kind: 'claim'; readonly path: LocalizedPath; readonly declare: (routes: Routes) => void }

/** What a module declares about its URLs, as plain data. */
export interface ModuleRouting {
  /** Name, such as `Shop`. */
  readonly name: string
  /** Default segment, the decamelized name: `shop`, `routable-module`. It qualifies route names. */
  readonly segment: string
  /** The segment it answers on, one for each locale, or `/` for the root. Default: `segment`. */
  readonly mount?: string | Readonly<Record<string, string>>
  /** Whether its URLs carry a locale prefix. */
  readonly localized: boolean
  /** Whether convention routing is there. */
  readonly convention: boolean
  /** Whether its URLs end with a slash, whatever the policy of the application says. Default: as the policy says. */
  readonly slash?: boolean
  /** Controllers that the convention reaches. */
  readonly controllers: readonly ControllerClass[]
  /** Middlewares around everything of the module. */
  readonly middlewares: readonly MiddlewareClass[]
  /** Limits of its requests. Default: those of the application. */
  readonly limits?: RouteLimits
  /** Tables, resolvers and claims, in the order of declaration. */
  readonly steps: readonly ModuleStep[]
  /** `file:line` of the declaration, when known. */
  readonly source?: string
}
