/**
 * The name and password of the pages for operators. The password is made by this program (`npm start -- ops-password`): 24
 * random bytes in base64url. What is configured is `sha256-` and the SHA-256 of `<name>:<password>` in base64url. A fast digest
 * is enough, because nobody guesses 192 random bits. So a wrong password costs nothing, and a right one no wait.
 *
 * @module
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { Secret } from 'sallyport'

/** The name that the command uses. */
export const OPS_NAME = 'ops'

const PASSWORD_BYTES = 24
const FORM = /^sha256-[A-Za-z0-9_-]{43}$/

/** What a browser sends as Basic credentials. */
export interface SentCredentials {
  readonly username: string
  readonly password: string
}

/** Judges the credentials of operators. */
export class OpsCredentials {
  readonly #digest: Buffer

  /** @throws {TypeError} If it is something else. */
  constructor(hash: string) {
    if (!FORM.test(hash))
      throw new TypeError('Cannot use these credentials: pass what "ops-password" printed')
    this.#digest = Buffer.from(hash.slice('sha256-'.length), 'base64url')
  }

  /** Makes a new password. */
  static create(): { readonly password: Secret; readonly hash: string } {
    const password = randomBytes(PASSWORD_BYTES).toString('base64url')
    const digest = digestOf({ username: OPS_NAME, password }).toString('base64url')
    return { password: new Secret(password), hash: `sha256-${digest}` }
  }

  /** @returns Whether name and password are right. Both are judged at once, in the same time whatever is wrong. */
  match(sent: SentCredentials): boolean {
    return timingSafeEqual(digestOf(sent), this.#digest)
  }
}

// A name has no colon, so the parts cannot be shifted.
function digestOf({ username, password }: SentCredentials): Buffer {
  return createHash('sha256').update(`${username}:${password}`).digest()
}
