import type { FileDraft } from './file-storage.ts'
import type { SchemaOutput, StandardSchema } from './standard-schema.ts'
import { AcceptedForm, type RefusedForm } from './submitted.ts'

const MAX_LABEL_LENGTH = 200
// What a system reads as something else than a part of a name, and what nobody sees.
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}<>:"|?*]/gu

/** An uploaded file that waits for the action to keep it. */
export class UploadedFile {
  /** Name of its field. */
  readonly field: string
  /**
   * Name as the user's system has it, without folders, invisible characters, what systems read as something else
   * (`< > : " | ? *`), and dots and spaces around it; `file` if nothing is left. A label, never a path.
   */
  readonly label: string
  /** Media type, told from the bytes. */
  readonly type: string
  /** Length in bytes. */
  readonly size: number
  readonly #draft: FileDraft
  #key: Promise<string> | null = null

  /**
   * @param facts What is known of the file.
   * @param draft The file in its storage.
   */
  constructor(facts: Pick<UploadedFile, 'field' | 'label' | 'type' | 'size'>, draft: FileDraft) {
    this.field = facts.field
    this.label = facts.label
    this.type = facts.type
    this.size = facts.size
    this.#draft = draft
  }

  /**
   * Keeps the file. One that the action does not keep is removed when the action has ended.
   *
   * @returns Its key in the storage; the same on each call.
   * @throws {Error} If the storage fails, or the action has ended.
   */
  keep(): Promise<string> {
    this.#key ??= this.#draft.keep()
    return this.#key
  }

  /**
   * Removes the file unless it is kept.
   *
   * @internal
   */
  async release(): Promise<void> {
    await (this.#key === null
      ? this.#draft.discard()
      : this.#key.then(undefined, () => this.#draft.discard()))
  }
}

/** The files of a form. */
export class UploadedFiles {
  readonly #files: readonly UploadedFile[]

  /**
   * @param files The files in the order they were sent.
   */
  constructor(files: readonly UploadedFile[]) {
    this.#files = files
  }

  /**
   * @param field Name of a field.
   * @returns Its first file; undefined when none was chosen.
   */
  one(field: string): UploadedFile | undefined {
    return this.#files.find((file) => file.field === field)
  }

  /**
   * @param field Name of a field.
   * @returns All its files.
   */
  all(field: string): readonly UploadedFile[] {
    return this.#files.filter((file) => file.field === field)
  }
}

/** A form with files that schema and rules accepted. */
export class AcceptedUpload<T> extends AcceptedForm<T> {
  /** The files. */
  readonly files: UploadedFiles

  /**
   * @param form What the schema made of the other fields.
   * @param files The files.
   */
  constructor(form: AcceptedForm<T>, files: UploadedFiles) {
    super(form.value, form.parts)
    this.files = files
  }
}

/**
 * @param form What the schema made of the other fields.
 * @param files The files.
 * @returns The accepted form with its files.
 */
export function acceptUpload<T>(form: AcceptedForm<T>, files: readonly UploadedFile[]): AcceptedUpload<T> {
  return new AcceptedUpload(form, new UploadedFiles(files))
}

/** What an action with `upload(schema)` receives. `T` is the type of the schema, or that of its values. */
export type Uploaded<T> = AcceptedUpload<[T] extends [StandardSchema] ? SchemaOutput<T> : T> | RefusedForm

/**
 * @param filename Name of a file as the client gives it, possibly with folders of its system.
 * @returns The name alone, of bounded length; empty when nothing of it can be shown.
 */
export function labelOf(filename: string): string {
  const name = filename.slice(Math.max(filename.lastIndexOf('/'), filename.lastIndexOf('\\')) + 1)
  const clean = name
    .toWellFormed()
    .replaceAll(UNSAFE, '')
    .replaceAll(/^[. ]+|(?<![. ])[. ]+$/g, '')
  // Half of a pair may be left at the end.
  return clean.slice(0, MAX_LABEL_LENGTH).replace(/[\uD800-\uDBFF]$/, '')
}
