import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import { describe, it } from 'node:test'
import { Secret } from 'sallyport'
import { FactorVault } from '../../../core/factors/factor-vault.ts'

const OLD = new Secret('11'.repeat(32))
const NEW = new Secret(Buffer.alloc(32, 2).toString('base64url'))
const SECRET = new Secret('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP')

describe('FactorVault', () => {
  it('opens what it sealed, and the sealed string reveals nothing [FACTOR-35]', () => {
    const vault = new FactorVault([OLD])

    const sealed = vault.seal('u1', SECRET)

    assert.equal(vault.open('u1', sealed).reveal(), SECRET.reveal())
    assert.equal(sealed.includes(SECRET.reveal()), false)
  })

  it('seals the same secret differently each time', () => {
    const vault = new FactorVault([OLD])

    assert.notEqual(vault.seal('u1', SECRET), vault.seal('u1', SECRET))
  })

  it('does not open a secret that was copied to another account', () => {
    const vault = new FactorVault([OLD])

    const sealed = vault.seal('u1', SECRET)

    assert.throws(() => vault.open('u2', sealed))
  })

  it('does not open a secret with one changed bit', () => {
    const vault = new FactorVault([OLD])
    const [format, key, payload = ''] = vault.seal('u1', SECRET).split('.')
    const bytes = Buffer.from(payload, 'base64url')
    bytes[30] = (bytes[30] ?? 0) ^ 1

    assert.throws(() => vault.open('u1', [format, key, bytes.toString('base64url')].join('.')))
  })

  it('opens what an older key sealed, and seals with the first key [RA-2708]', () => {
    const sealed = new FactorVault([OLD]).seal('u1', SECRET)
    const rotated = new FactorVault([NEW, OLD])

    const resealed = rotated.seal('u1', rotated.open('u1', sealed))

    assert.equal(new FactorVault([NEW]).open('u1', resealed).reveal(), SECRET.reveal())
    assert.throws(
      () => new FactorVault([OLD]).open('u1', resealed),
      ({ cause }: Error) => /not configured/.test(String(cause)),
    )
  })

  it('refuses a malformed string', () => {
    const vault = new FactorVault([OLD])

    for (const text of ['', 'JBSWY3DPEHPK3PXP', 'v2.00000000.AAAA', 'v1.00000000']) {
      assert.throws(() => vault.open('u1', text), Error, text)
    }
  })

  it('refuses a key that is not 32 bytes, and an empty list, without showing the key', () => {
    for (const text of [
      '',
      'short',
      '11'.repeat(31),
      '11'.repeat(33),
      `${'1'.repeat(63)}g`,
      'ä'.repeat(32),
    ]) {
      assert.throws(
        () => new FactorVault([new Secret(text)]),
        (error: unknown) => error instanceof TypeError && (text === '' || !inspect(error).includes(text)),
      )
    }
    assert.throws(() => new FactorVault([]), TypeError)
  })
})
