// Fetch, "destination": what a navigation and a script ask for. All others are parts of a page, such as images.
const SEEN: ReadonlySet<string> = new Set(['document', 'iframe', 'frame', 'empty'])

// The later three are what browsers sent before.
const PURPOSES = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const

/** What of a request tells whether a person will see its response. A context is one. */
export interface SentRequest {
  /**
   * @returns Its method.
   */
  method(): string
  /**
   * @param name Name of a header.
   * @returns Its value; null when it was not sent.
   */
  header(name: string): string | null
}

/**
 * Tells whether a person sees the response: what is told once must not be spent on any other. It is not seen for HEAD, when a
 * browser prefetches or prerenders the page, and when it is an image or another part of a page. Without headers that say so,
 * it is.
 *
 * @param request Context of the request.
 * @returns Whether it is.
 * @see Nav Speculation, "Sec-Purpose"; Fetch Metadata, "Sec-Fetch-Dest".
 */
export function isSeen(request: SentRequest): boolean {
  return (
    request.method() !== 'HEAD' &&
    !PURPOSES.some((name) => /prefetch|prerender|preview/i.test(request.header(name) ?? '')) &&
    SEEN.has(request.header('sec-fetch-dest') ?? 'document')
  )
}
