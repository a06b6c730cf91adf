import type {
  FlashMessages,
  FlashOptions,
  FlashMessage,
  RequestSession,
  Showing,
} from '../session/internal.ts'

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
  readonly #messages: FlashMessages

  /**
   * @param session Session of the request.
   * @param request Context of the request. Default: the page is seen, and has no path.
   */
  constructor(session: RequestSession, request: Showing | null = null) {
    this.#messages = session.messages(request)
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
    return this.#messages.add(kind, text, options)
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
    return this.#messages.take()
  }

  /** @returns A promise that settles with all pending operations; null when there are none. @internal */
  pending(): Promise<unknown> | null {
    return this.#messages.pending()
  }
}
