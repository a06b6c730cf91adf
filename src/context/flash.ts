import { assertOptions, ignoreFailure, randomBytes, sentence, shown } from '../core/internal.ts'
import { isSeen, type SentRequest } from '../http/index.ts'
import { DISPENSABLE_PREFIX, LateChange, type RequestSession, warnWhenLate } from '../session/internal.ts'

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
interface Showing extends SentRequest {
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

/**
 * Messages kept in the session until a page shows them. At most the newest 20 are kept, and at most 16 KiB. Messages are also
 * dropped, oldest first, when other entries would make the session larger than its policy allows.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { App, Controller, defineModule } from 'sallyport'
 * import { TestClient } from 'sallyport/testing'
 *
 * class ProfileController extends Controller {
 *   static readonly actions = { index: [], savePost: [] }
 *
 *   async index() {
 *     return { messages: await this.context.flash().take() }
 *   }
 *
 *   async savePost() {
 *     await this.context.flash().add('notice', 'Your profile is saved')
 *     return this.redirect('/site/profile')
 *   }
 * }
 * const client = new TestClient(
 *   App.default().modules(defineModule('Site', (module) => module.controllers(ProfileController))),
 * )
 *
 * const profile = await client.post('/site/profile/save', { follow: true })
 * assert.deepEqual(await profile.json(), {
 *   messages: [{ kind: 'notice', text: 'Your profile is saved' }],
 * })
 * ```
 */
export class Flash {
  readonly #session: RequestSession
  readonly #request: Showing | null
  #last = 0
  #pending: Set<Promise<unknown>> | null = null

  /**
   * @param session Session of the request.
   * @param request Context of the request. Default: the page is seen, and has no path.
   */
  constructor(session: RequestSession, request: Showing | null = null) {
    this.#session = session
    this.#request = request
  }

  /**
   * Keeps a message until it is taken. Messages of concurrent requests are all kept.
   *
   * @param kind Category of the message, such as `notice` or `error`.
   * @param text The message; if kind and text exceed 8 KiB it is cut to 1,000 characters.
   * @param options Which page it is for. Default: the next one.
   * @throws {TypeError} If an argument is not a string, or an option is unknown. When nobody awaits the promise, the response becomes the error.
   * @throws {ServiceUnavailableException} If the session store fails.
   * @throws {Error} If the response has already been made.
   */
  add(kind: string, text: string, options: FlashOptions = {}): Promise<void> {
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

  /**
   * Returns the messages for this page and removes all. A message that a concurrent request adds stays for the next page. Two
   * pages made at the same time may show the same messages. A response that no person sees gets none and removes none: that to
   * HEAD, to a prefetch or prerender, and a part of a page such as an image.
   *
   * @returns The messages in the order they were added.
   * @see isSeen
   * @throws {ServiceUnavailableException} If the session store fails.
   * @throws {Error} If there are messages, and the response has already been made.
   */
  take(): Promise<readonly FlashMessage[]> {
    return this.#tracked(this.#take())
  }

  /** @returns A promise that settles with all pending operations; null when there are none. @internal */
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
