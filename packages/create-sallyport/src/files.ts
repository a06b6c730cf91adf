/**
 * Files by their paths.
 *
 * @module
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Contents by path, relative to a folder and with `/`. */
export type Files = ReadonlyMap<string, string | Uint8Array>

/**
 * Writes files, and makes the folders that they need.
 *
 * @param folder Where.
 * @param files What.
 */
export function writeFiles(folder: string, files: Files): void {
  for (const [path, contents] of files) {
    const full = join(folder, path)
    mkdirSync(dirname(full), { recursive: true })
    writeFileSync(full, contents)
  }
}
