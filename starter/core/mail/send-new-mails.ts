import { inject } from 'sallyport'
import type { OutgoingMiddleware } from 'sallyport/http'
import { Mails } from './mails.ts'

/** Sends the mails that a request has written, now that its transactions have ended. */
export class SendNewMails implements OutgoingMiddleware {
  readonly #mails = inject(Mails)

  async process(response: Response): Promise<Response> {
    await this.#mails.sendNew()
    return response
  }
}
