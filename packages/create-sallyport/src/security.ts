/**
 * The security changes of the kit, each a file of `security/` that `security.mjs` makes from a commit.
 *
 * @module
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A change that fixes a vulnerability. */
export interface SecurityChange {
  /** Such as `SEC-2026-001`. */
  readonly id: string
  /** What could happen, and to whom, in one line. */
  readonly title: string
  /** Its files, as they were before it and after it; null for a file that is not there. */
  readonly files: Readonly<Record<string, { readonly before: string | null; readonly after: string | null }>>
}

/**
 * @param folder Where the changes are.
 * @returns All of them, by id.
 */
export function readChanges(folder: string): readonly SecurityChange[] {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).filter((name) => /^SEC-\d{4}-\d{3}\.json$/.test(name))
  return names
    .toSorted()
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as SecurityChange)
}
