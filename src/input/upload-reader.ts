import { InputException } from './input-exception.ts'
import { fieldName } from './form-fields.ts'
import { kindOf, SAMPLE_BYTES, TextCheck } from './file-kind.ts'
import type { FileDraft, FileFacts, FileStorage } from './file-storage.ts'
import type { PartHead } from './multipart-head.ts'
import type { MultipartReader } from './multipart-reader.ts'
import { nameOfType } from './type-names.ts'
import type { FileField, UploadRules } from './upload-rules.ts'
import { labelOf, UploadedFile } from './uploaded-files.ts'
import { englishMessage, GENERIC_MESSAGE } from './validation-messages.ts'
import { Violation, type ViolationParameters } from './violation.ts'

const MEGABYTE = 1024 * 1024
// The label of a file whose name has nothing that can be shown.
const NAMELESS = 'file'

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
  if (rule === undefined)
    throw new InputException(
      `The form has a file in a field that takes none: files go in ${[...rules.fields.keys()].join(', ')}`,
    )
  const count = files.filter((file) => file.field === field).length
  if (count >= rule.maxFiles) return addOnce(violations, tooMany(field, rule))
  const left = rules.maxTotalBytes - files.reduce((sum, { size }) => sum + size, 0)
  const facts = await kindOf(sample)
  if (!rule.takes(facts.type)) return addOnce(violations, wrongType(field, rule))
  const draft = await receiving.storage.begin(facts)
  try {
    const outcome = await store(draft, { sample, reader, rule, facts, left })
    if (typeof outcome === 'number') {
      const label = labelOf(head.filename ?? '') || NAMELESS
      files.push(new UploadedFile({ field, label, type: facts.type, size: outcome }, draft))
      return
    }
    addOnce(violations, broken(outcome, field, { rule, rules }))
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
  /** As many bytes as all files together may still have. */
  readonly left: number
}

type Outcome = 'size' | 'total' | 'type'

function broken(
  outcome: Outcome,
  field: string,
  { rule, rules }: { readonly rule: FileField; readonly rules: UploadRules },
): Violation {
  if (outcome === 'type') return wrongType(field, rule)
  return outcome === 'size'
    ? violation(field, 'file_too_large', sizes(rule.maxBytes))
    : violation(field, 'files_too_large', sizes(rules.maxTotalBytes))
}

// The length in bytes, or which rule is broken. A text must be one to its end.
async function store(
  draft: FileDraft,
  { sample, reader, rule, facts, left }: Storing,
): Promise<number | Outcome> {
  const text = facts.type === 'text/plain' && !rule.takesAll ? new TextCheck() : null
  let size = 0
  for (let piece: Uint8Array | null = sample; piece !== null; piece = await reader.read()) {
    size += piece.length
    if (size > rule.maxBytes) return 'size'
    if (size > left) return 'total'
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
    if (!isOptional && !isThere) violations.push(violation(field, 'file_required', {}))
  }
}

function addOnce(violations: Violation[], added: Violation): void {
  if (violations.some(({ field, code }) => field === added.field && code === added.code)) return
  violations.push(added)
}

function tooMany(field: string, { maxFiles }: FileField): Violation {
  return violation(field, 'too_many_files', { maximum: maxFiles })
}

function wrongType(field: string, { types }: FileField): Violation {
  return violation(field, 'wrong_file_type', { options: types.map(nameOfType).join(', ') })
}

// A message in another language formats the number of megabytes, not that of bytes.
function sizes(maximum: number): ViolationParameters {
  return { maximum, megabytes: Math.round((maximum / MEGABYTE) * 100) / 100 }
}

function violation(field: string, code: string, parameters: ViolationParameters): Violation {
  return new Violation({
    field,
    code,
    fallback: englishMessage(code, parameters) ?? GENERIC_MESSAGE,
    parameters,
  })
}
