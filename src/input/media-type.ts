/**
 * @param contentType Value of a `Content-Type` header.
 * @returns The media type alone, in lower case; empty when there is none.
 */
export function mediaType(contentType: string | null): string {
  if (contentType === null) return ''
  const semicolon = contentType.indexOf(';')
  return (semicolon === -1 ? contentType : contentType.slice(0, semicolon)).trim().toLowerCase()
}

/**
 * @param contentType Value of a `Content-Type` header.
 * @returns Whether it is a form in parts.
 */
export function isMultipart(contentType: string | null): boolean {
  return mediaType(contentType) === 'multipart/form-data'
}

/**
 * @param contentType Value of a `Content-Type` header.
 * @returns Whether it is an HTML form.
 */
export function isForm(contentType: string | null): boolean {
  const type = mediaType(contentType)
  return type === 'multipart/form-data' || type === 'application/x-www-form-urlencoded'
}
