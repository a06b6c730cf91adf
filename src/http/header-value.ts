// RFC 9110 section 5.5: no control characters except the tab; characters outside Latin-1 cannot be sent.
const HEADER_VALUE = /^[\t\u0020-\u007e\u0080-\u00ff]*$/

/**
 * Checks a header value against RFC 9110 section 5.5.
 *
 * @param text Value of a header.
 * @returns Whether it can be sent.
 */
export function isHeaderValue(text: string): boolean {
  return HEADER_VALUE.test(text)
}

const ASCII = /^\p{ASCII}*$/u

/**
 * @param text Value of a header.
 * @returns Whether it has the same bytes in Latin-1 and in UTF-8.
 */
export function isAscii(text: string): boolean {
  return ASCII.test(text)
}
