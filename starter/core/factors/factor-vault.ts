import { createHash } from 'node:crypto'
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { type Cipher, managedNonce } from '@noble/ciphers/utils.js'
import { Secret } from 'sallyport'
import { ServiceUnavailableException } from 'sallyport/http'

/** Code of an {@link UnreadableSecretException}. */
export const ERR_FACTOR_UNREADABLE = 'ERR_STARTER_FACTOR_UNREADABLE'

// Only an operator can mend it.
const RETRY_SECONDS = 60

// A sealed secret consists of these fields, separated by dots:
//
//   v1                format
//   8 hex digits      identifier of the key: the start of SHA-256('factor-key:' + key)
//   base64url         24 bytes nonce, ciphertext, 16 bytes tag of XChaCha20-Poly1305
//
// The associated data is the account id and the purpose. A sealed secret copied to another account's row, or to a column with
// another purpose, cannot be opened there.
const FORMAT = 'v1'
const KEY_BYTES = 32
const TOTP = 'totp'

/**
 * The secret of a factor cannot be opened: it was sealed with a key that is not configured, or damaged. It is a 503, for which no
 * code is to blame; its cause, which is reported, tells the operator what to do.
 */
export class UnreadableSecretException extends ServiceUnavailableException {
  /** @param options `cause`. Default: none. */
  constructor(reason: string, options?: ErrorOptions) {
    super('This factor cannot be checked at the moment', {
      code: ERR_FACTOR_UNREADABLE,
      retryAfterSeconds: RETRY_SECONDS,
      cause: new Error(`Cannot open a factor: ${reason}`, options),
    })
  }
}

/** Encrypts and decrypts the secrets of second factors. The keys are stored outside the database. */
export class FactorVault {
  readonly #keys: ReadonlyMap<string, Uint8Array>
  /** Identifier of the key that encrypts. */
  readonly currentKey: string

  /**
   * @param keys Keys of 32 bytes in hexadecimal or base64url. The first one encrypts, all of them decrypt. To replace a key,
   *   put the new one in front of the old one.
   * @throws {TypeError} If there is no key, or one is malformed.
   */
  constructor(keys: readonly Secret[]) {
    const ring = keys.map(decodeKey).map((key) => [identifierOf(key), key] as const)
    const [first] = ring
    if (first === undefined) throw new TypeError('Cannot seal factors without a key')
    this.currentKey = first[0]
    this.#keys = new Map(ring)
  }

  /** Encrypts the secret of an authenticator, for the database. */
  seal(accountId: string, secret: Secret): string {
    const sealed = this.#cipher(this.currentKey, accountId).encrypt(Buffer.from(secret.reveal()))
    return [FORMAT, this.currentKey, Buffer.from(sealed).toString('base64url')].join('.')
  }

  /**
   * Decrypts the result of `seal()`.
   *
   * @throws {UnreadableSecretException} If the string is malformed, its key is not configured, or it was sealed for another account
   *   or changed since.
   */
  open(accountId: string, sealed: string): Secret {
    const [format, key, payload] = sealed.split('.')
    if (format !== FORMAT || key === undefined || payload === undefined)
      throw new UnreadableSecretException('it is not a sealed secret. Restore it from a backup')
    const cipher = this.#cipher(key, accountId)
    try {
      return new Secret(Buffer.from(cipher.decrypt(Buffer.from(payload, 'base64url'))).toString())
    } catch (cause) {
      throw new UnreadableSecretException(
        'it was sealed for another account, or changed since. Restore it from a backup',
        { cause },
      )
    }
  }

  /** @returns The secret; undefined where no key opens it. */
  tryToOpen(accountId: string, sealed: string): Secret | undefined {
    try {
      return this.open(accountId, sealed)
    } catch (error) {
      if (error instanceof UnreadableSecretException) return undefined
      throw error
    }
  }

  /** @returns Whether it was sealed with the first key. */
  isCurrent(sealed: string): boolean {
    return sealed.startsWith(`${FORMAT}.${this.currentKey}.`)
  }

  #cipher(identifier: string, accountId: string): Cipher {
    const key = this.#keys.get(identifier)
    if (key === undefined)
      throw new UnreadableSecretException(
        `key ${JSON.stringify(identifier)} is not configured. Append it to FACTOR_KEY, as in FACTOR_KEY=new,old`,
      )
    const binding = Buffer.from(JSON.stringify([accountId, TOTP]))
    return managedNonce(xchacha20poly1305)(key, binding)
  }
}

function decodeKey(secret: Secret): Uint8Array {
  const text = secret.reveal()
  const isHex = /^[0-9a-f]{64}$/i.test(text)
  const key = Buffer.from(text, isHex ? 'hex' : 'base64url')
  if (!/^[\w-]+$/.test(text) || key.length !== KEY_BYTES) {
    throw new TypeError('Cannot use a factor key that is not 32 bytes in hexadecimal or base64url')
  }
  return new Uint8Array(key)
}

function identifierOf(key: Uint8Array): string {
  return createHash('sha256').update('factor-key:').update(key).digest('hex').slice(0, 8)
}
