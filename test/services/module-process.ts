import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const temporary = fileURLToPath(new URL('../../.tmp/', import.meta.url))

/**
 * Runs a module in a process of its own, with the runtime that runs the tests. It is a file, because not every runtime can be
 * given a module as an argument.
 *
 * @param text Its text, in JavaScript; it can import `sallyport`.
 * @param words Arguments.
 * @returns What it has written.
 * @throws {Error} Rejects if it fails.
 */
export async function runModule(
  text: string,
  ...words: readonly string[]
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  mkdirSync(temporary, { recursive: true })
  const folder = mkdtempSync(join(temporary, 'module-'))
  try {
    const file = join(folder, 'module.mjs')
    writeFileSync(file, text)
    return await promisify(execFile)(process.execPath, ['--conditions=sallyport-source', file, ...words])
  } finally {
    rmSync(folder, { recursive: true })
  }
}
