/** Secrets that a database keeps sealed, with keys outside of it. @module */
export { type Binding, KeyRing, SealedError } from './key-ring.ts'
export { SealedColumn, type SealedColumnOptions, type SealedSecrets } from './sealed-column.ts'
