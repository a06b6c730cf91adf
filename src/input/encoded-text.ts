import { decodeUtf8 } from './utf8.ts'

// RFC 2047 section 2, in the only charset that is read: `=?utf-8?B?4oKs?=` or `=?utf-8?Q?=E2=82=AC?=`.
const LIKE_WORDS = /^=\?[^?\s]+\?[^?\s]\?.*\?=$/s
const WORD = /=\?utf-8(?:\*[^?\s]*)?\?([bq])\?([^?\s]*)\?=[ \t]*/iy
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/
// RFC 8187 section 3.2: `UTF-8''%e2%82%ac`.
const EXTENDED = /^utf-8'[^']*'((?:%[0-9a-f]{2}|[\w!#$&+.^`|~-])*)$/i

/**
 * Decodes the encoded words that mailers and .NET write in place of a text.
 *
 * @param text Value of a parameter.
 * @returns The text; the same one if it has no encoded words; undefined if they cannot be read.
 * @throws {InputException} If they are not UTF-8.
 */
export function decodeWords(text: string): string | undefined {
  if (!LIKE_WORDS.test(text)) return text
  const pieces: Buffer[] = []
  WORD.lastIndex = 0
  for (let at = 0; at < text.length; at = WORD.lastIndex) {
    const [, kind, content = ''] = WORD.exec(text) ?? []
    const isBase64 = kind?.toLowerCase() === 'b'
    if (kind === undefined || (isBase64 && !BASE64.test(content))) return undefined
    pieces.push(isBase64 ? Buffer.from(content, 'base64') : fromHex(content.replaceAll('_', ' '), '='))
  }
  return decodeUtf8(Buffer.concat(pieces))
}

/**
 * Decodes a parameter whose name ends in an asterisk.
 *
 * @param text Its value.
 * @returns The text; undefined if it is malformed.
 * @throws {InputException} If it is not UTF-8.
 */
export function decodeExtended(text: string): string | undefined {
  const [, content] = EXTENDED.exec(text) ?? []
  return content === undefined ? undefined : decodeUtf8(fromHex(content, '%'))
}

function fromHex(text: string, mark: '=' | '%'): Buffer {
  const bytes = text.replaceAll(mark === '=' ? /=([0-9a-f]{2})/gi : /%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(bytes, 'latin1')
}
