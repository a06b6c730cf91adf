/** Requests that `fetch()` does not send: with any header, and with a body that is held back. @module */
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'

const HELD_BYTES = 3

/**
 * Asks for a page with any headers, also with those that a browser chooses itself.
 *
 * @param url The page.
 * @param headers Headers, such as `host`.
 * @returns The status.
 */
export async function statusOf(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const [answer] = (await once(request(url, { headers }).end(), 'response')) as [IncomingMessage]
  answer.resume()
  return answer.statusCode ?? 0
}

/** A form or a document, of which the last bytes are held back: what happens meanwhile happens before it is read. */
export class HeldRequest {
  readonly #request: ClientRequest
  readonly #answer: Promise<IncomingMessage>
  readonly #rest: string

  /**
   * Sends all but the end.
   *
   * @param url Where to.
   * @param body The body. Its length is told at once.
   * @param headers Headers, with the type of the body.
   */
  constructor(url: string, body: string, headers: Readonly<Record<string, string>>) {
    const length = { 'content-length': Buffer.byteLength(body) }
    this.#request = request(url, { method: 'POST', headers: { ...headers, ...length } })
    this.#answer = once(this.#request, 'response').then(([answer]) => answer as IncomingMessage)
    this.#rest = body.slice(-HELD_BYTES)
    this.#request.write(body.slice(0, -HELD_BYTES))
  }

  /**
   * Sends the end.
   *
   * @returns The answer, whose body nobody reads.
   */
  async finish(): Promise<IncomingMessage> {
    this.#request.end(this.#rest)
    const answer = await this.#answer
    answer.resume()
    return answer
  }
}
