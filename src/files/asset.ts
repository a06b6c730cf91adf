import { lookup } from 'mrmime'
import type { FileContent } from './file-content.ts'
import type { Variant } from './variant.ts'

const FINGERPRINT_LENGTH = 12
const OF_TEXT = /^text\//
// What browsers show or play, and the list of types does not know.
const FURTHER: ReadonlyMap<string, string> = new Map([
  ['ico', 'image/x-icon'],
  ['flac', 'audio/flac'],
])

/** A public file. */
export interface Asset {
  /** Its name, such as `icons/star.svg`. */
  readonly name: string
  /** Value of `Content-Type`. */
  readonly type: string
  /** What it holds. */
  readonly content: FileContent
  /** The same compressed; empty when it was not. */
  readonly variants: readonly Variant[]
}

/**
 * @param name Name of a file.
 * @returns Value of `Content-Type`: by its ending, text as UTF-8.
 */
export function typeOf(name: string): string {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  const type = lookup(name) ?? FURTHER.get(ending) ?? 'application/octet-stream'
  return OF_TEXT.test(type) ? `${type}; charset=utf-8` : type
}

/**
 * Writes a name with a part that changes with the content: `app.css` becomes `app.0b5c0e1d6f2a.css`.
 *
 * @param name Name of a file.
 * @param digest Digest of its content.
 * @returns The name.
 */
export function fingerprinted(name: string, digest: string): string {
  const start = name.lastIndexOf('/') + 1
  const dot = name.indexOf('.', start)
  const end = dot === -1 ? name.length : dot
  return `${name.slice(0, end)}.${digest.slice(0, FINGERPRINT_LENGTH)}${name.slice(end)}`
}
