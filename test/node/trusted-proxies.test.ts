import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { TrustedProxies, type TrustedProxiesOptions } from '../../src/node/trusted-proxies.ts'

function read(options: TrustedProxiesOptions, from: string, headers: Record<string, string>): unknown {
  const found = new TrustedProxies(options).read(from, (name) => headers[name] ?? null)
  return found === null ? null : [found.address, found.secure, found.host]
}

const LOCAL: TrustedProxiesOptions = { addresses: ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'] }
const RFC: TrustedProxiesOptions = { ...LOCAL, header: 'forwarded' }

describe('TrustedProxies', () => {
  for (const [what, from, headers, expected] of [
    [
      'nothing of a connection from elsewhere',
      '203.0.113.9',
      { 'x-forwarded-for': '1.1.1.1', 'x-forwarded-proto': 'https' },
      null,
    ],
    ['nothing of an address that is none', '', { 'x-forwarded-for': '1.1.1.1' }, null],
    [
      'one hop',
      '127.0.0.1',
      { 'x-forwarded-for': '198.51.100.7', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'app.test' },
      ['198.51.100.7', true, 'app.test'],
    ],
    [
      'a chain as far as it is trusted',
      '127.0.0.1',
      { 'x-forwarded-for': '6.6.6.6, 198.51.100.7, 10.1.2.3' },
      ['198.51.100.7', null, null],
    ],
    [
      'not what a client put before',
      '127.0.0.1',
      { 'x-forwarded-for': '127.0.0.1, 10.0.0.1, 198.51.100.7' },
      ['198.51.100.7', null, null],
    ],
    [
      'the far end of a chain that is trusted whole',
      '127.0.0.1',
      { 'x-forwarded-for': '10.0.0.1, 10.0.0.2' },
      ['10.0.0.1', null, null],
    ],
    ['no address that is none', '127.0.0.1', { 'x-forwarded-for': 'unknown, _hidden' }, [null, null, null]],
    [
      'an address with a port',
      '10.9.9.9',
      { 'x-forwarded-for': '198.51.100.7:4711' },
      ['198.51.100.7', null, null],
    ],
    ['IPv6', 'fd00::1', { 'x-forwarded-for': '[2001:db8::7]:4711' }, ['2001:db8::7', null, null]],
    [
      'a scheme that is none of both',
      '127.0.0.1',
      { 'x-forwarded-for': '1.1.1.1', 'x-forwarded-proto': 'gopher' },
      ['1.1.1.1', null, null],
    ],
    [
      'a hop through an IPv4 address written as IPv6',
      '::ffff:10.9.9.9',
      { 'x-forwarded-for': '198.51.100.7' },
      ['198.51.100.7', null, null],
    ],
    ['a proxy without headers', '127.0.0.1', {}, [null, null, null]],
    ['not the other header', '127.0.0.1', { forwarded: 'for=1.1.1.1;proto=https' }, [null, null, null]],
  ] as const) {
    it(`takes ${what}`, () => {
      assert.deepEqual(read(LOCAL, from, headers), expected)
    })
  }

  for (const [value, expected] of [
    ['for=198.51.100.7;proto=https;host=app.test', ['198.51.100.7', true, 'app.test']],
    ['For="[2001:db8::7]:4711"; Proto=http', ['2001:db8::7', false, null]],
    ['for=6.6.6.6;proto=https, for=198.51.100.7;proto=http', ['198.51.100.7', false, null]],
    ['for=unknown', [null, null, null]],
    ['garbage', [null, null, null]],
    [`for=1.1.1.1${',x'.repeat(3000)}`, [null, null, null]],
  ] as const) {
    it(`reads Forwarded: ${value.slice(0, 60)}`, () => {
      assert.deepEqual(read(RFC, '127.0.0.1', { forwarded: value, 'x-forwarded-for': '9.9.9.9' }), expected)
    })
  }

  for (const address of ['', 'localhost', '10.0.0.0/33', '10.0.0.0/x', '1.2.3', '::1/129', '10.0.0.0/-1']) {
    it(`refuses to trust ${JSON.stringify(address)}`, () => {
      assert.throws(() => new TrustedProxies({ addresses: [address] }), TypeError)
    })
  }
})
