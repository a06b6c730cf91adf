import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inspect } from 'node:util'
import { Secret } from 'sallyport'
import { type Binding, KeyRing } from 'sallyport-app/keys'

const OLD = new Secret('11'.repeat(32))
const NEW = new Secret(Buffer.alloc(32, 2).toString('base64url'))
const SECRET = new Secret('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP')
const MINE: Binding = ['u1', 'totp']

describe('KeyRing', () => {
  it('opens what it sealed, each time differently, for its owner and its purpose only [FACTOR-35]', () => {
    const ring = new KeyRing([OLD])
    const sealed = ring.seal(MINE, SECRET)
    const [format, key, payload = ''] = sealed.split('.')
    const bytes = Buffer.from(payload, 'base64url')
    bytes[30] = (bytes[30] ?? 0) ^ 1

    assert.equal(ring.open(MINE, sealed).reveal(), SECRET.reveal())
    assert.equal(sealed.includes(SECRET.reveal()), false)
    assert.notEqual(ring.seal(MINE, SECRET), sealed)
    for (const other of [
      ['u2', 'totp'],
      ['u1', 'mail'],
    ] as const)
      assert.throws(() => ring.open(other, sealed), { name: 'SealedError' })
    const changed = [format, key, bytes.toString('base64url')].join('.')
    for (const text of [changed, '', 'JBSWY3DPEHPK3PXP', 'v2.00000000.AAAA', 'v1.00000000'])
      assert.throws(() => ring.open(MINE, text), { name: 'SealedError' }, text)
  })

  it('names the key, opens what an older one sealed, and seals with the first one [RA-2708 RA-1102]', () => {
    const old = new KeyRing([OLD])
    const sealed = old.seal(MINE, SECRET)
    const both = new KeyRing([NEW, OLD])

    const resealed = both.seal(MINE, both.open(MINE, sealed))

    assert.equal(sealed.split('.')[1], old.currentKey)
    assert.notEqual(both.currentKey, old.currentKey)
    assert.deepEqual([both.isCurrent(sealed), both.isCurrent(resealed)], [false, true])
    assert.equal(new KeyRing([NEW]).open(MINE, resealed).reveal(), SECRET.reveal())
    assert.equal(old.tryToOpen(MINE, resealed), undefined)
    assert.throws(() => old.open(MINE, resealed), /key "[0-9a-f]{8}" is not configured/)
  })

  it('refuses a key that is not 32 bytes, and an empty list, without showing the key', () => {
    for (const text of ['', 'short', '11'.repeat(31), '11'.repeat(33), `${'1'.repeat(63)}g`, 'ä'.repeat(32)])
      assert.throws(
        () => new KeyRing([new Secret(text)]),
        (error: unknown) => error instanceof TypeError && (text === '' || !inspect(error).includes(text)),
      )
    assert.throws(() => new KeyRing([]), TypeError)
  })
})
