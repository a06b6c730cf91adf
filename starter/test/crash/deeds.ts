import { CHANGES } from './change-deeds.ts'
import type { Deed } from './deed.ts'
import { ENDS } from './ending-deeds.ts'
import { ENROLLMENTS } from './enrollment-deeds.ts'
import { LOGINS } from './login-deeds.ts'
import { DEEDS_OF_PARTS } from '../facts-of-parts.ts'
import { OWNERS } from './owner-deeds.ts'

/** Everything that a process may die during. */
export const DEEDS: readonly Deed[] = [
  ...LOGINS,
  ...ENROLLMENTS,
  ...CHANGES,
  ...ENDS,
  ...OWNERS,
  ...DEEDS_OF_PARTS,
]
