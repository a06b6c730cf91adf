import { accessSync, constants, createReadStream, statSync } from 'node:fs'
import { type FileHandle, open, readdir, rename, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { type Clock, SystemClock } from '../core/index.ts'
import { assertBoolean, assertOptions, declarationError, randomBytes, shown } from '../core/internal.ts'
import { HttpException } from '../http/index.ts'
import { type FileDraft, type FileFacts, FileStorage, type StoredFile } from '../input/index.ts'
import { typeOf } from './asset.ts'

/** Options of a {@link DiskFileStorage}. */
export interface DiskFileStorageOptions {
  /** Folder of the files, not one that is served. */
  readonly directory: URL
  /** Whether a file is flushed to the disk before it is kept, so that it survives a power failure. Default: false. */
  readonly flush?: boolean
  /** The clock, to tell what an earlier process left behind. Default: the machine's. */
  readonly clock?: Clock
}

// 26 digits of base 32 hold 130 random bits: nobody guesses a key, and two files never have the same.
const KEY = /^[0-9a-v]{26}(?:\.[0-9a-z]{1,8})?$/
const DRAFT = /^\.upload-[0-9a-v]{26}$/
const DIGITS = '0123456789abcdefghijklmnopqrstuv'
const LEFT_BEHIND_MILLISECONDS = 24 * 60 * 60 * 1000

/**
 * Stores files in a folder. A file is written under a temporary name and renamed when it is kept, so no other program sees
 * half of one. Names are random; nothing of what the client says is part of them. What a killed process left is removed
 * after a day.
 */
export class DiskFileStorage extends FileStorage {
  readonly #folder: string
  readonly #flush: boolean
  readonly #clock: Clock
  #swept: Promise<void> | null = null

  /**
   * @param options Folder and flushing.
   * @throws {TypeError} If an option is unknown, or the folder is not a file URL.
   * @throws {RangeError} If the folder does not exist or cannot be written.
   */
  constructor(options: DiskFileStorageOptions) {
    super()
    assertOptions(options, ['directory', 'flush', 'clock'], 'a DiskFileStorage')
    const { directory, flush = false, clock = new SystemClock() } = options
    assertBoolean(flush, 'flush')
    this.#folder = folderOf(directory)
    this.#flush = flush
    this.#clock = clock
  }

  /**
   * @param facts What is known of the file.
   * @returns An empty file.
   * @throws {HttpException} If the disk is full (507), here and when the file is written and kept.
   * @throws {Error} If it cannot be written.
   */
  override async begin({ extension }: FileFacts): Promise<FileDraft> {
    this.#swept ??= this.#sweep().catch(() => undefined)
    await this.#swept
    const name = randomName()
    const path = join(this.#folder, `.upload-${name}`)
    const key = /^[0-9a-z]{1,8}$/.test(extension) ? `${name}.${extension}` : name
    const file = await withRoom(open(path, 'wx'))
    return new DiskDraft(file, { path, key, target: join(this.#folder, key), flush: this.#flush })
  }

  /**
   * @param key Key of a file, possibly made up by a client.
   * @returns The file; null when there is none.
   * @throws {Error} If the folder cannot be read.
   */
  override async find(key: string): Promise<StoredFile | null> {
    const path = this.#path(key)
    const facts = path === null ? null : await stat(path).catch(ignoreMissing)
    if (path === null || facts === null || !facts.isFile()) return null
    return {
      type: typeOf(key),
      size: facts.size,
      // A key is random, and what it stands for never changes.
      tag: key,
      modified: facts.mtime,
      stream: () => Readable.toWeb(createReadStream(path)),
      part: (start, end) => Readable.toWeb(createReadStream(path, { start, end })),
    }
  }

  /**
   * @param key Key of a file.
   * @returns Whether there was one.
   * @throws {Error} If it cannot be removed.
   */
  override async remove(key: string): Promise<boolean> {
    const path = this.#path(key)
    if (path === null) return false
    return (await unlink(path).then(() => true, ignoreMissing)) ?? false
  }

  #path(key: string): string | null {
    return typeof key === 'string' && KEY.test(key) ? join(this.#folder, key) : null
  }

  async #sweep(): Promise<void> {
    for (const name of await readdir(this.#folder)) {
      if (!DRAFT.test(name)) continue
      const path = join(this.#folder, name)
      const { mtimeMs } = await stat(path)
      if (mtimeMs < this.#clock.milliseconds() - LEFT_BEHIND_MILLISECONDS) await unlink(path)
    }
  }
}

interface DraftParts {
  readonly path: string
  readonly key: string
  readonly target: string
  readonly flush: boolean
}

class DiskDraft implements FileDraft {
  readonly #file: FileHandle
  readonly #parts: DraftParts
  #state: 'open' | 'kept' | 'gone' = 'open'

  constructor(file: FileHandle, parts: DraftParts) {
    this.#file = file
    this.#parts = parts
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) at += (await withRoom(this.#file.write(bytes, at))).bytesWritten
  }

  async keep(): Promise<string> {
    const { path, key, target, flush } = this.#parts
    if (this.#state === 'gone')
      throw new Error(
        'Cannot keep the file: keep() was called after the action ended, and the file has been removed',
      )
    if (this.#state === 'kept') return key
    if (flush) await withRoom(this.#file.sync())
    // Some file systems find out only now.
    await withRoom(this.#file.close())
    await withRoom(rename(path, target))
    this.#state = 'kept'
    return key
  }

  async discard(): Promise<void> {
    if (this.#state !== 'open') return
    this.#state = 'gone'
    try {
      await this.#file.close()
    } finally {
      await unlink(this.#parts.path).catch(ignoreMissing)
    }
  }
}

function folderOf(directory: unknown): string {
  if (!(directory instanceof URL) || directory.protocol !== 'file:')
    throw declarationError(
      `Cannot store files in ${shown(directory)}: pass a file URL, such as new URL('./uploads/', import.meta.url)`,
    )
  const path = fileURLToPath(directory)
  const reason = reasonAgainst(path)
  if (reason === null) return path
  throw declarationError(`Cannot store files in ${JSON.stringify(path)}: ${reason}`, RangeError)
}

function reasonAgainst(path: string): string | null {
  try {
    if (!statSync(path).isDirectory()) return 'it is not a folder'
  } catch {
    return 'there is no such folder; create it first'
  }
  try {
    accessSync(path, constants.W_OK | constants.X_OK)
    return null
  } catch {
    return 'this process is not allowed to write there'
  }
}

function randomName(): string {
  return Array.from(randomBytes(26), (byte) => DIGITS[byte & 31]).join('')
}

// A full disk is neither the client's mistake nor one of the program.
async function withRoom<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing
  } catch (cause) {
    const code: unknown = cause instanceof Error ? Reflect.get(cause, 'code') : undefined
    if (code !== 'ENOSPC' && code !== 'EDQUOT') throw cause
    throw new HttpException(
      507,
      'ERR_HTTP_INSUFFICIENT_STORAGE',
      'There is no room for the file at the moment',
      {
        cause,
      },
    )
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
