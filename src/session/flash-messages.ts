import { assertOptions, ignoreFailure, randomBytes, sentence, shown } from '../core/internal.ts'
import type { Json } from '../core/index.ts'
import { isSeen, type SentRequest } from '../http/index.ts'
import { DISPENSABLE_PREFIX } from './dispensable-prefix.ts'
import { LateChange, warnWhenLate } from './refusal.ts'

/*
 * Each message has its own entry, so that concurrent requests do not overwrite each other's:
 *
 *   "_flash." number "." random     the number in base 36, eight digits
 *
 * The number is one more than the highest that the request saw, which orders messages without a clock. Concurrent requests
 * may choose the same number; the random part keeps their messages apart.
 */
const PREFIX = DISPENSABLE_PREFIX
const DIGITS = 8
const RANDOM_BYTES = 9
const MAX_MESSAGES = 20
const MAX_BYTES = 16_384
// A message over half of the bytes is cut to this many characters; kind and text fit at six bytes each.
const MAX_CHARACTERS = 1000

/** A message for the next page. */
export interface FlashMessage {
  /** Category of the message, such as `notice` or `error`. */
  readonly kind: string
  /** The message; a template escapes it. */
  readonly text: string
}

/** How a message is kept. */
export interface FlashOptions {
  /**
   * Path of the page that the message is for, as `context.url()` makes it; a query does not count. Any other page that takes
   * messages drops it. Default: the next page, whichever it is.
   */
  readonly path?: string
}

/** The request whose response shows messages. */
export interface Showing extends SentRequest {
  path(): string
}

/** A message as it is stored. */
interface Stored extends FlashMessage {
  readonly path?: string
}

/** A session entry; its message is null if something else has written it. */
interface Kept {
  readonly key: string
  readonly message: Stored | null
}

/** The session that keeps them. */
export interface KeepingSession {
  readonly isClosed: boolean
  refuse(error: unknown): Promise<never>
  keysFrom(prefix: string): Promise<readonly string[]>
  get<T>(key: string): Promise<T | undefined>
  set(key: string, value: Json): Promise<void>
  remove(key: string): Promise<void>
}

/** The messages behind `Flash`, which says what they do. */
export class FlashMessages {
  readonly #session: KeepingSession
  readonly #request: Showing | null
  #last = 0
  #pending: Set<Promise<unknown>> | null = null

  /**
   * @param session Session of the request.
   * @param request Context of the request; null where the page is seen and has no path.
   */
  constructor(session: KeepingSession, request: Showing | null) {
    this.#session = session
    this.#request = request
  }

  /**
   * @param kind Category of the message.
   * @param text The message.
   * @param options Which page it is for.
   * @returns A promise that settles when it is kept.
   */
  add(kind: string, text: string, options: FlashOptions): Promise<void> {
    if (this.#session.isClosed) return this.#session.refuse(new LateChange())
    if (typeof kind === 'string' && typeof text === 'string') {
      try {
        return this.#tracked(this.#add({ kind, text, ...pathOf(options) }))
      } catch (error) {
        return this.#session.refuse(error)
      }
    }
    const [what, part] = typeof kind === 'string' ? ['text', text] : ['kind', kind]
    return this.#session.refuse(
      new TypeError(
        sentence`Cannot keep a flash message: its ${what} is a value of type ${typeof part}, not a string`,
      ),
    )
  }

  async #add(given: Stored): Promise<void> {
    const kept = await this.#kept()
    this.#last = Math.max(this.#last, ...kept.map(numberOf)) + 1
    const key = keyOf(this.#last)
    const message = fitted(given)
    for (const old of pushedOut([...kept, { key, message }])) await this.#session.remove(old.key)
    await this.#session.set(key, { ...message })
  }

  /** @returns The messages for this page, which are removed. */
  take(): Promise<readonly FlashMessage[]> {
    return this.#tracked(this.#take())
  }

  /** @returns A promise that settles with all pending operations; null when there are none. */
  pending(): Promise<unknown> | null {
    return this.#pending === null || this.#pending.size === 0 ? null : Promise.allSettled(this.#pending)
  }

  #tracked<T>(promise: Promise<T>): Promise<T> {
    const pending = (this.#pending ??= new Set())
    pending.add(promise)
    void ignoreFailure(promise.finally(() => pending.delete(promise)))
    return warnWhenLate(promise)
  }

  async #take(): Promise<readonly FlashMessage[]> {
    if (this.#request !== null && !isSeen(this.#request)) return []
    const kept = await this.#kept()
    for (const { key } of kept) await this.#session.remove(key)
    const path = this.#request?.path() ?? ''
    return kept
      .flatMap(({ message }) => message ?? [])
      .filter((message) => message.path === undefined || message.path === path)
      .slice(-MAX_MESSAGES)
      .map(({ kind, text }) => ({ kind, text }))
  }

  async #kept(): Promise<Kept[]> {
    const kept: Kept[] = []
    for (const key of await this.#session.keysFrom(PREFIX)) {
      const message = await this.#session.get(key)
      kept.push({ key, message: isMessage(message) ? message : null })
    }
    return kept
  }
}

function keyOf(number: number): string {
  const random = randomBytes(RANDOM_BYTES).toString('base64url')
  return `${PREFIX}${number.toString(36).padStart(DIGITS, '0')}.${random}`
}

function numberOf({ key }: Kept): number {
  const number = Number.parseInt(key.slice(PREFIX.length, PREFIX.length + DIGITS), 36)
  return Number.isNaN(number) ? 0 : number
}

// The oldest messages beyond the limits.
function pushedOut(kept: readonly Kept[]): Kept[] {
  let count = 0
  let bytes = 0
  const over = kept.findLastIndex(({ key, message }) => {
    count++
    bytes += key.length + bytesOf(message)
    return count > MAX_MESSAGES || bytes > MAX_BYTES
  })
  return kept.slice(0, over + 1)
}

function pathOf(options: FlashOptions): FlashOptions {
  assertOptions(options, ['path'], 'flash().add()')
  const { path } = options
  if (path === undefined) return {}
  if (typeof path !== 'string')
    throw new TypeError(sentence`Cannot keep a message for the path ${shown(path)}: pass a string`)
  return { path: path.replace(/[?#].*$/s, '') }
}

function fitted(message: Stored): Stored {
  if (bytesOf(message) <= MAX_BYTES / 2) return message
  return { ...message, kind: cut(message.kind), text: cut(message.text) }
}

function cut(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text
  // Never cut a surrogate pair.
  return `${text.slice(0, MAX_CHARACTERS - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}

function isMessage(value: unknown): value is Stored {
  if (typeof value !== 'object' || value === null) return false
  return (
    'kind' in value && typeof value.kind === 'string' && 'text' in value && typeof value.text === 'string'
  )
}
