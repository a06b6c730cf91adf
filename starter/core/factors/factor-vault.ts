import { createHash } from 'node:crypto'
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { type Cipher, managedNonce } from '@noble/ciphers/utils.js'
import { Secret } from 'sallyport'
import { UnreadableSecretException } from './unreadable-secret.ts'

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

/** Encrypts and decrypts the secrets of second factors. The keys are stored outside the database. */
export class FactorVault {
  readonly #keys: ReadonlyMap<string, Uint8Array>
  readonly #current: string

  /**
   * @param keys Keys of 32 bytes in hexadecimal or base64url. The first one encrypts, all of them decrypt. To replace a key,
   *   put the new one in front of the old one.
   * @throws {TypeError} If there is no key, or one is malformed.
   */
  constructor(keys: readonly Secret[]) {
    const ring = keys.map(decodeKey).map((key) => [identifierOf(key), key] as const)
    const [first] = ring
    if (first === undefined) throw new TypeError('Cannot seal factors without a key')
    this.#current = first[0]
    this.#keys = new Map(ring)
  }

  /**
   * Encrypts the secret of a TOTP factor.
   *
   * @returns A string for the database.
   */
  seal(accountId: string, secret: Secret): string {
    const sealed = this.#cipher(this.#current, accountId).encrypt(Buffer.from(secret.reveal()))
    return [FORMAT, this.#current, Buffer.from(sealed).toString('base64url')].join('.')
  }

  /**
   * Decrypts the result of `seal()`.
   *
   * @returns The secret in Base32.
   * @throws {UnreadableSecretException} If the string is malformed, its key is not configured, or it was sealed for another account
   *   or changed since.
   */
  open(accountId: string, sealed: string): Secret {
    const [format, key, payload] = sealed.split('.')
    if (format !== FORMAT || key === undefined || payload === undefined) {
      throw new UnreadableSecretException('it is not a sealed secret. Restore it from a backup')
    }
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

  /** Identifier of the key that encrypts. */
  get currentKey(): string {
    return this.#current
  }

  /** @returns Whether it was sealed with the first key. */
  isCurrent(sealed: string): boolean {
    return sealed.startsWith(`${FORMAT}.${this.#current}.`)
  }

  /**
   * Encrypts a sealed secret with the first key.
   *
   * @returns A string for the database.
   * @throws {UnreadableSecretException} If the string cannot be opened.
   */
  reseal(accountId: string, sealed: string): string {
    return this.seal(accountId, this.open(accountId, sealed))
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
