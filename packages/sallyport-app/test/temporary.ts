/** Folders of tests. @module */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

/** @returns A folder that is gone after the test. */
export function temporary(test: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-app-'))
  test.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
