/** Every scene, for tests and pictures. @module */
import type { Scene } from '../stage.ts'
import { ACCOUNT } from './account.ts'
import { DOORS } from './doors.ts'
import { FACTORS } from './factors.ts'
import { FIRST_DOORS } from './first-doors.ts'
import { SCENES_OF_PARTS } from '../../facts-of-parts.ts'
import { RECOVERY } from './recovery.ts'

/** Every scene. */
export const SCENES: readonly Scene[] = [
  ...RECOVERY,
  ...FIRST_DOORS,
  ...DOORS,
  ...FACTORS,
  ...ACCOUNT,
  ...SCENES_OF_PARTS,
]
