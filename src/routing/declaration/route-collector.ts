import type { RouteLimits } from './route-limits.ts'
import { declarationError, lateDeclaration, sentence } from '../../core/internal.ts'
import type { MiddlewareClass } from '../../http/index.ts'
import type { UrlValue } from '../generation/url-params.ts'

/** A path for all locales, or one for each. */
export type LocalizedPath = string | Readonly<Record<string, string>>

/** What was declared of a route, before its table is compiled. */
export interface DeclaredRoute {
  readonly methods: readonly string[]
  readonly path: LocalizedPath
  /** What is to answer, judged when the table compiles. */
  readonly handler: unknown
  /** Middlewares of the groups around it, outermost first, then its own. */
  middlewares: readonly MiddlewareClass[]
  name: string | null
  where: Record<string, string> | null
  defaults: Record<string, UrlValue> | null
  priority: number
  /** Its limits, each by the route or the innermost group that names it. */
  limits: RouteLimits
  /** Where it was declared, if that is noted. */
  readonly source: string | undefined
}

/** A group before its routes are declared. */
export interface UnfinishedGroup {
  /** Says that it groups nothing, and what to do. */
  refuse(): TypeError
}

/** Takes what the callbacks of a module declare, while they run. */
export class RouteCollector {
  /** The routes so far. */
  readonly declared: DeclaredRoute[] = []
  /** What the routes belong to, as messages name it: `module "Shop"`. */
  readonly label: string
  /** Whether to note the source of each declaration, which costs a stack each. */
  readonly traced: boolean
  /** Groups without routes as yet. */
  readonly unfinished: Set<UnfinishedGroup> = new Set()
  /** Groups whose function declared no routes, as messages name them. */
  readonly empty: string[] = []
  /** Whether the declarations have been read: what is declared later has no effect. */
  isRead = false
  /** The argument of the group() whose callback runs; null: none does. */
  innermost: object | null = null

  constructor(label: string, traced: boolean) {
    this.label = label
    this.traced = traced
  }

  /** Refuses a call after the routes have been read. */
  assertUnread(call: string): void {
    if (!this.isRead) return
    const mend = sentence`they have been read; declare all of them before the function of routes() returns`
    throw lateDeclaration(sentence`${call} among the routes of ${this.label}`, mend)
  }

  /**
   * Refuses a call after that, or around a group while its callback runs: nothing of the group would guard what it declares.
   *
   * @param around What it was called on, or was made in: the argument of a group(), or null.
   */
  assertOpen(call: string, around: unknown): void {
    this.assertUnread(call)
    if (this.innermost === null || this.innermost === around) return
    const mend = sentence`the prefix and middlewares of the group would not apply; use the argument of group()`
    throw declarationError(
      sentence`Cannot call ${call} around a group of ${this.label} from inside of it: ${mend}`,
    )
  }
}

/** A declared path, as messages name it: the paths of all locales. */
export function pathText(path: LocalizedPath): string {
  return typeof path === 'string' ? path : Object.values(path).join(', ')
}
