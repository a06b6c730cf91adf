/** Prefix of the entries that are dropped when the session would get too large. */
export const DISPENSABLE_PREFIX = '_flash.'
