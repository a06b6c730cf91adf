/** Every scene, for tests and pictures. @module */
import { existsSync } from 'node:fs'
import { PARTS } from '../../../parts.ts'
import type { Scene } from '../stage.ts'
import { ACCOUNT } from './account.ts'
import { ADMINISTRATION } from './administration.ts'
import { DOORS } from './doors.ts'
import { FACTORS } from './factors.ts'
import { FIRST_DOORS } from './first-doors.ts'
import { LOCKS } from './locks.ts'
import { OWNER } from './owner.ts'
import { PASSKEYS } from './passkeys.ts'
import { RECOVERY } from './recovery.ts'

// A part has its own beside its tests.
const ofParts = await Promise.all(
  PARTS.map(({ name }) => new URL(`../../../parts/${name}/test/scenes.ts`, import.meta.url))
    .filter((file) => existsSync(file))
    .map(async (file) => ((await import(file.href)) as { readonly SCENES: readonly Scene[] }).SCENES),
)

/** Every scene. */
export const SCENES: readonly Scene[] = [
  ...RECOVERY,
  ...PASSKEYS,
  ...FIRST_DOORS,
  ...DOORS,
  ...LOCKS,
  ...FACTORS,
  ...ofParts.flat(),
  ...ACCOUNT,
  ...OWNER,
  ...ADMINISTRATION,
]
