/** What keeps a list from growing for ever. */
export type Bound =
  /** Its primary key or a unique index has one row for an account. */
  | 'one'
  /** At most so many rows. */
  | { readonly most: number }
  /** A row has an end, after which it is deleted, and a limit counts what makes it. */
  | 'expires'
  /** The same, in words, where the rows end otherwise. */
  | { readonly because: string }
