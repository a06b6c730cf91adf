import { readdirSync, realpathSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { declarationError, shown } from '../core/internal.ts'
import { isServable } from './file-name.ts'

/** A folder whose files are public. No name leads to a file outside, whatever links it holds. */
export class Folder {
  /** Its path, links resolved. */
  readonly path: string

  /**
   * @param directory The folder.
   * @throws {TypeError} If it is not a file URL.
   * @throws {RangeError} If it does not exist or is not a folder.
   */
  constructor(directory: URL) {
    const given: unknown = directory
    if (!(given instanceof URL) || given.protocol !== 'file:')
      throw declarationError(
        `Cannot serve files from ${shown(given)}: pass a file URL, such as new URL('./assets/', import.meta.url)`,
      )
    const path = fileURLToPath(given)
    if (!isKind(path, 'isDirectory'))
      throw declarationError(
        `Cannot serve files from ${JSON.stringify(path)}: there is no such folder`,
        RangeError,
      )
    this.path = realpathSync(path)
  }

  /**
   * @returns The names of all files that may be served, such as `icons/star.svg`, sorted.
   */
  names(): readonly string[] {
    return this.#list([], []).sort()
  }

  /**
   * Finds a file as its folder lists it: on a file system that ignores letter case, only one spelling finds it.
   *
   * @param segments The parts of its name.
   * @returns Its path; undefined when there is no such file that may be served.
   */
  find(segments: readonly string[]): string | undefined {
    const trail: string[] = []
    let path = this.path
    for (const segment of segments) {
      if (!isServable(segment) || !this.#enters(path, trail) || !entriesOf(path).includes(segment))
        return undefined
      path = join(path, segment)
    }
    return segments.length > 0 && this.#holds(path) ? path : undefined
  }

  // Named are the real paths of the folders above: a link to one of them would never end.
  #list(parents: readonly string[], above: readonly string[]): string[] {
    const folder = join(this.path, ...parents)
    const trail = [...above]
    if (!this.#enters(folder, trail)) return []
    return entriesOf(folder).flatMap((name) => {
      if (!isServable(name)) return []
      const segments = [...parents, name]
      const path = join(folder, name)
      if (isKind(path, 'isDirectory')) return this.#list(segments, trail)
      return this.#holds(path) ? [segments.join('/')] : []
    })
  }

  // Adds the folder to the trail, unless a link leads out or back.
  #enters(folder: string, trail: string[]): boolean {
    const real = isKind(folder, 'isDirectory') ? realpathSync(folder) : ''
    if (trail.includes(real) || (real !== this.path && !this.#contains(real))) return false
    trail.push(real)
    return true
  }

  #holds(path: string): boolean {
    return isKind(path, 'isFile') && this.#contains(realpathSync(path))
  }

  #contains(real: string): boolean {
    return real.startsWith(this.path.endsWith(sep) ? this.path : this.path + sep)
  }
}

function entriesOf(path: string): readonly string[] {
  try {
    return readdirSync(path)
  } catch {
    // A part of the name is a file, or the folder is gone or closed to this process.
    return []
  }
}

function isKind(path: string, kind: 'isDirectory' | 'isFile'): boolean {
  try {
    return statSync(path)[kind]()
  } catch {
    // A link that leads nowhere, or a file that is gone.
    return false
  }
}
