/** A link in a notice. It is left out where there is no origin to begin it with. */
export interface NoticeLink {
  /** Message before it, without `notice.`. */
  readonly id: string
  /** Its path, without the base path. */
  readonly path: string
}
