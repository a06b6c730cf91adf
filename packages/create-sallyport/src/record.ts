/**
 * What a project records of the kit it was made from: the choices in `sallyport.lock.json`, and the text of each file as the
 * kit wrote it in `.sallyport/base.json`, by which an upgrade tells what was edited since. Each file is one line there,
 * compressed by itself: git stores the difference of two versions only, and a search finds nothing in it.
 *
 * @module
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import type { Files } from './files.ts'
import { languagesAmong } from './languages.ts'

/** The choices. */
export interface Lock {
  /** Version of the kit. */
  readonly version: string
  /** Name of the package, as the kit wrote it. */
  readonly name: string
  /** What `package.json` says for the framework, as the kit wrote it. */
  readonly framework: string
  /** Names of the parts of the kit. */
  readonly parts: readonly string[]
  /** Tags of its languages of the kit. */
  readonly languages: readonly string[]
  /** Ids of the security changes that are in it. */
  readonly security: readonly string[]
}

const LOCK = 'sallyport.lock.json'
const BASE = '.sallyport/base.json'
const ATTRIBUTES = '.sallyport/.gitattributes'
const SAYS_GENERATED = 'base.json -diff linguist-generated\n'

/** Files that are made anew from the others: nobody merges them. */
export const MADE_ANEW: ReadonlySet<string> = new Set(['WAYS-IN.md'])

/**
 * @param files Texts of the kit.
 * @param lock The choices.
 * @returns The files that record them.
 */
export function record(files: Files, lock: Lock): Files {
  const kept = [...files].filter(([path]) => !MADE_ANEW.has(path)).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const base = Object.fromEntries(kept.map(([path, contents]) => [path, packed(contents)]))
  return new Map([
    ...recordChoices(lock),
    [BASE, `${JSON.stringify(base, null, 1)}\n`],
    [ATTRIBUTES, SAYS_GENERATED],
  ])
}

/**
 * @param lock The choices.
 * @returns The file that records them.
 */
export function recordChoices({ version, name, framework, parts, languages, security }: Lock): Files {
  const lock: Lock = { version, name, framework, parts, languages, security }
  return new Map([[LOCK, `${JSON.stringify(lock, null, 2)}\n`]])
}

/** What a project recorded. */
export interface Recorded {
  readonly lock: Lock
  /** Texts of the kit. */
  readonly base: ReadonlyMap<string, Buffer>
}

/**
 * @param folder Folder of a project.
 * @returns What it recorded.
 * @throws {RangeError} If it recorded nothing, or a file of it is missing or damaged.
 */
export function readRecord(folder: string): Recorded {
  if (!existsSync(join(folder, LOCK)))
    throw new RangeError(`${folder} has no ${LOCK}: go to the folder of a project, or name it with --project`)
  try {
    const lock = JSON.parse(readFileSync(join(folder, LOCK), 'utf8')) as Omit<Lock, 'languages'> &
      Partial<Lock>
    const base = JSON.parse(readFileSync(join(folder, BASE), 'utf8')) as Readonly<Record<string, string>>
    const texts = new Map(Object.entries(base).map(([path, line]) => [path, unpacked(line)]))
    // Before a project could choose them, it had those of its texts.
    return { lock: { ...lock, languages: lock.languages ?? languagesAmong(texts) }, base: texts }
  } catch (cause) {
    const minimal = `a project of the preset "minimal" has no ${BASE}, and the kit does not change it`
    throw new RangeError(`${LOCK} or ${BASE} cannot be read: restore them from git (${minimal})`, { cause })
  }
}

// A middle quality: the best one takes 25 times as long for a tenth less.
const SETTINGS = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

function packed(contents: string | Uint8Array): string {
  return brotliCompressSync(contents, SETTINGS).toString('base64')
}

function unpacked(line: string): Buffer {
  return brotliDecompressSync(Buffer.from(line, 'base64'))
}
