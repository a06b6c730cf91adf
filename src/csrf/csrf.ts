import { timingSafeEqual } from 'node:crypto'
import { declarationError, ignoreFailure, randomBytes, sentence, shown, whenReady } from '../core/internal.ts'
import {
  type EndedIdentifier,
  assertSession,
  hasMethods,
  isRequestSession,
  warnWhenLate,
} from '../session/internal.ts'
import type { Session } from '../session/index.ts'

// The session stores 32 random bytes in base64url under this key. A token is 32 fresh random bytes followed by the secret
// XORed with them: 64 bytes in 86 characters of base64url. No two tokens are alike, so compression leaks nothing.
const SECRET_KEY = '_csrf'
const SECRET_BYTES = 32
const TOKEN = /^[A-Za-z0-9_-]{86}$/
const SECRET_CHARACTERS = 43

/**
 * The CSRF secret of a session, and the tokens made from it.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { App, Controller, defineModule } from 'sallyport'
 * import { Csrf } from 'sallyport/csrf'
 * import { CsrfMiddleware } from 'sallyport/middleware'
 * import { TestClient } from 'sallyport/testing'
 *
 * class NameController extends Controller {
 *   static readonly actions = { index: [], indexPost: [] }
 *
 *   async index() {
 *     const token = await this.context.csrf().token()
 *     return `<form method="post"><input type="hidden" name="${Csrf.fieldName}" value="${token}"><button>Save</button></form>`
 *   }
 *
 *   indexPost() {
 *     return 'Saved'
 *   }
 * }
 * const site = defineModule('Site', (module) =>
 *   module.middleware(CsrfMiddleware).controllers(NameController),
 * )
 * const client = new TestClient(App.default().modules(site))
 * const page = await (await client.get('/site/name')).text()
 * const token = /value="([^"]+)"/.exec(page)?.[1] ?? ''
 *
 * assert.equal((await client.post('/site/name')).status, 403)
 * assert.equal((await client.post('/site/name', { form: { _csrf: token } })).status, 200)
 * ```
 *
 * @see OWASP Cross-Site Request Forgery Prevention, synchronizer token pattern; clauses CSRF-01 to CSRF-10.
 */
export class Csrf {
  /** Name of the form field that carries the token. */
  static readonly fieldName = '_csrf'
  /** Name of the header that may carry it instead, in lower case. */
  static readonly headerName = 'x-csrf-token'

  readonly #session: Session
  readonly #ended: EndedIdentifier | null
  #making: Promise<Buffer> | null = null
  #hasIssued = false

  /**
   * @param session Session of the request.
   * @param ended The same session, if it can report an identifier that another request ended. Default: none.
   * @throws {TypeError} If an argument is not a session.
   */
  constructor(session: Session, ended: EndedIdentifier | null = null) {
    if (!isRequestSession(session)) assertSession(session, 'make CSRF tokens')
    if (ended !== null && !hasMethods(ended, ['endedSecret', 'reopen']))
      throw declarationError(
        sentence`Cannot make CSRF tokens with ${shown(ended)} as the ended identifier: pass the session of the request, or nothing`,
      )
    this.#session = session
    this.#ended = ended
  }

  /**
   * Creates a token for a form, and the secret when the session has none yet.
   *
   * @returns A new token. All tokens of a session stay valid until `login()` or `logout()` drops the secret.
   * @throws {ServiceUnavailableException} If the session store fails.
   */
  token(): Promise<string> {
    return warnWhenLate(this.#token())
  }

  async #token(): Promise<string> {
    this.#hasIssued = true
    const secret =
      secretOf(await this.#session.get(SECRET_KEY)) ??
      (await this.#endedSecret()) ??
      (await this.#newSecret())
    return tokenOf(secret)
  }

  /**
   * Does the same as `token()`, if that is possible without waiting.
   *
   * @returns A new token; null if the session has not been read or has no secret yet.
   * @internal
   */
  knownToken(): string | null {
    const session = this.#session
    const secret = isRequestSession(session) ? secretOf(session.knownEntry(SECRET_KEY)) : undefined
    if (secret === undefined) return null
    this.#hasIssued = true
    return tokenOf(secret)
  }

  /**
   * Does the same as `token()` where no response of the application keeps the session: a missing secret is written at once, and
   * never in place of one that another request has made.
   *
   * @returns A new token; null if the session is gone or was changed since it was read.
   * @throws {ServiceUnavailableException} If the session store fails.
   * @internal
   */
  async settledToken(): Promise<string | null> {
    const known = this.knownToken()
    const session = this.#session
    if (known !== null || !isRequestSession(session)) return known
    const secret = randomBytes(SECRET_BYTES)
    const text = JSON.stringify(secret.toString('base64url'))
    return (await session.stored.setUnlessChanged(SECRET_KEY, text)) ? tokenOf(secret) : null
  }

  /** Whether a token was asked for. @internal */
  get hasIssued(): boolean {
    return this.#hasIssued
  }

  /**
   * Verifies a token that a client sent.
   *
   * @param token The token as sent; anything but a string is refused.
   * @returns Whether it was made from the secret of this session.
   * @throws {ServiceUnavailableException} If the session store fails.
   */
  verify(token: unknown): Promise<boolean> {
    return ignoreFailure(this.#verify(token))
  }

  async #verify(token: unknown): Promise<boolean> {
    return this.judge(token)
  }

  /**
   * Does the same as `verify()`, without a promise when the session has already been read.
   *
   * @param token The token as sent; anything but a string is refused.
   * @returns Whether it was made from the secret of this session, or a promise of that.
   * @internal
   */
  judge(token: unknown): boolean | Promise<boolean> {
    if (typeof token !== 'string' || !TOKEN.test(token)) return false
    const session = this.#session
    const stored = isRequestSession(session) ? session.entry(SECRET_KEY) : session.get(SECRET_KEY)
    return whenReady(stored, (value) => {
      const secret = secretOf(value)
      return secret === undefined ? this.#isOfEnded(token) : isMadeFrom(secret, token)
    })
  }

  /**
   * Drops the secret. All tokens of the session become invalid, including those in open pages. `login()` and `logout()`
   * call it. Call it yourself after other changes that open pages must not survive, such as a new password.
   *
   * @throws {ServiceUnavailableException} If the session store fails.
   * @example
   * ```ts
   * import assert from 'node:assert/strict'
   * import { App, Controller, defineModule } from 'sallyport'
   * import { TestClient } from 'sallyport/testing'
   *
   * class PasswordController extends Controller {
   *   static readonly actions = { indexPost: [] }
   *
   *   async indexPost() {
   *     const before = await this.context.csrf().token()
   *     // The password has been changed. Forms of pages that were open before are refused from now on.
   *     await this.context.csrf().dropSecret()
   *     return { isValid: await this.context.csrf().verify(before) }
   *   }
   * }
   * const client = new TestClient(
   *   App.default().modules(defineModule('Site', (module) => module.controllers(PasswordController))),
   * )
   *
   * assert.deepEqual(await (await client.post('/site/password')).json(), { isValid: false })
   * ```
   */
  dropSecret(): Promise<void> {
    // No wrapping: a session of the framework knows whether the promise is awaited.
    if (isRequestSession(this.#session)) return this.#session.remove(SECRET_KEY)
    return ignoreFailure(this.#dropSecret())
  }

  /**
   * Drops the secret, unless another request has renewed the session in the meantime and made another one.
   *
   * @throws {ServiceUnavailableException} If the session store fails.
   * @internal
   */
  dropSecretUnlessNewer(): Promise<void> {
    return isRequestSession(this.#session) ? this.#session.removeUnlessNewer(SECRET_KEY) : this.dropSecret()
  }

  async #dropSecret(): Promise<void> {
    await this.#session.remove(SECRET_KEY)
  }

  async #isOfEnded(token: string): Promise<boolean> {
    // The page was made after its identifier had ended: the browser never received the new one, so it starts a new session.
    // A form from before the end has a token of the old secret and is refused.
    if (this.#ended === null) return false
    const ended = await this.#ended.endedSecret()
    if (ended === null || !isMadeFrom(ended, token)) return false
    this.#ended.reopen()
    return true
  }

  async #endedSecret(): Promise<Uint8Array | null> {
    return this.#ended?.isEnded === true ? this.#ended.endedSecret() : null
  }

  // Shared by concurrent calls: a second secret would invalidate the tokens of the first.
  #newSecret(): Promise<Buffer> {
    this.#making ??= this.#makeSecret().finally(() => {
      this.#making = null
    })
    return this.#making
  }

  async #makeSecret(): Promise<Buffer> {
    const known = secretOf(await this.#session.get(SECRET_KEY))
    if (known !== undefined) return known
    const secret = randomBytes(SECRET_BYTES)
    await this.#session.set(SECRET_KEY, secret.toString('base64url'))
    return secret
  }
}

function secretOf(stored: unknown): Buffer | undefined {
  if (typeof stored !== 'string' || stored.length !== SECRET_CHARACTERS) return undefined
  const secret = Buffer.from(stored, 'base64url')
  // Shorter when a character is not base64url.
  return secret.length === SECRET_BYTES ? secret : undefined
}

function tokenOf(secret: Uint8Array): string {
  const token = randomBytes(2 * SECRET_BYTES)
  for (let at = 0; at < SECRET_BYTES; at++) token[SECRET_BYTES + at] = Number(token[at]) ^ Number(secret[at])
  return token.toString('base64url')
}

function isMadeFrom(secret: Uint8Array, token: string): boolean {
  const sent = Buffer.from(token, 'base64url')
  applyMask(sent)
  return timingSafeEqual(sent.subarray(SECRET_BYTES), secret)
}

// XORs the second half of a token with the first; applying it twice restores the token.
function applyMask(token: Buffer): void {
  for (let at = 0; at < SECRET_BYTES; at++)
    token[SECRET_BYTES + at] = Number(token[at]) ^ Number(token[SECRET_BYTES + at])
}
