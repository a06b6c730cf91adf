/** An authenticator in software, for responses that no browser would make: forged, replayed, of a false site. @module */
import assert from 'node:assert/strict'
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  createSign,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'

/** What a response is like. */
export interface ResponseOptions {
  /** Origin that the browser was at. Default: that of the authenticator. */
  readonly origin?: string
  /** Site that the authenticator was asked for. Default: that of the options. */
  readonly rpId?: string
  /** Whether the user was verified. Default: true. */
  readonly verified?: boolean
  /** Whether the user was present. Default: true. */
  readonly present?: boolean
  /** The counter. Default: one more than the last. */
  readonly counter?: number
  /** The challenge. Default: that of the options. */
  readonly challenge?: string
  /** The account that the response names, or null for none. Default: the one that was registered. */
  readonly userHandle?: string | null
  /** What the response is of. Default: what was asked for. */
  readonly type?: string
  /** A member of the client data. Default: false. */
  readonly crossOrigin?: boolean
  /** Site whose page has the frame. Default: none. */
  readonly topOrigin?: string
  /** Whether it lists the passkey by itself, as it says. Default: true. */
  readonly resident?: boolean
  /** Model of the authenticator, as a UUID. Default: none. */
  readonly aaguid?: string
  /** The attestation of a registration. Default: none. */
  readonly attestation?: Attestation
  /** The new key as COSE, in place of the own one. */
  readonly key?: CborMap
}

/** What a registration says about the authenticator. */
export interface Attestation {
  /** Its format, such as `packed`. */
  readonly format: string
  /** Makes the statement: from what is signed, with the own key. */
  readonly statement: (signed: Buffer, sign: (bytes: Buffer) => Buffer) => CborMap
}

interface SavedAuthenticator {
  readonly id: string
  readonly counter: number
  readonly userHandle: string
  readonly key: string
}

interface CreationOptions {
  readonly rp: { readonly id: string }
  readonly user: { readonly id: string }
  readonly challenge: string
  readonly excludeCredentials: readonly { readonly id: string }[]
}

interface RequestOptions {
  readonly rpId: string
  readonly challenge: string
  readonly allowCredentials?: readonly { readonly id: string }[]
}

/** One passkey of ES256. */
export class SoftwareAuthenticator {
  /** Identifier of the passkey in base64url. */
  readonly id: string
  /** How often it was used. */
  counter = 0
  /** Identifier of the account in base64url; empty before it is registered. */
  userHandle = ''
  readonly #origin: string
  readonly #privateKey: KeyObject
  readonly #publicKey: KeyObject

  /**
   * @param origin Origin of the pages.
   * @param saved What `save()` returned. Default: a new authenticator.
   */
  constructor(origin: string = 'https://app.test', saved?: string) {
    this.#origin = origin
    const known = saved === undefined ? undefined : (JSON.parse(saved) as SavedAuthenticator)
    this.id = known?.id ?? randomBytes(16).toString('base64url')
    this.counter = known?.counter ?? 0
    this.userHandle = known?.userHandle ?? ''
    this.#privateKey =
      known === undefined
        ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
        : createPrivateKey(known.key)
    this.#publicKey = createPublicKey(this.#privateKey)
  }

  /** Its public key as COSE, in base64url. */
  get publicKey(): string {
    return encode(this.#cose()).toString('base64url')
  }

  /** The account that it was registered with. */
  get accountId(): string {
    return Buffer.from(this.userHandle, 'base64url').toString()
  }

  /**
   * @returns The authenticator as text, for another process.
   */
  save(): string {
    const key = this.#privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    return JSON.stringify({ id: this.id, counter: this.counter, userHandle: this.userHandle, key })
  }

  /**
   * @param html A page that registers passkeys.
   * @param options What the response is like.
   * @returns The field `response` of its form.
   */
  register(html: string, options: ResponseOptions = {}): string {
    const { rp, user, challenge } = optionsOf(html) as CreationOptions
    this.userHandle = user.id
    const clientData = this.#clientData('webauthn.create', challenge, options)
    return JSON.stringify({
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      response: {
        clientDataJSON: clientData.toString('base64url'),
        attestationObject: this.attestationObject({ rpId: rp.id, ...options }, clientData),
        transports: ['internal'],
      },
      clientExtensionResults: { credProps: { rk: options.resident ?? true } },
    })
  }

  /**
   * @param html A page that asks for a passkey.
   * @param options What the response is like.
   * @returns The field `response` of its form.
   */
  respond(html: string, options: ResponseOptions = {}): string {
    const { rpId, challenge } = optionsOf(html) as RequestOptions
    const clientData = this.#clientData('webauthn.get', challenge, options)
    this.counter += 1
    const authData = this.#head(rpId, 0, { counter: this.counter, ...options })
    const digest = createHash('sha256').update(clientData).digest()
    const signature = createSign('sha256').update(authData).update(digest).sign(this.#privateKey)
    const { userHandle = this.userHandle } = options
    return JSON.stringify({
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle,
      },
      clientExtensionResults: {},
    })
  }

  /**
   * @param options What it is like.
   * @param clientData What is signed with it. Default: nothing.
   * @returns The attestation object of a registration, in base64url.
   */
  attestationObject(options: ResponseOptions, clientData: Buffer = Buffer.alloc(0)): string {
    const id = Buffer.from(this.id, 'base64url')
    const attested = Buffer.concat([
      Buffer.from(options.aaguid?.replaceAll('-', '') ?? '00'.repeat(16), 'hex'),
      Buffer.from([0, id.length]),
      id,
      encode(options.key ?? this.#cose()),
    ])
    const authData = Buffer.concat([this.#head('', 0x40, options), attested])
    const { format, statement } = options.attestation ?? { format: 'none', statement: () => [] }
    const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()])
    return encode([
      ['fmt', format],
      ['attStmt', statement(signed, (bytes) => createSign('sha256').update(bytes).sign(this.#privateKey))],
      ['authData', authData],
    ]).toString('base64url')
  }

  #cose(): CborMap {
    const key = this.#publicKey.export({ format: 'jwk' })
    return [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(key.x ?? '', 'base64url')],
      [-3, Buffer.from(key.y ?? '', 'base64url')],
    ]
  }

  #clientData(type: string, challenge: string, options: ResponseOptions): Buffer {
    const { origin = this.#origin, crossOrigin = false, topOrigin } = options
    const data = {
      type: options.type ?? type,
      challenge: options.challenge ?? challenge,
      origin,
      crossOrigin,
      ...(topOrigin !== undefined && { topOrigin }),
    }
    return Buffer.from(JSON.stringify(data))
  }

  #head(asked: string, flags: number, options: ResponseOptions): Buffer {
    const { rpId = asked, verified = true, present = true, counter = 0 } = options
    const all = flags | (present ? 1 : 0) | (verified ? 4 : 0)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([all]), count])
  }
}

/**
 * Reads what a page asks of an authenticator.
 *
 * @param html A page with a form for a passkey, whose attribute `data-options` has the options.
 * @returns The options for the browser.
 */
export function optionsOf(html: string): Partial<CreationOptions> & Partial<RequestOptions> {
  const text = /data-options="([^"]+)"/.exec(html)?.[1]
  assert.ok(text !== undefined, 'the page asks for no passkey')
  const json = text.replaceAll('&quot;', '"').replaceAll('&#34;', '"').replaceAll('&amp;', '&')
  return JSON.parse(json) as CreationOptions & RequestOptions
}

// CBOR, as much as an attestation needs.
type Value = number | string | Buffer | readonly Buffer[] | CborMap

/** A map of CBOR: keys and values. */
export type CborMap = readonly (readonly [number | string, Value])[]

function encode(value: Value): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, value.length), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (isList(value)) return Buffer.concat([head(4, value.length), ...value.map(encode)])
  const parts = value.flatMap(([key, item]) => [encode(key), encode(item)])
  return Buffer.concat([head(5, value.length), ...parts])
}

function isList(value: readonly Buffer[] | CborMap): value is readonly Buffer[] {
  return Buffer.isBuffer(value[0])
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length])
  if (length < 256) return Buffer.from([(major << 5) | 24, length])
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255])
}
