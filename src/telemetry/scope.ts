/** Name under which spans and metrics are made. */
export const SCOPE = 'sallyport'
