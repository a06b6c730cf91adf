import { late } from '../core/internal.ts'
import type * as Reading from './form-reading.ts'
import type * as PartReading from './part-reading.ts'

/** What reads forms. */
export type FormReading = typeof Reading

/**
 * Loads what reads forms, which an application that receives none never needs.
 *
 * @returns It; a promise of it the first time.
 */
export const formReading: () => FormReading | Promise<FormReading> = late(() => import('./form-reading.ts'))

/**
 * Loads what reads forms part by part, which only a form with files needs.
 *
 * @returns It; a promise of it the first time.
 */
export const partReading: () => typeof PartReading | Promise<typeof PartReading> = late(
  () => import('./part-reading.ts'),
)
