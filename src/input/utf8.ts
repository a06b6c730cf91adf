import { InputException } from './input-exception.ts'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * @param bytes Bytes of a text.
 * @returns The text, a byte order mark included.
 * @throws {InputException} If they are not UTF-8: a replacement character would stand for what nobody has typed.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch (cause) {
    throw new InputException('The text of the form is not valid UTF-8', { cause })
  }
}
