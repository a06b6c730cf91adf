import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { managedNonce } from '@noble/ciphers/utils.js'
import { Secret } from 'sallyport'

/** Seals the secrets of second factors with a key that is not in the database. */
export class FactorVault {
  readonly #key: Uint8Array

  constructor(key: Secret = newKey()) {
    if (!/^[0-9a-f]{64}$/.test(key.reveal()))
      throw new TypeError(
        'Cannot use FACTOR_KEY: write 64 hexadecimal digits, made by "openssl rand -hex 32"',
      )
    this.#key = new Uint8Array(Buffer.from(key.reveal(), 'hex'))
  }

  seal(accountId: number, secret: string): string {
    return Buffer.from(this.#cipher(accountId).encrypt(Buffer.from(secret))).toString('base64url')
  }

  open(accountId: number, sealed: string): string {
    return Buffer.from(this.#cipher(accountId).decrypt(Buffer.from(sealed, 'base64url'))).toString()
  }

  // Bound to the account: what is copied into the row of another account cannot be opened there.
  #cipher(accountId: number) {
    return managedNonce(xchacha20poly1305)(this.#key, Buffer.from(`totp:${accountId}`))
  }
}

/** The key in FACTOR_KEY. In development, one that is created once in the file at the path. */
export function readFactorKey(path: string): Secret {
  const { FACTOR_KEY, NODE_ENV } = process.env
  if (FACTOR_KEY !== undefined) return new Secret(FACTOR_KEY)
  if (NODE_ENV === 'production')
    throw new Error('Cannot start without FACTOR_KEY: set it to what "openssl rand -hex 32" prints')
  if (!existsSync(path)) writeFileSync(path, newKey().reveal(), { mode: 0o600, flag: 'wx' })
  return new Secret(readFileSync(path, 'utf8'))
}

function newKey(): Secret {
  return new Secret(randomBytes(32).toString('hex'))
}
