import type { ActionCatalog } from '../../routing/declaration/action-catalog.ts'
import type { EntryPoint, EntryPoints } from '../../routing/resolution/entry-points.ts'
import type { LocaleSet } from '../../routing/locale-set.ts'
import type { ResolverAnswer } from '../../routing/resolution/resolution.ts'
import type { Route } from '../../routing/route.ts'
import type { RoutedModule } from '../../routing/routed-module.ts'
import type { CompiledRoute } from '../../routing/table/variant.ts'
import type { Table } from '../../routing/table/table.ts'
import type { TrailingSlash } from '../../routing/trailing-slash.ts'
import type { GivenParams } from '../../routing/generation/url-params.ts'
import type { AuditedPath } from './audited-path.ts'

/** What a check needs of an application. */
export interface AuditScope {
  readonly catalog: ActionCatalog
  readonly modules: readonly RoutedModule[]
  readonly entries: EntryPoints
  readonly locales: LocaleSet
  readonly localePrefixes: boolean
  readonly trailingSlash: TrailingSlash
  /** Resolves a URL by tables and convention, without resolvers. */
  readonly verify: (method: string, path: string) => Route | null
  /** The resolvers beside the table or convention that find a URL. */
  readonly resolversAt: (method: string, path: string) => readonly ResolverAnswer[]
  /** Generates the URL of a named route. */
  readonly url: (name: string, params: GivenParams, locale: string | undefined) => string
}

/** A table, and where it answers. */
export interface AuditedTable {
  readonly module: RoutedModule
  readonly table: Table
  readonly points: readonly EntryPoint[]
  readonly paths: readonly AuditedPath[]
  /** Names a route of the table with its place in the source. */
  readonly label: (route: CompiledRoute) => string
}
