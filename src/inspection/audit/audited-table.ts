import type { EntryPoint, RoutedModule, Table } from '../../routing/internal.ts'
import type { AuditedPath } from './audited-path.ts'

/** A table, and where it answers. */
export interface AuditedTable {
  readonly module: RoutedModule
  readonly table: Table
  readonly points: readonly EntryPoint[]
  readonly paths: readonly AuditedPath[]
}
