/** Secrets that a database keeps sealed, with keys outside of it. @module */
export { type Binding, KeyRing, SealedError } from './key-ring.ts'
