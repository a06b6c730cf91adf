import assert from 'node:assert/strict'
import { createPrivateKey, createSign, generateKeyPairSync } from 'node:crypto'
import { describe, it } from 'node:test'
import {
  type Attestation,
  type CborMap,
  type ResponseOptions,
  SoftwareAuthenticator,
} from '../../src/testing/authenticators.ts'
import { type NewCredential, WebAuthn } from '../../src/webauthn/index.ts'
import { isUnattested } from '../../src/webauthn/key.ts'
import { pageWith, SITE } from './site.ts'

const CHALLENGE = Buffer.alloc(32, 7).toString('base64url')
const ADA = { id: 'ada', email: 'ada@example.com', name: 'Ada' }
const ASKED = { verification: 'preferred', residentKey: 'preferred', challenge: CHALLENGE } as const

const [KTY, ALG, CRV, X, Y, N, E] = [1, 3, -1, -2, -3, -1, -2]

// A certificate of a maker of authenticators with a list of revocation at http://crl.example.test/list, and its key.
const CERTIFICATE = Buffer.from(
  'MIIB+TCCAZ+gAwIBAgIBATAKBggqhkjOPQQDAjBVMQswCQYDVQQGEwJERTEQMA4GA1UECgwHRXhhbXBsZTEiMCAG' +
    'A1UECwwZQXV0aGVudGljYXRvciBBdHRlc3RhdGlvbjEQMA4GA1UEAwwHRXhhbXBsZTAgFw0yNjExMjgyMjQyMjZa' +
    'GA8yMTI2MTEwNDIyNDIyNlowVTELMAkGA1UEBhMCREUxEDAOBgNVBAoMB0V4YW1wbGUxIjAgBgNVBAsMGUF1dGhl' +
    'bnRpY2F0b3IgQXR0ZXN0YXRpb24xEDAOBgNVBAMMB0V4YW1wbGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARp' +
    'K30nsa+5elkRLOzCrps1MCS7joPUm0ZzkyPaHLBmjIHTjSiqj441giKYlPsGXk5WEQuncbT/jEtf0O/sq//Po14w' +
    'XDAMBgNVHRMBAf8EAjAAMC0GA1UdHwQmMCQwIqAgoB6GHGh0dHA6Ly9jcmwuZXhhbXBsZS50ZXN0L2xpc3QwHQYD' +
    'VR0OBBYEFII7gb2hcOkPSMsg/0zhBoamdDCrMAoGCCqGSM49BAMCA0gAMEUCIAS/0dCqvqDkWIzBto8YMoOOCa2z' +
    '6DUnHcV6ZsWLYLUMAiEAtLQuiZCz7XQFKERisoTI0xn40onqPLU0O1zu4bBCWUs=',
  'base64',
)
const CERTIFIED_KEY = createPrivateKey({
  key: Buffer.from(
    'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgAchq69o0+BV1dngoBaTACBUtPxv7xJ6A/3ut5rk2' +
      'UOuhRANCAARpK30nsa+5elkRLOzCrps1MCS7joPUm0ZzkyPaHLBmjIHTjSiqj441giKYlPsGXk5WEQuncbT/jEtf' +
      '0O/sq//P',
    'base64',
  ),
  format: 'der',
  type: 'pkcs8',
})

function curve(namedCurve: string, crv: number, alg: number): CborMap {
  const { x = '', y = '' } = generateKeyPairSync('ec', { namedCurve }).publicKey.export({ format: 'jwk' })
  return [
    [KTY, 2],
    [ALG, alg],
    [CRV, crv],
    [X, Buffer.from(x, 'base64url')],
    [Y, Buffer.from(y, 'base64url')],
  ]
}

function modulus(bytes: number): CborMap {
  return [
    [KTY, 3],
    [ALG, -257],
    [N, Buffer.alloc(bytes, 0xa5)],
    [E, Buffer.from([1, 0, 1])],
  ]
}

const zero = Buffer.alloc(32)
const point: CborMap = [
  [KTY, 2],
  [ALG, -7],
  [CRV, 1],
  [X, zero],
  [Y, zero],
]

const selfAttested: Attestation = {
  format: 'packed',
  statement: (signed, sign) => [
    ['alg', -7],
    ['sig', sign(signed)],
  ],
}

/** Registers a passkey, whose response is checked. */
async function register(options: ResponseOptions): Promise<NewCredential | undefined> {
  const webAuthn = new WebAuthn(SITE)
  const asked = await webAuthn.creationOptions(ADA, { ...ASKED, known: [] })
  const response = new SoftwareAuthenticator().register(pageWith(asked), options)
  return webAuthn.verifyCreation(ADA.id, response, ASKED)
}

describe('the registration of a passkey', () => {
  it('is taken from an authenticator that signs with the new key itself [RA-1201]', async () => {
    const added = await register({ attestation: selfAttested })

    assert.equal(added?.accountId, ADA.id)
  })

  it('is refused with a certificate, which the library would have looked up, and connects to nobody [MEND-02]', async () => {
    const statement: Attestation['statement'] = (signed) => [
      ['alg', -7],
      ['sig', createSign('sha256').update(signed).sign(CERTIFIED_KEY)],
      ['x5c', [CERTIFICATE]],
    ]

    assert.equal(await register({ attestation: { format: 'packed', statement } }), undefined)
  })

  for (const format of ['android-key', 'android-safetynet', 'apple', 'fido-u2f', 'tpm', 'unknown'])
    it(`is read only without an attestation, not with ${format} [MEND-02]`, () => {
      const key = new SoftwareAuthenticator()
      const object = (attestation?: Attestation): string =>
        key.attestationObject({ ...(attestation && { attestation }) })

      assert.equal(isUnattested(object()), true)
      assert.equal(isUnattested(object({ format, statement: () => [] })), false)
      assert.equal(isUnattested('AAAA'), false)
    })

  const unusable: Readonly<Record<string, CborMap>> = {
    'a curve that is not of the algorithm': curve('P-384', 2, -7),
    'a key of another kind than its algorithm': curve('P-256', 1, -257),
    'a point that is on no curve': point,
    'an RSA key of 48,000 bits': modulus(6000),
    'an RSA key of 1,024 bits': modulus(128),
  }
  for (const [what, key] of Object.entries(unusable))
    it(`is refused if its key can verify nothing: ${what} [RA-1201]`, async () => {
      assert.equal(await register({ key }), undefined)
    })
})
