/** A value that can stand in a URL. */
export type UrlValue = string | number | boolean | bigint

/**
 * Values for a URL: placeholders by name, the others become its query. A list repeats its key in the query, or gives
 * the segments of a placeholder that takes the rest; null and undefined are left out.
 */
export type UrlParams = Readonly<
  Record<string, UrlValue | null | undefined | readonly (UrlValue | null | undefined)[]>
>

/** The same before anything is judged: what a value may be, its parameter type says. */
export type GivenParams = Readonly<Record<string, unknown>>
