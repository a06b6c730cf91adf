/** What becomes of a slash at the end of a URL. `/` itself is the fixed point of every policy. */
export const TrailingSlash = {
  /** URLs end with a slash; the other spelling redirects. */
  Add: 'add',
  /** URLs end without a slash; the other spelling redirects. */
  Remove: 'remove',
  /** Both spellings match and nothing redirects; generation keeps the declared spelling. */
  Preserve: 'preserve',
} as const

Object.freeze(TrailingSlash)

/** One of the three policies. */
export type TrailingSlash = (typeof TrailingSlash)[keyof typeof TrailingSlash]
