import { CHANGES } from './change-deeds.ts'
import type { Deed } from './deed.ts'
import { ENROLLMENTS } from './enrollment-deeds.ts'
import { LOGINS } from './login-deeds.ts'
import { DEEDS_OF_PARTS } from '../facts-of-parts.ts'

/** Everything that a process may die during. */
export const DEEDS: readonly Deed[] = [...LOGINS, ...ENROLLMENTS, ...CHANGES, ...DEEDS_OF_PARTS]
