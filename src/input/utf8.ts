import { InputException } from './input-exception.ts'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * @param bytes Encoded bytes.
 * @returns The decoded string, including a byte order mark.
 * @throws {InputException} If they are not UTF-8. Replacement characters would hide what the user typed.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch (cause) {
    throw new InputException('The text of the form is not valid UTF-8', { cause })
  }
}
