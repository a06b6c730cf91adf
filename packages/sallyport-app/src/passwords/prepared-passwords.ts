import { type HashOptions, PasswordHasher } from 'sallyport/auth'
import { normalizedText } from '../text/index.ts'

/**
 * Two keyboards may write one password as different characters: `ü` as one, or as `u` with a mark; a space that does not break.
 * Nothing else is changed: no case, no width.
 *
 * @param password What was typed.
 * @returns The same for all spellings of it. One that is too long for any hasher is as it was typed.
 * @see RFC 8265, 4.2.2; NIST SP 800-63B-4, 3.1.1.2.
 */
export function preparedPassword(password: string): string {
  return normalizedText(password.replace(/\p{Zs}/gu, ' '), 'NFC') ?? password
}

/** Hashes and verifies passwords whichever keyboard wrote them. It stands wherever passwords are hashed, so that no form can forget it. */
export class PreparedPasswords extends PasswordHasher {
  readonly #hasher: PasswordHasher

  /** @param hasher Hashes what is prepared. */
  constructor(hasher: PasswordHasher) {
    super()
    this.#hasher = hasher
  }

  override hash(password: string, options?: HashOptions): Promise<string> {
    return this.#hasher.hash(preparedPassword(password), options)
  }

  override verify(
    password: string,
    hash: string | null | undefined,
    options?: HashOptions,
  ): Promise<boolean> {
    return this.#hasher.verify(preparedPassword(password), hash, options)
  }

  override needsRehash(hash: string): boolean {
    return this.#hasher.needsRehash(hash)
  }
}
