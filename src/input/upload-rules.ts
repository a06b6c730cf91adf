import { assertOptions, declarationError, sentence, shown } from '../core/internal.ts'
import { FileStorage } from './file-storage.ts'
import { fieldName } from './form-fields.ts'
import type { FormOptions } from './secret-names.ts'
import { canBeTold, meantType } from './type-names.ts'

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
  /** The file fields by name; `photos[]` is the field `photos`, as in a form. */
  readonly files: Readonly<Record<string, FileRule>>
  /** Largest length of all files together, in bytes. Default: as much as the fields allow. */
  readonly maxTotalBytes?: number
  /** Class under which the storage is registered. Default: `FileStorage`. */
  readonly storage?: FileStorageClass
}

const MIB = 1024 * 1024
const DEFAULT_BYTES = 5 * MIB
// Strings, heads and boundaries of a form are beside its files.
const TEXT_BYTES = MIB
const TYPE = /^(?:\*\/\*|[a-z0-9][a-z0-9.+-]*\/[a-z0-9][a-z0-9.+-]*)$/
const ANY = '*/*'
const EXAMPLE = 'pass a list such as ["image/png"], or ["*/*"] for files of any kind'

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
   * @throws {RangeError} If a number is not a whole one above 0, or no file is ever of a type.
   */
  constructor(name: string, rule: FileRule) {
    const what = `the file field ${shown(name)} of upload()`
    assertOptions(rule, ['types', 'maxBytes', 'maxFiles', 'optional'], what)
    const types: unknown = rule.types
    if (!Array.isArray(types) || types.length === 0)
      throw declarationError(sentence`Cannot use ${shown(types)} as the types of ${what}: ${EXAMPLE}`)
    this.types = Object.freeze(types.map((type) => assertType(type, what)))
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
  /** Largest length of all files together, in bytes. */
  readonly maxTotalBytes: number
  /**
   * Largest body in bytes: all files that the fields allow, and 1 MiB for the strings. Files beyond `maxTotalBytes` are read
   * and dropped, so that the form can be shown again.
   */
  readonly bodyBytes: number

  /**
   * @param options Fields and storage.
   * @throws {TypeError} If there is no field, or a field or the storage is not what it has to be.
   * @throws {RangeError} If a limit is not a whole number above 0.
   */
  constructor({ files, storage = FileStorage, maxTotalBytes }: UploadOptions) {
    const given: unknown = files
    if (typeof given !== 'object' || given === null || Object.keys(given).length === 0)
      throw declarationError(
        sentence`Cannot use ${shown(given)} as the files of upload(): pass an object such as { picture: { types: ["image/png"] } }`,
      )
    if (typeof storage !== 'function' || !(storage === FileStorage || isStorage(storage)))
      throw declarationError(
        sentence`Cannot use ${shown(storage)} as the storage of upload(): pass a class that extends FileStorage`,
      )
    this.fields = fieldsOf(files)
    this.storage = storage
    let bytes = 0
    for (const { maxBytes, maxFiles } of this.fields.values()) bytes += maxBytes * maxFiles
    this.maxTotalBytes =
      maxTotalBytes === undefined ? bytes : assertCount(maxTotalBytes, 'maxTotalBytes of upload()')
    this.bodyBytes = bytes + TEXT_BYTES
    Object.freeze(this)
  }
}

function isStorage(type: FileStorageClass): boolean {
  return Object.prototype.isPrototypeOf.call(FileStorage, type)
}

function fieldsOf(files: UploadOptions['files']): ReadonlyMap<string, FileField> {
  const fields = new Map<string, FileField>()
  for (const [sent, rule] of Object.entries(files)) {
    const name = fieldName(sent)
    if (fields.has(name))
      throw declarationError(
        sentence`Cannot use ${shown(sent)} as a file field of upload(): ${shown(name)} is declared too, and both are the same field`,
      )
    fields.set(name, new FileField(name, rule))
  }
  return fields
}

// A type that no file ever has would refuse them all.
function assertType(type: unknown, what: string): string {
  if (typeof type !== 'string' || !TYPE.test(type))
    throw declarationError(sentence`Cannot use ${shown(type)} as a type of ${what}: ${EXAMPLE}`)
  if (type === ANY || canBeTold(type)) return type
  const meant = meantType(type)
  const advice = meant === undefined ? sentence`declare the type that is detected` : `write ${shown(meant)}`
  throw declarationError(
    sentence`Cannot use ${shown(type)} as a type of ${what}: types are detected from the bytes of a file, and this one never is; ${advice}`,
    RangeError,
  )
}

function assertCount(given: unknown, what: string): number {
  if (typeof given === 'number' && Number.isSafeInteger(given) && given > 0) return given
  throw declarationError(
    sentence`Cannot use ${shown(given)} as ${what}: it must be a whole number above 0`,
    RangeError,
  )
}
