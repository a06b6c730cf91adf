import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { networkOf, placeOf } from 'sallyport-app/clients'

describe('networkOf()', () => {
  it('names the network of an address of either kind [RA-1901]', () => {
    const prefix = { bytes: 3, groups: 3 }
    assert.equal(networkOf('203.0.113.7', prefix), '203.0.113.0/24')
    assert.equal(networkOf('::ffff:203.0.113.7', prefix), '203.0.113.0/24')
    assert.equal(networkOf('2001:db8:12:34::7', prefix), '2001:db8:12::/48')
    assert.equal(networkOf('2001:0DB8:0012:34:5:6:7:8', prefix), '2001:db8:12::/48')
    assert.equal(networkOf('fe80::1%eth0', prefix), 'fe80:0:0::/48')
    assert.equal(networkOf('203.0.113.7', { bytes: 4, groups: 4 }), '203.0.113.7')
  })
})

describe('placeOf()', () => {
  it('is empty where the server knows no address [RA-1901]', () => {
    assert.deepEqual([placeOf(''), placeOf('203.0.113.7')], ['', '203.0.113.0/24'])
  })
})
