import type { CompiledRoute, EntryPoint, RoutedModule, Table } from '../../routing/internal.ts'
import type { AuditedPath } from './audited-path.ts'

/** A table, and where it answers. */
export interface AuditedTable {
  readonly module: RoutedModule
  readonly table: Table
  readonly points: readonly EntryPoint[]
  readonly paths: readonly AuditedPath[]
  /** Names a route of the table with its place in the source. */
  readonly label: (route: CompiledRoute) => string
}
