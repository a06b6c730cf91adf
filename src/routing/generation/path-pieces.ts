/** Stands for a value while a path is spelled; what is encoded never holds it. */
export const MARK = '\0'

/** A value of a path, and the text between it and the next one. */
interface Piece<V> {
  readonly writer: V
  readonly index: number
  readonly behind: string
}

/** A path with values between its texts. */
export class PathPieces<V> {
  /** The text before the first value. */
  readonly head: string
  readonly pieces: readonly Piece<V>[]

  /** A spelled path with a mark for each value. */
  constructor(path: string, writers: readonly V[]) {
    const [head = '', ...texts] = path.split(MARK)
    this.head = head
    this.pieces = writers.map((writer, index) => ({ writer, index, behind: texts[index] ?? '' }))
  }
}
