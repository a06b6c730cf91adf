import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Limit } from 'sallyport-app/limits'

const CLIENT_LIMIT = new Limit('client', 50)
const PASSWORD_LIMIT = new Limit('password', 10)

describe('Limit.ofClient()', () => {
  const cases: readonly (readonly [address: string, subject: string | undefined])[] = [
    ['127.0.0.1', 'client:127.0.0.1'],
    ['::ffff:192.0.2.7', 'client:192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', 'client:2001:db8:1:2::/64'],
    ['2001:db8:1:2::1', 'client:2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::9', 'client:2001:db8:1:2::/64'],
    ['2001:db8::1', 'client:2001:db8:0:0::/64'],
    ['::1', 'client:0:0:0:0::/64'],
    ['fe80::1%eth0', 'client:fe80:0:0:0::/64'],
    ['', undefined],
  ]
  for (const [address, subject] of cases) {
    it(`counts ${address === '' ? 'an unknown address' : address} as ${subject ?? 'nobody'}`, () => {
      assert.deepEqual(
        CLIENT_LIMIT.ofClient(address).map((limited) => limited.subject),
        subject === undefined ? [] : [subject],
      )
    })
  }
})

describe('Limit.ofAddress()', () => {
  it('is the same for all spellings of an address, and does not reveal it', () => {
    const { subject } = PASSWORD_LIMIT.ofAddress('Ada@Example.test')

    assert.equal(PASSWORD_LIMIT.ofAddress(' ada@example.TEST ').subject, subject)
    assert.equal(subject.includes('ada'), false)
  })
})
