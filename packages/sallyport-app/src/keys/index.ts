/** Secrets that a database keeps sealed, with keys outside of it. @module */
export { type Binding, KeyRing, SealedError } from './key-ring.ts'
export {
  ERR_SECRET_UNREADABLE,
  SealedColumn,
  type SealedColumnOptions,
  type SealedSecrets,
  UnreadableSecretException,
} from './sealed-column.ts'
