/** What is known of a file before it is stored. */
export interface FileFacts {
  /** Its media type, told from its bytes. */
  readonly type: string
  /** Ending that fits the type, without a dot; empty when there is none. */
  readonly extension: string
}

/** A file that is being stored. Nobody finds it before it is kept. */
export interface FileDraft {
  /**
   * @param bytes The next bytes; the buffer may be used again when the promise is settled.
   */
  write(bytes: Uint8Array): Promise<void>

  /**
   * Makes the file one that stays.
   *
   * @returns Its key, by which the storage finds it again.
   */
  keep(): Promise<string>

  /** Removes the file, also one that is half written. Nothing happens when it was kept or discarded. */
  discard(): Promise<void>
}

/** A file that was kept. */
export interface StoredFile {
  /** Its media type. */
  readonly type: string
  /** Length in bytes. */
  readonly size: number
  /**
   * What differs for every other content that the key may ever have, such as the version that an object store gives, or the
   * key itself where a key is never used again. Clients get a digest of it as entity tag. Default: none, so that they cannot
   * ask whether the file has changed.
   */
  readonly tag?: string
  /** When it was kept. Default: unknown. */
  readonly modified?: Date
  /**
   * @returns Its bytes, read as they are consumed.
   */
  stream(): ReadableStream<Uint8Array<ArrayBuffer>>
  /**
   * Reads a part. A storage without it has the bytes before the part read and dropped.
   *
   * @param first Position of the first byte.
   * @param last Position of the last byte, below the length.
   * @returns The bytes from the first to the last, both included.
   */
  part?(first: number, last: number): ReadableStream<Uint8Array<ArrayBuffer>>
}

/** Where uploaded files go. Register one: `definitions.set(FileStorage, new DiskFileStorage({ directory }))`. */
export abstract class FileStorage {
  /**
   * @param facts What is known of the file.
   * @returns An empty file.
   */
  abstract begin(facts: FileFacts): Promise<FileDraft>

  /**
   * @param key Key of a file, possibly made up by a client.
   * @returns The file; null when there is none.
   */
  abstract find(key: string): Promise<StoredFile | null>

  /**
   * @param key Key of a file.
   * @returns Whether there was one.
   */
  abstract remove(key: string): Promise<boolean>
}
