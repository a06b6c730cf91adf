import { InputException } from './input-exception.ts'
import { fieldName } from './form-fields.ts'
import { kindOf, SAMPLE_BYTES, TextCheck } from './file-kind.ts'
import type { FileDraft, FileFacts, FileStorage } from './file-storage.ts'
import type { PartHead } from './multipart-head.ts'
import type { MultipartReader } from './multipart-reader.ts'
import type { FileField, UploadRules } from './upload-rules.ts'
import { labelOf, UploadedFile } from './uploaded-files.ts'
import { Violation, type ViolationParameters } from './violation.ts'

/** The files of a form as they were stored, and what is wrong with others. */
export interface ReadUpload {
  /** The files, none of them kept yet. */
  readonly files: readonly UploadedFile[]
  /** What is wrong. */
  readonly violations: readonly Violation[]
}

interface Receiving {
  readonly reader: MultipartReader
  readonly storage: FileStorage
  readonly files: UploadedFile[]
  readonly violations: Violation[]
}

/**
 * Reads a form to its end and stores its files as they arrive. A file that breaks a rule is not stored, or removed when the
 * rule breaks; the rest of the form is read all the same, so that the form can be shown again.
 *
 * @param reader Reads the form; null when the body is something else.
 * @param rules What is taken.
 * @param storage Where files go.
 * @returns The files, and what is wrong.
 * @throws {InputException} If the form is malformed, or has a file in a field that is not declared. Nothing is stored then.
 * @throws {PayloadTooLargeException} If the form is over a limit. Nothing is stored then.
 */
export async function readUpload(
  reader: MultipartReader | null,
  rules: UploadRules,
  storage: FileStorage,
): Promise<ReadUpload> {
  const read: ReadUpload & { files: UploadedFile[]; violations: Violation[] } = { files: [], violations: [] }
  if (reader !== null) await receiveAll(rules, { reader, storage, ...read })
  addMissing(rules, read)
  return read
}

/**
 * @param files Files of a form; those that were not kept are removed.
 */
export async function releaseFiles(files: readonly UploadedFile[]): Promise<void> {
  await Promise.allSettled(files.map((file) => file.release()))
}

async function receiveAll(rules: UploadRules, receiving: Receiving): Promise<void> {
  const { reader, files } = receiving
  try {
    // The file that ended the leading fields may have been met already.
    for (let head = reader.file ?? (await reader.nextFile()); head !== null; head = await reader.nextFile())
      await receive(head, rules, receiving)
  } catch (error) {
    await releaseFiles(files)
    throw error
  }
}

async function receive(head: PartHead, rules: UploadRules, receiving: Receiving): Promise<void> {
  const { reader, files, violations } = receiving
  const field = fieldName(head.name)
  const rule = rules.fields.get(field)
  const sample = await readSample(reader)
  // A file input that was left empty.
  if (sample.length === 0 && head.filename === '') return
  if (rule === undefined) throw new InputException('The form has a file in a field that takes none')
  const count = files.filter((file) => file.field === field).length
  if (count >= rule.maxFiles) return addOnce(violations, tooMany(field, rule))
  const facts = await kindOf(sample)
  if (!rule.takes(facts.type)) return addOnce(violations, wrongType(field, rule))
  const draft = await receiving.storage.begin(facts)
  try {
    const outcome = await store(draft, { sample, reader, rule, facts })
    if (typeof outcome === 'number') {
      const label = labelOf(head.filename ?? '')
      files.push(new UploadedFile({ field, label, type: facts.type, size: outcome }, draft))
      return
    }
    addOnce(violations, outcome === 'size' ? tooLarge(field, rule) : wrongType(field, rule))
  } catch (error) {
    await draft.discard().catch(() => undefined)
    throw error
  }
  await draft.discard()
}

interface Storing {
  readonly sample: Uint8Array
  readonly reader: MultipartReader
  readonly rule: FileField
  readonly facts: FileFacts
}

// The length in bytes, or which rule is broken. A text must be one to its end.
async function store(
  draft: FileDraft,
  { sample, reader, rule, facts }: Storing,
): Promise<number | 'size' | 'type'> {
  const text = facts.type === 'text/plain' && !rule.takesAll ? new TextCheck() : null
  let size = 0
  for (let piece: Uint8Array | null = sample; piece !== null; piece = await reader.read()) {
    size += piece.length
    if (size > rule.maxBytes) return 'size'
    if (text !== null && !text.accepts(piece)) return 'type'
    await draft.write(piece)
  }
  return size
}

async function readSample(reader: MultipartReader): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  for (let length = 0; length < SAMPLE_BYTES;) {
    const piece = await reader.read()
    if (piece === null) break
    pieces.push(piece)
    length += piece.length
  }
  return Buffer.concat(pieces)
}

function addMissing(
  rules: UploadRules,
  { files, violations }: Pick<Receiving, 'files' | 'violations'>,
): void {
  for (const [field, { isOptional }] of rules.fields) {
    const isThere = [...files, ...violations].some((each) => each.field === field)
    if (!isOptional && !isThere) violations.push(violation(field, 'file_required', ['Choose a file']))
  }
}

function addOnce(violations: Violation[], added: Violation): void {
  if (violations.some(({ field, code }) => field === added.field && code === added.code)) return
  violations.push(added)
}

function tooMany(field: string, { maxFiles }: FileField): Violation {
  const text = maxFiles === 1 ? 'Choose one file' : `Choose at most ${maxFiles} files`
  return violation(field, 'file_too_many', [text, { maximum: maxFiles }])
}

function tooLarge(field: string, { maxBytes }: FileField): Violation {
  return violation(field, 'file_too_large', [
    `Choose a file of at most ${sizeOf(maxBytes)}`,
    {
      maximum: maxBytes,
    },
  ])
}

function wrongType(field: string, { types }: FileField): Violation {
  const names = types.map((type) => type.replace(/^.*\/(?:x-)?/, '').toUpperCase()).join(', ')
  return violation(field, 'file_type', [
    `Choose a file of another kind: ${names}`,
    { types: types.join(', ') },
  ])
}

function sizeOf(bytes: number): string {
  const [unit, name] =
    bytes >= 1024 * 1024 ? [1024 * 1024, 'MB'] : bytes >= 1024 ? [1024, 'KB'] : [1, 'bytes']
  return `${Math.floor((bytes / unit) * 10) / 10} ${name}`
}

function violation(
  field: string,
  code: string,
  [fallback, parameters]: readonly [string, ViolationParameters?],
): Violation {
  return new Violation({ field, code, fallback, ...(parameters === undefined ? {} : { parameters }) })
}
