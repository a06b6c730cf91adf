/**
 * The kit that this package has.
 *
 * @module
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readChanges, type SecurityChange } from './security.ts'

/** A version of the kit. */
export interface Kit {
  /** Its folder: a copy of the starter, or the starter itself. */
  readonly folder: string
  readonly version: string
  readonly changes: readonly SecurityChange[]
}

/** @returns The kit of this package. In a checkout, its folder is the starter. */
export function ownKit(): Kit {
  const here = fileURLToPath(new URL('..', import.meta.url))
  const { version } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8')) as {
    readonly version: string
  }
  const copy = join(here, 'kit')
  return {
    folder: existsSync(copy) ? copy : join(here, '../../starter'),
    version,
    changes: readChanges(join(here, 'security')),
  }
}
