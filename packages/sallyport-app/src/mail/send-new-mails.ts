import { inject } from 'sallyport'
import type { OutgoingMiddleware } from 'sallyport/http'
import { Outbox } from './outbox.ts'

/** Middleware that sends the mails that a request has written, now that its transactions have ended. */
export class SendNewMails implements OutgoingMiddleware {
  readonly #outbox = inject(Outbox)

  /**
   * Sends them.
   *
   * @param response What the request is answered with.
   * @returns The same.
   */
  async process(response: Response): Promise<Response> {
    await this.#outbox.sendNew()
    return response
  }
}
