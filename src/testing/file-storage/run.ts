import assert from 'node:assert/strict'
import { randomBytes } from '../../core/internal.ts'
import type { FileFacts, FileStorage, StoredFile } from '../../input/index.ts'

/** One test of the conformance suite of storages. */
export interface StorageRun extends AsyncDisposable {
  /** The storage under test. */
  readonly storage: FileStorage
  /** How many files it holds, drafts included; null when nobody can tell. */
  readonly count: (() => Promise<number>) | null
}

/** Opens the storage for one test. */
export type StartStorage = () => Promise<StorageRun>

// A prime, so that a part at a wrong place of usual size differs.
const BLOCK_BYTES = 4099

/** What is known of the files of the suite. */
export const PICTURE: FileFacts = { type: 'image/png', extension: 'png' }

/**
 * @param length A length.
 * @returns So many random bytes.
 */
export function bytesOf(length: number): Uint8Array<ArrayBuffer> {
  const block = randomBytes(BLOCK_BYTES)
  return Uint8Array.from({ length }, (_, i) => block[i % BLOCK_BYTES] ?? 0)
}

/**
 * Stores a file.
 *
 * @param storage The storage.
 * @param content What it holds.
 * @returns Its key.
 */
export async function keep(storage: FileStorage, content: Uint8Array): Promise<string> {
  const draft = await storage.begin(PICTURE)
  await draft.write(content)
  return await draft.keep()
}

/**
 * @param file A stored file; null: none was found.
 * @param expected What it has to hold.
 * @throws {AssertionError} If it holds something else, or there is none.
 */
export async function assertContent(file: StoredFile | null, expected: Uint8Array): Promise<void> {
  assert.notEqual(file, null, 'There is no such file')
  await assertBytes(file?.stream() ?? null, expected)
}

/**
 * @param stream A stream.
 * @param expected What it has to give.
 * @throws {AssertionError} If it gives something else.
 */
export async function assertBytes(stream: ReadableStream | null, expected: Uint8Array): Promise<void> {
  const bytes = Buffer.from(await new Response(stream).arrayBuffer())
  assert.equal(bytes.length, expected.length)
  // A difference of long lists takes the runner minutes to show.
  assert.ok(bytes.equals(expected), 'The bytes differ from those that were written')
}
