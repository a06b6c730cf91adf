import { late } from '../core/internal.ts'
import type { FileFacts } from './file-storage.ts'

// It takes longer to load than all of the rest, and most processes receive no file.
const fileTypes = late(() => import('file-type'))

/** As many bytes as the kind of a file is told from. */
export const SAMPLE_BYTES = 4100

/** The kind of a file whose bytes say nothing. */
export const UNKNOWN_KIND: FileFacts = { type: 'application/octet-stream', extension: '' }

/** The kind of a file that is text to its end. */
export const TEXT: FileFacts = { type: 'text/plain', extension: 'txt' }
// Tab, line feed, form feed and carriage return are the control characters of text.
const CONTROL = /[\p{Cc}--[\t\n\f\r\u0080-\u009f]]/v

/**
 * Tells the kind of a file from its first bytes, never from its name or from what the client says.
 *
 * @param sample The first bytes.
 * @returns The kind.
 */
export async function kindOf(sample: Uint8Array): Promise<FileFacts> {
  const { fileTypeFromBuffer } = await fileTypes()
  const found = await fileTypeFromBuffer(sample)
  if (found !== undefined) return { type: found.mime, extension: found.ext }
  return new TextCheck().accepts(sample) ? TEXT : UNKNOWN_KIND
}

/** Checks that bytes are UTF-8 text. */
export class TextCheck {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true })

  /**
   * @param bytes The next bytes.
   * @returns Whether they can be a part of a text.
   */
  accepts(bytes: Uint8Array): boolean {
    try {
      return !CONTROL.test(this.#decoder.decode(bytes, { stream: true }))
    } catch {
      return false
    }
  }
}
