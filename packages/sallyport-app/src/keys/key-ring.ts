import { createHash } from 'node:crypto'
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { type Cipher, managedNonce } from '@noble/ciphers/utils.js'
import { Secret } from 'sallyport'

// A sealed secret consists of these fields, separated by dots:
//
//   v1                format
//   8 hex digits      identifier of the key: the start of SHA-256('factor-key:' + key), whatever it seals
//   base64url         24 bytes nonce, ciphertext, 16 bytes tag of XChaCha20-Poly1305
//
// The associated data is the binding: what it belongs to, and what it is for.
const FORMAT = 'v1'
const KEY_BYTES = 32

/** What a sealed secret belongs to, and what it is for. Copied to another place, it cannot be opened there. */
export type Binding = readonly [owner: string, purpose: string]

/** A sealed secret cannot be opened. The message says why, and what an operator can do. */
export class SealedError extends Error {
  /** Its name, which does not change when the code is bundled. */
  override readonly name = 'SealedError'
}

/** Encrypts and decrypts what the database keeps secret. The keys are stored outside of it. */
export class KeyRing {
  readonly #keys: ReadonlyMap<string, Uint8Array>
  /** Environment variable that names the keys, for messages to operators. */
  readonly variable: string
  /** Identifier of the key that encrypts. */
  readonly currentKey: string

  /**
   * @param keys Keys of 32 bytes in hexadecimal or base64url. The first one encrypts, all of them decrypt. To replace a key,
   *   put the new one in front of the old one.
   * @param variable Environment variable that names them, for messages to operators. Default: `FACTOR_KEY`.
   * @throws {TypeError} If there is no key, or one is malformed.
   */
  constructor(keys: readonly Secret[], variable = 'FACTOR_KEY') {
    const ring = keys.map(decodeKey).map((key) => [identifierOf(key), key] as const)
    const [first] = ring
    if (first === undefined)
      throw new TypeError(`Cannot seal anything without a key: pass one of ${variable}`)
    this.variable = variable
    this.currentKey = first[0]
    this.#keys = new Map(ring)
  }

  /**
   * Encrypts something, for the database.
   *
   * @param binding What it belongs to.
   * @param secret What is encrypted.
   * @returns A text of ASCII, which names the key.
   */
  seal(binding: Binding, secret: Secret): string {
    const sealed = this.#cipher(this.currentKey, binding).encrypt(Buffer.from(secret.reveal()))
    return [FORMAT, this.currentKey, Buffer.from(sealed).toString('base64url')].join('.')
  }

  /**
   * Decrypts the result of `seal()`.
   *
   * @param binding What it belongs to.
   * @param sealed The text.
   * @returns What was encrypted.
   * @throws {SealedError} If the string is malformed, its key is not configured, or it was sealed with another binding or changed since.
   */
  open(binding: Binding, sealed: string): Secret {
    const [format, key, payload] = sealed.split('.')
    if (format !== FORMAT || key === undefined || payload === undefined)
      throw new SealedError('it is not a sealed secret. Restore it from a backup')
    const cipher = this.#cipher(key, binding)
    try {
      return new Secret(Buffer.from(cipher.decrypt(Buffer.from(payload, 'base64url'))).toString())
    } catch (cause) {
      throw new SealedError('it was sealed for another owner, or changed since. Restore it from a backup', {
        cause,
      })
    }
  }

  /**
   * Decrypts where that can be done.
   *
   * @param binding What it belongs to.
   * @param sealed The text.
   * @returns What was encrypted; undefined where no key opens it.
   */
  tryToOpen(binding: Binding, sealed: string): Secret | undefined {
    try {
      return this.open(binding, sealed)
    } catch (error) {
      if (error instanceof SealedError) return undefined
      throw error
    }
  }

  /**
   * Says whether a text needs no new key.
   *
   * @param sealed A text of `seal()`.
   * @returns Whether it was sealed with the first key.
   */
  isCurrent(sealed: string): boolean {
    return sealed.startsWith(`${FORMAT}.${this.currentKey}.`)
  }

  #cipher(identifier: string, binding: Binding): Cipher {
    const key = this.#keys.get(identifier)
    if (key === undefined)
      throw new SealedError(
        `key ${JSON.stringify(identifier)} is not configured. Append it to ${this.variable}, as in ${this.variable}=new,old`,
      )
    return managedNonce(xchacha20poly1305)(key, Buffer.from(JSON.stringify(binding)))
  }
}

function decodeKey(secret: Secret): Uint8Array {
  const text = secret.reveal()
  const isHex = /^[0-9a-f]{64}$/i.test(text)
  const key = Buffer.from(text, isHex ? 'hex' : 'base64url')
  if (!/^[\w-]+$/.test(text) || key.length !== KEY_BYTES) {
    throw new TypeError('Cannot use a key that is not 32 bytes in hexadecimal or base64url')
  }
  return new Uint8Array(key)
}

function identifierOf(key: Uint8Array): string {
  return createHash('sha256').update('factor-key:').update(key).digest('hex').slice(0, 8)
}
