import { assertOptions, declarationError, shown } from '../core/internal.ts'
import { FileStorage } from './file-storage.ts'
import type { FormOptions } from './secret-names.ts'

/** What a file field takes. */
export interface FileRule {
  /** Media types that are taken, told from the bytes: `image/png`, `text/plain`. A type of two asterisks takes any file. */
  readonly types: readonly string[]
  /** Largest file in bytes. Default: 5 MiB. */
  readonly maxBytes?: number
  /** Maximum number of files. Default: 1. */
  readonly maxFiles?: number
  /** Whether the form is valid without a file. Default: false. */
  readonly optional?: boolean
}

/** A class of storages, abstract or not. */
export type FileStorageClass = abstract new (...args: never[]) => FileStorage

/** Options of `upload()`. */
export interface UploadOptions extends FormOptions {
  /** The file fields by name. */
  readonly files: Readonly<Record<string, FileRule>>
  /** Class under which the storage is registered. Default: `FileStorage`. */
  readonly storage?: FileStorageClass
}

const MIB = 1024 * 1024
const DEFAULT_BYTES = 5 * MIB
// Strings, heads and boundaries of a form are beside its files.
const TEXT_BYTES = MIB
const TYPE = /^(?:\*\/\*|[a-z0-9][a-z0-9.+-]*\/[a-z0-9][a-z0-9.+-]*)$/
const ANY = '*/*'

/** A file field, checked. */
export class FileField {
  /** Largest file in bytes. */
  readonly maxBytes: number
  /** Maximum number of files. */
  readonly maxFiles: number
  /** Whether the form is valid without a file. */
  readonly isOptional: boolean
  /** The types that are taken, as messages name them. */
  readonly types: readonly string[]

  /**
   * @param name Name of the field.
   * @param rule What it takes.
   * @throws {TypeError} If the rule has an unknown option, or no types.
   * @throws {RangeError} If a number is not a whole one above 0.
   */
  constructor(name: string, rule: FileRule) {
    const what = `the file field ${shown(name)} of upload()`
    assertOptions(rule, ['types', 'maxBytes', 'maxFiles', 'optional'], what)
    const types: unknown = rule.types
    if (!Array.isArray(types) || types.length === 0 || !types.every(isType))
      throw declarationError(
        `Cannot use ${shown(types)} as the types of ${what}: give a list such as ["image/png"], or ["*/*"] for files of any kind`,
      )
    this.types = Object.freeze([...types])
    this.maxBytes = assertCount(rule.maxBytes ?? DEFAULT_BYTES, `maxBytes of ${what}`)
    this.maxFiles = assertCount(rule.maxFiles ?? 1, `maxFiles of ${what}`)
    this.isOptional = rule.optional === true
    Object.freeze(this)
  }

  /** Whether it takes files of any kind. */
  get takesAll(): boolean {
    return this.types.includes(ANY)
  }

  /**
   * @param type A media type.
   * @returns Whether it is taken.
   */
  takes(type: string): boolean {
    return this.takesAll || this.types.includes(type)
  }
}

/** What an action takes of uploads, checked. */
export class UploadRules {
  /** The file fields by name. */
  readonly fields: ReadonlyMap<string, FileField>
  /** Class under which the storage is registered. */
  readonly storage: FileStorageClass
  /** Largest body in bytes: all files, and 1 MiB for the strings. */
  readonly bodyBytes: number

  /**
   * @param options Fields and storage.
   * @throws {TypeError} If there is no field, or a field or the storage is not what it has to be.
   * @throws {RangeError} If a limit is not a whole number above 0.
   */
  constructor({ files, storage = FileStorage }: UploadOptions) {
    const given: unknown = files
    if (typeof given !== 'object' || given === null || Object.keys(given).length === 0)
      throw declarationError(
        `Cannot use ${shown(given)} as the files of upload(): give an object such as { picture: { types: ["image/png"] } }`,
      )
    if (typeof storage !== 'function' || !(storage === FileStorage || isStorage(storage)))
      throw declarationError(
        `Cannot use ${shown(storage)} as the storage of upload(): give a class that extends FileStorage`,
      )
    this.fields = new Map(Object.entries(files).map(([name, rule]) => [name, new FileField(name, rule)]))
    this.storage = storage
    let bytes = TEXT_BYTES
    for (const { maxBytes, maxFiles } of this.fields.values()) bytes += maxBytes * maxFiles
    this.bodyBytes = bytes
    Object.freeze(this)
  }
}

function isStorage(type: FileStorageClass): boolean {
  return Object.prototype.isPrototypeOf.call(FileStorage, type)
}

function isType(type: unknown): type is string {
  return typeof type === 'string' && TYPE.test(type)
}

function assertCount(given: unknown, what: string): number {
  if (typeof given === 'number' && Number.isSafeInteger(given) && given > 0) return given
  throw declarationError(
    `Cannot use ${shown(given)} as ${what}: it must be a whole number above 0`,
    RangeError,
  )
}
