import type { FactorRule } from '../../core/factors/factor-demands.ts'
import { Permission } from './permission.ts'

/** Who administers others holds a factor of any kind after two weeks. */
export const ADMINISTRATORS_HOLD_FACTOR: FactorRule = {
  holders: Permission.AdminAccess,
  from: Date.UTC(2026, 0, 1) / 1000,
  graceSeconds: 14 * 24 * 60 * 60,
}
