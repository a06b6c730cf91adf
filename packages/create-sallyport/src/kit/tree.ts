/**
 * The files of a project as bytes.
 *
 * @module
 */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Files, writeFiles } from '../files.ts'
import { MADE_ANEW } from '../record.ts'

/** Bytes by path. */
export type Tree = ReadonlyMap<string, Buffer>

/**
 * @param files Texts of the kit.
 * @returns Those that are merged.
 */
export function treeOf(files: Files): Tree {
  return new Map(
    [...files]
      .filter(([path]) => !MADE_ANEW.has(path))
      .map(([path, contents]) => [path, Buffer.from(contents)]),
  )
}

/**
 * @param folder Folder of a project.
 * @param paths Paths of files.
 * @returns Those that are there.
 */
export function readFiles(folder: string, paths: Iterable<string>): Tree {
  const isThere = (path: string): boolean =>
    statSync(join(folder, path), { throwIfNoEntry: false })?.isFile() === true
  return new Map(
    [...new Set(paths)].filter(isThere).map((path) => [path, readFileSync(join(folder, path))] as const),
  )
}

/** @returns Whether both have the same text, however its lines end; or both are missing. */
export function isSame(one: Buffer | undefined, other: Buffer | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  return one.equals(other) || withoutReturns(one).equals(withoutReturns(other))
}

/** @returns Whether it is no text. */
export function isBinary(contents: Buffer): boolean {
  return contents.includes(0)
}

/** @returns The text with `\n` at the end of each line; bytes that are no text stay as they are. */
export function withoutReturns(contents: Buffer): Buffer {
  if (isBinary(contents) || !contents.includes('\r\n')) return contents
  return Buffer.from(contents.toString().replaceAll('\r\n', '\n'))
}

/**
 * @param files What it has.
 * @param use Does something with a temporary folder, which is gone afterwards.
 * @returns What `use` returns.
 */
export function inTemporary<T>(files: Files, use: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-kit-'))
  try {
    writeFiles(folder, files)
    return use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
