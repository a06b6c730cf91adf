import type { RequestSource } from '../../../src/http/internal.ts'

const NOTHING = new Uint8Array(0)

// Nobody leaves before the answer.
const STAYING = new AbortController().signal

/** A request without headers and body whose target reaches the application as it was sent, byte for byte. */
export class RawSource implements RequestSource {
  readonly secure = false
  readonly origin = 'http://app.test'
  readonly clientAddress = '127.0.0.1'
  readonly signal: RequestSource['signal'] = STAYING
  readonly bodyLength = 0
  readonly awaitsBody = false
  readonly hasWholeBody = true
  bodyLimit: number = Infinity
  readonly method: string
  readonly target: string

  /**
   * @param method The HTTP method.
   * @param target Path and query.
   */
  constructor(method: string, target: string) {
    this.method = method
    this.target = target
  }

  header(): string | null {
    return null
  }

  async bytes(): Promise<Uint8Array> {
    return NOTHING
  }

  async *stream(): AsyncGenerator<Uint8Array, undefined> {
    yield await this.bytes()
  }

  finishBody(): Promise<void> {
    return Promise.resolve()
  }

  request(): Request {
    return new Request(this.origin + this.target, { method: this.method })
  }
}
