import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

const BLOCK_BYTES = 1024 * 1024

/** What a file system says of a file. */
export interface DiskFacts {
  /** Length in bytes. */
  readonly size: number
  /** Time of the last change, in milliseconds with fractions. */
  readonly mtimeMs: number
  /** Number of the file in its file system. */
  readonly ino: number
}

/** The bytes of a file at one moment. */
export interface FileContent extends DiskFacts {
  /** Where it is. */
  readonly path: string
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly digest: string
  /** Value of `Last-Modified`. */
  readonly modified: string
}

/**
 * Reads a file once, without keeping it, to know its digest.
 *
 * @param path Path of the file.
 * @returns What it holds.
 * @throws {Error} If it cannot be read.
 */
export function readContent(path: string): FileContent {
  const file = openSync(path, 'r')
  try {
    const { size, mtimeMs, ino, mtime } = fstatSync(file)
    const hash = createHash('sha256')
    const block = Buffer.allocUnsafe(Math.max(1, Math.min(BLOCK_BYTES, size)))
    let length = 0
    for (let count = readSync(file, block); count > 0; count = readSync(file, block)) {
      hash.update(block.subarray(0, count))
      length += count
    }
    // Of a file that grows meanwhile the size read is the one that fits the digest.
    return { path, size: length, mtimeMs, ino, digest: hash.digest('hex'), modified: mtime.toUTCString() }
  } finally {
    closeSync(file)
  }
}

/**
 * @param content What a file held.
 * @param facts What the file system says now.
 * @returns Whether it still holds that.
 */
export function isUnchanged(content: FileContent, facts: DiskFacts): boolean {
  return content.size === facts.size && content.mtimeMs === facts.mtimeMs && content.ino === facts.ino
}
