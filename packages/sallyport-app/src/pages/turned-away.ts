import { HttpException } from 'sallyport/http'

/** Why a request can do nothing as things stand. A browser goes on where it can; a program gets a problem (RFC 9457). */
export interface TurnedAway {
  /** 409 where the state of session or account is in the way (RFC 9110, 15.5.10), 404 where there is nothing. */
  readonly status: 401 | 403 | 404 | 409 | 422 | 429
  /** Stable identifier of the problem. */
  readonly code: string
  /** What a program is told. */
  readonly detail: string
  /** Message for the page that a browser is led to. Default: none, because the page itself shows the state. */
  readonly text?: string | undefined
}

/** A request that is turned away. What renders errors leads a browser on to the path. */
export class TurnedAwayException extends HttpException {
  /** Where a browser goes on. */
  readonly path: string
  /** Message for the page there; undefined for none. */
  readonly text: string | undefined

  /**
   * @param why What is in the way.
   * @param path Where a browser goes on.
   * @param headers Headers for a program. Default: none.
   */
  constructor(why: TurnedAway, path: string, headers: HttpException['headers'] = {}) {
    super(why.status, why.code, why.detail, { headers })
    this.path = path
    this.text = why.text
  }
}
