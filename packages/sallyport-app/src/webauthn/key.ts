import {
  cose,
  decodeAttestationObject,
  decodeCredentialPublicKey,
  verifySignature,
} from '@simplewebauthn/server/helpers'

const { COSEALG, COSECRV, COSEKEYS } = cose

/** The algorithms whose keys are usable here, best first: what browsers are asked for, and what is accepted. */
export const KEY_ALGORITHMS: readonly number[] = [COSEALG.EdDSA, COSEALG.ES256, COSEALG.RS256]

const RSA_BYTES = { least: 256, most: 512 } as const
// Well-formed for every kind of key (for elliptic curves: the numbers 1 and 1), and right for none.
const NO_SIGNATURE = Uint8Array.from([0x30, 6, 2, 1, 1, 2, 1, 1])

/**
 * Whether a registration says nothing about who made the authenticator: no attestation, or one signed by the new key itself.
 * Browsers send no other when none is asked for. Others name certificates, whose lists of revocation the library would fetch
 * from addresses that the client chose.
 *
 * @returns Whether it is one of the two; false for what cannot be read.
 * @see WebAuthn Level 3, sections 8.2 and 8.7.
 */
export function isUnattested(attestationObject: string): boolean {
  try {
    const decoded = decodeAttestationObject(Uint8Array.from(Buffer.from(attestationObject, 'base64url')))
    const format = decoded.get('fmt')
    return format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined)
  } catch {
    return false
  }
}

/**
 * Whether a key can verify anything: its curve and size fit its algorithm, and its numbers are a key.
 *
 * @returns Whether responses can be checked with it.
 */
export async function isUsableKey(publicKey: Uint8Array<ArrayBuffer>): Promise<boolean> {
  try {
    const key = decodeCredentialPublicKey(publicKey)
    if (!hasKnownSize(key)) return false
    await verifySignature({
      signature: NO_SIGNATURE,
      data: new Uint8Array(1),
      credentialPublicKey: publicKey,
    })
    return true
  } catch {
    return false
  }
}

function hasKnownSize(key: cose.COSEPublicKey): boolean {
  const algorithm = key.get(COSEKEYS.alg)
  if (cose.isCOSEPublicKeyEC2(key))
    return algorithm === COSEALG.ES256 && key.get(COSEKEYS.crv) === COSECRV.P256
  if (cose.isCOSEPublicKeyOKP(key))
    return algorithm === COSEALG.EdDSA && key.get(COSEKEYS.crv) === COSECRV.ED25519
  if (!cose.isCOSEPublicKeyRSA(key)) return false
  const bytes = key.get(COSEKEYS.n)?.length ?? 0
  return algorithm === COSEALG.RS256 && bytes >= RSA_BYTES.least && bytes <= RSA_BYTES.most
}
