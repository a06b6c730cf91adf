import { statSync } from 'node:fs'
import { declarationError } from '../core/internal.ts'
import { type Asset, fingerprinted, typeOf } from './asset.ts'
import { type FileContent, isUnchanged, readContent } from './file-content.ts'
import type { Folder } from './folder.ts'
import { CODINGS, readVariant, type Variant } from './variant.ts'

/** A file that was asked for. */
export interface FoundAsset {
  /** The file. */
  readonly asset: Asset
  /** Whether its name changes with its content. */
  readonly isFingerprinted: boolean
}

/** The public files by name. */
export interface Catalog {
  /**
   * @param segments The parts of a name, with or without a fingerprint.
   * @returns The file; undefined when there is none.
   */
  find(segments: readonly string[]): FoundAsset | undefined

  /**
   * @param name Name of a file.
   * @returns The name to use in URLs; undefined when there is no such file.
   */
  publicName(name: string): string | undefined

  /**
   * Reads a file again that has changed on the disk.
   *
   * @param found What was found before.
   * @returns The file as it is now; undefined when it is gone, or its name was that of the old content.
   */
  renewed(found: FoundAsset): FoundAsset | undefined

  /** The names of all files. */
  readonly names: readonly string[]
}

/** Files that are listed once. A request is answered from the list alone, so no spelling reaches another file. */
export class ListedCatalog implements Catalog {
  readonly #folder: Folder
  readonly #found = new Map<string, FoundAsset>()
  readonly #publicNames = new Map<string, string>()

  /**
   * @param folder The folder.
   * @throws {RangeError} If a compressed file does not hold what its original holds, or a file has the name that another one
   * gets from its content.
   */
  constructor(folder: Folder) {
    this.#folder = folder
    const names = folder.names()
    for (const name of names) this.#add(name, new Set(names))
  }

  get names(): readonly string[] {
    return [...this.#publicNames.keys()]
  }

  find(segments: readonly string[]): FoundAsset | undefined {
    // A slash that came encoded is part of its segment.
    return segments.some((segment) => segment.includes('/')) ? undefined : this.#found.get(segments.join('/'))
  }

  publicName(name: string): string | undefined {
    return this.#publicNames.get(name)
  }

  renewed({ asset: { name, type }, isFingerprinted }: FoundAsset): FoundAsset | undefined {
    const old = this.#publicNames.get(name)
    const path = this.#folder.find(name.split('/'))
    if (old !== undefined) this.#found.delete(old)
    this.#found.delete(name)
    this.#publicNames.delete(name)
    if (path === undefined) return undefined
    const { asset } = this.#put({ name, type, content: readContent(path), variants: [] })
    if (isFingerprinted && this.#publicNames.get(name) !== old) return undefined
    return { asset, isFingerprinted }
  }

  #add(name: string, names: ReadonlySet<string>): void {
    const path = this.#folder.find(name.split('/'))
    if (path === undefined) return
    const content = readContent(path)
    const variants = CODINGS.flatMap(({ coding, ending }): Variant[] => {
      if (!names.has(name + ending)) return []
      const variant = readVariant(content, { coding, path: path + ending })
      return variant === null ? [] : [variant]
    })
    const publicName = fingerprinted(name, content.digest)
    if (names.has(publicName))
      throw declarationError(
        `Cannot serve ${JSON.stringify(name)}: its public name ${JSON.stringify(publicName)} is the name of another file; delete that file`,
        RangeError,
      )
    this.#put({ name, type: typeOf(name), content, variants })
  }

  #put(asset: Asset): FoundAsset {
    const publicName = fingerprinted(asset.name, asset.content.digest)
    const plain = { asset, isFingerprinted: false }
    this.#found.set(asset.name, plain)
    this.#found.set(publicName, { asset, isFingerprinted: true })
    this.#publicNames.set(asset.name, publicName)
    return plain
  }
}

const MAX_REMEMBERED = 1000
const SETTLED_MILLISECONDS = 2000

/** Files that are looked up at each request, for development: changes show without a restart. */
export class LiveCatalog implements Catalog {
  readonly #folder: Folder
  readonly #now: () => number
  readonly #contents = new Map<string, FileContent>()

  /**
   * @param folder The folder.
   * @param now Gives the time in milliseconds.
   */
  constructor(folder: Folder, now: () => number) {
    this.#folder = folder
    this.#now = now
  }

  get names(): readonly string[] {
    return this.#folder.names()
  }

  find(segments: readonly string[]): FoundAsset | undefined {
    const path = this.#folder.find(segments)
    const name = segments.join('/')
    if (path === undefined) return undefined
    return {
      asset: { name, type: typeOf(name), content: this.#read(path), variants: [] },
      isFingerprinted: false,
    }
  }

  publicName(name: string): string | undefined {
    return this.#folder.find(name.split('/')) === undefined ? undefined : name
  }

  renewed({ asset }: FoundAsset): FoundAsset | undefined {
    this.#contents.delete(asset.content.path)
    return this.find(asset.name.split('/'))
  }

  // A file that changed a moment ago may change again without another time of change.
  #read(path: string): FileContent {
    const facts = statSync(path)
    const known = this.#contents.get(path)
    const isSettled = facts.mtimeMs < this.#now() - SETTLED_MILLISECONDS
    if (known !== undefined && isSettled && isUnchanged(known, facts)) return known
    if (this.#contents.size >= MAX_REMEMBERED) this.#contents.clear()
    const content = readContent(path)
    this.#contents.set(path, content)
    return content
  }
}
