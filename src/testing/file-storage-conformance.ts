import type { FileStorage } from '../input/index.ts'
import { testKeeping } from './file-storage/keeping.ts'
import { testReading } from './file-storage/reading.ts'
import type { StorageRun } from './file-storage/run.ts'
import { testUploads } from './file-storage/uploads.ts'

/** Optional helpers for tests that need access behind the storage. */
export interface FileStorageSubject<S extends FileStorage> {
  /** Closes the storage, and removes what it holds. Default: nothing to close. */
  readonly close?: (storage: S) => unknown
  /**
   * How many files the storage holds, drafts included, once what it has begun to remove is gone. Default: unknown; the suite
   * then does not check that nothing is left behind.
   */
  readonly count?: (storage: S) => number | Promise<number>
}

/**
 * Declares the tests that every storage of uploaded files must pass, with `node:test`: drafts, keys, removals, parts, uploads
 * at the same time, uploads that are cut off, a storage that is full.
 *
 * @example
 * ```ts
 * import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
 * import { tmpdir } from 'node:os'
 * import { join } from 'node:path'
 * import { after, describe } from 'node:test'
 * import { pathToFileURL } from 'node:url'
 * import { DiskFileStorage } from 'sallyport/files'
 * import { testFileStorage } from 'sallyport/testing'
 *
 * const folder = mkdtempSync(join(tmpdir(), 'uploads-'))
 * after(() => rmSync(folder, { recursive: true }))
 *
 * describe('DiskFileStorage', () => {
 *   testFileStorage(() => new DiskFileStorage({ directory: pathToFileURL(`${folder}/`) }), {
 *     count: () => readdirSync(folder).length,
 *   })
 * })
 * ```
 *
 * @param open Opens the storage, once for each test. It need not be empty, but no other test may use it meanwhile.
 * @param subject Helpers for tests that need access behind the storage. Default: none.
 */
export function testFileStorage<S extends FileStorage>(
  open: () => S | Promise<S>,
  { close, count }: FileStorageSubject<S> = {},
): void {
  const start = async (): Promise<StorageRun> => {
    const storage = await open()
    return {
      storage,
      count: count === undefined ? null : async () => await count(storage),
      [Symbol.asyncDispose]: async () => void (await close?.(storage)),
    }
  }
  testKeeping(start)
  testReading(start)
  testUploads(start)
}
