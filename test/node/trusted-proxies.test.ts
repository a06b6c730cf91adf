import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import fc from 'fast-check'

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
    ['nothing of an invalid address', '', { 'x-forwarded-for': '1.1.1.1' }, null],
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
    ['no invalid address', '127.0.0.1', { 'x-forwarded-for': 'unknown, _hidden' }, [null, null, null]],
    [
      'an address with a port',
      '10.9.9.9',
      { 'x-forwarded-for': '198.51.100.7:4711' },
      ['198.51.100.7', null, null],
    ],
    ['IPv6', 'fd00::1', { 'x-forwarded-for': '[2001:db8::7]:4711' }, ['2001:db8::7', null, null]],
    [
      'a scheme that is neither',
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
    [
      'no empty entry between commas',
      '127.0.0.1',
      { 'x-forwarded-for': ',6.6.6.6,, 198.51.100.7 , ,10.1.2.3, ', 'x-forwarded-proto': ' https,, ' },
      ['198.51.100.7', true, null],
    ],
    ['a scheme in any letter case', '127.0.0.1', { 'x-forwarded-proto': 'HTTPS' }, [null, true, null]],
    ['a scheme that is not secure', '127.0.0.1', { 'x-forwarded-proto': 'http' }, [null, false, null]],
    [
      'IPv6 without brackets, whatever its last group is',
      '127.0.0.1',
      { 'x-forwarded-for': '2001:1::7' },
      ['2001:1::7', null, null],
    ],
    ['IPv6 in brackets alone', '127.0.0.1', { 'x-forwarded-for': '[2001:1::7]' }, ['2001:1::7', null, null]],
    ['no invalid port', '127.0.0.1', { 'x-forwarded-for': '198.51.100.7:80x' }, [null, null, null]],
    ['no port that is empty', '127.0.0.1', { 'x-forwarded-for': '198.51.100.7:' }, [null, null, null]],
    ['not the other header', '127.0.0.1', { forwarded: 'for=1.1.1.1;proto=https' }, [null, null, null]],
  ] as const) {
    it(`accepts ${what}`, () => {
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
    ['for=198.51.100.7;proto=https;host="a\\"b, for=6.6.6.6"', ['198.51.100.7', true, 'a"b, for=6.6.6.6']],
    ['for=198.51.100.7;host="a,\\"b"', ['198.51.100.7', null, 'a,"b']],
    ['for=6.6.6.6, for=198.51.100.7;host="a\\\\"', ['198.51.100.7', null, 'a\\']],
    ['for="[2001:db8::7]x"', [null, null, null]],
    ['for="x[2001:db8::7]"', [null, null, null]],
    ['for=198.51.100.7;for=6.6.6.6', [null, null, null]],
    ['for=198.51.100.7;host=x y', [null, null, null]],
    ['for="198.51.100.7"x;proto=https', [null, null, null]],
    ['for=198.51.100.7 ;\tproto=https', ['198.51.100.7', true, null]],
    [', for=198.51.100.7', ['198.51.100.7', null, null]],
    [',for=198.51.100.7,', ['198.51.100.7', null, null]],
    ['for=6.6.6.6,for=198.51.100.7,for=10.1.2.3,for=10.1.2.4', ['198.51.100.7', null, null]],
    ['for="198.51.100.7";host=""', ['198.51.100.7', null, '']],
    ['for=198.51.100.7;FOR=6.6.6.6', [null, null, null]],
    ['proto=https;host=app.test', [null, true, 'app.test']],
  ] as const) {
    it(`reads Forwarded: ${value.slice(0, 60)}`, () => {
      assert.deepEqual(read(RFC, '127.0.0.1', { forwarded: value, 'x-forwarded-for': '9.9.9.9' }), expected)
    })
  }

  it('uses scheme and host of a proxy that sends no address [HOLD-12]', () => {
    const headers = { 'x-forwarded-proto': 'http, https', 'x-forwarded-host': 'evil.test, app.test' }

    assert.deepEqual(read(LOCAL, '127.0.0.1', headers), [null, true, 'app.test'])
    assert.deepEqual(read(LOCAL, '127.0.0.1', { ...headers, 'x-forwarded-for': '' }), [
      null,
      true,
      'app.test',
    ])
  })

  it('trusts an address and finds a client in every spelling of IPv4 [HOLD-13]', () => {
    for (const from of ['127.0.0.1', '::ffff:7f00:1', '::FFFF:127.0.0.1', '0:0:0:0:0:ffff:7f00:0001']) {
      for (const client of ['198.51.100.7', '::ffff:c633:6407', '[::ffff:198.51.100.7]:4711']) {
        const headers = { 'x-forwarded-for': `6.6.6.6, ${client}, ::ffff:a01:203` }

        assert.deepEqual(read(LOCAL, from, headers), ['198.51.100.7', null, null])
        assert.deepEqual(read({ addresses: ['::ffff:0:0/96'] }, from, { 'x-forwarded-for': '2001:DB8::7' }), [
          '2001:db8::7',
          null,
          null,
        ])
      }
    }
  })

  it('trusts a link-local proxy whatever its zone, and no client that names one', () => {
    assert.deepEqual(read({ addresses: ['fe80::/10'] }, 'fe80::1%eth0', { 'x-forwarded-for': '::2' }), [
      '::2',
      null,
      null,
    ])
    assert.deepEqual(read(LOCAL, '127.0.0.1', { 'x-forwarded-for': 'fe80::1%eth0' }), [null, null, null])
  })
})

describe('a forwarding header that a client has padded', () => {
  // What a client can write into a header: commas, quotes, escapes, addresses that would be trusted.
  const word = fc.constantFrom(
    ',',
    ', ',
    '"',
    '\\',
    '\\"',
    '=',
    ';',
    'for=',
    'host="',
    'proto=http',
    '10.0.0.1',
    '127.0.0.1',
    'unknown',
    '6.6.6.6',
    '[::1]:1',
    ' ',
    'x'.repeat(500),
    '10.0.0.1,'.repeat(600),
    '",'.repeat(700),
  )
  const padding = fc.array(word, { maxLength: 12 }).map((words) => words.join(''))
  const hops = fc.array(fc.constantFrom('10.1.2.3', 'fd00::9', '127.0.0.1'), { maxLength: 3 })

  it('hides no address behind X-Forwarded-For, and changes neither scheme nor host [HOLD-10]', () => {
    fc.assert(
      fc.property(padding, padding, padding, hops, (addresses, schemes, hosts, inner) => {
        const chain = ['198.51.100.7', ...inner]

        const found = read(LOCAL, '127.0.0.1', {
          'x-forwarded-for': `${addresses}, ${chain.join(', ')}`,
          'x-forwarded-proto': `${schemes}, ${chain.map(() => 'https').join(', ')}`,
          'x-forwarded-host': `${hosts}, ${chain.map(() => 'app.test').join(',')}`,
        })

        assert.deepEqual(found, ['198.51.100.7', true, 'app.test'])
      }),
      { numRuns: 2000 },
    )
  })

  it('hides no address behind Forwarded, and changes neither scheme nor host [HOLD-10]', () => {
    fc.assert(
      fc.property(padding, hops, (given, inner) => {
        const own = [
          'for="[2001:db8::7]:4711";proto=https;host="app.test"',
          ...inner.map((hop) => `for="[${hop}]"`),
        ]
        const chain = own.map((element) => element.replace(/"\[([0-9.]+)\]"/, '$1'))

        const found = read(RFC, '127.0.0.1', { forwarded: `${given}, ${chain.join(', ')}` })

        assert.deepEqual(found, ['2001:db8::7', true, 'app.test'])
      }),
      { numRuns: 2000 },
    )
  })
})

describe('a malformed proxy', () => {
  for (const address of [
    '',
    ' ',
    'localhost',
    'proxy.test',
    '10.0.0.0/33',
    '10.0.0.0/x',
    '1.2.3',
    '::1/129',
    '10.0.0.0/-1',
    '10.0.0.0/',
    '/8',
    '/',
    '10.0.0.0/8/',
    '10.0.0.0/8/8',
    '10.0.0.0//8',
    '10.0.0.0/08',
    '10.0.0.0/+8',
    '10.0.0.0/8 ',
    ' 10.0.0.0/8',
    '10.0.0.0 /8',
    '10.0.0.0/ 8',
    '10.0.0.0/8\n',
    '10.0.0.0/8.0',
    '10.0.0.0/1e1',
    '10.0.0.0/255.0.0.0',
    '010.0.0.0/8',
    '10.0.0.0,10.0.0.1',
    '10.0.0.0-10.0.0.9',
    '10.*',
    '*',
    '0x0a.0.0.0',
    'fe80::1%eth0',
    'fe80::%eth0/10',
    '::ffff:10.0.0.0/95',
    '::ffff:10.0.0.0/8',
    '::ffff:10.0.0.0/129',
    '10.0.0.1/8',
    '0.0.0.1/0',
    'fd00::1/8',
    '::1/0',
    '2001:db8::1/64',
    '1::1/112',
    '::8/124',
    '::ffff:10.0.0.1/104',
    '192.168.1.128/24',
    '[::1]',
    '127.0.0.1:80',
    'http://127.0.0.1',
    '2130706433',
    null,
    undefined,
    10,
    ['10.0.0.0/8'],
    { address: '10.0.0.1' },
  ]) {
    it(`refuses ${JSON.stringify(address) ?? 'undefined'} [HOLD-11]`, () => {
      assert.throws(() => new TrustedProxies({ addresses: [address as string] }), {
        name: 'TypeError',
        message: /^Cannot trust the proxy /,
      })
    })
  }

  for (const [options, message] of [
    [{}, /^Cannot trust the proxies undefined: pass a list/],
    [{ addresses: '10.0.0.1' }, /^Cannot trust the proxies "10.0.0.1": pass a list/],
    [{ addresses: null }, /^Cannot trust the proxies null: pass a list/],
    [{ ...LOCAL, header: 'x-real-ip' }, /^Cannot read the header "x-real-ip": use "x-forwarded" or/],
    [{ ...LOCAL, headers: 'forwarded' }, /trustedProxies/],
    [{ addresses: ['10.0.0.1/8'] }, /"10.0.0.1\/8": use an IP address .*, or a network by its first address/],
  ] as const) {
    it(`refuses ${JSON.stringify(options)} [HOLD-11]`, () => {
      assert.throws(() => new TrustedProxies(options as unknown as TrustedProxiesOptions), {
        name: 'TypeError',
        message,
      })
    })
  }

  for (const [address, inside, outside] of [
    ['10.0.0.1/32', '10.0.0.1', '10.0.0.2'],
    ['10.0.0.1', '10.0.0.1', '10.0.0.0'],
    ['0.0.0.0/0', '255.255.255.255', '::1'],
    ['::/0', '2001:db8::1', ''],
    ['::1', '::1', '::2'],
    ['2001:db8::1/128', '2001:DB8:0::1', '2001:db8::'],
    ['2001:db8::8:0/112', '2001:db8::8:ffff', '2001:db8::9:0'],
    ['1:2:3:4:5:6:7:8000/113', '1:2:3:4:5:6:7:ffff', '1:2:3:4:5:6:7:7fff'],
    ['::ffff:10.0.0.0/104', '10.255.255.255', '11.0.0.0'],
    ['::ffff:10.0.0.1/128', '10.0.0.1', '10.0.0.2'],
    ['10.128.0.0/9', '10.255.0.0', '10.127.255.255'],
  ] as const) {
    it(`${address} contains ${inside}, and not ${outside} [HOLD-11]`, () => {
      assert.notEqual(read({ addresses: [address] }, inside, {}), null)
      assert.equal(read({ addresses: [address] }, outside, {}), null)
    })
  }

  it('is refused, or trusts exactly the addresses of its network [HOLD-11]', () => {
    const octets = fc.array(fc.constantFrom(0, 0, 0, 1, 10, 127, 128, 192, 240, 255), {
      minLength: 4,
      maxLength: 4,
    })
    const prefix = fc.integer({ min: 0, max: 140 })
    const form = fc.constantFrom<readonly [string, number]>(['', 0], ['::ffff:', 96], ['0:0:0:0:0:FFFF:', 96])

    fc.assert(
      fc.property(octets, prefix, form, octets, (network, length, [head, offset], other) => {
        const bits = length - offset
        const isNetwork = bits >= 0 && bits <= 32 && toNumber(network) % 2 ** (32 - bits) === 0
        const addresses = [`${head}${network.join('.')}/${length}`]
        if (!isNetwork) return assert.throws(() => new TrustedProxies({ addresses }), TypeError)

        const found = read({ addresses }, other.join('.'), {})

        assert.equal(
          found !== null,
          Math.floor(toNumber(other) / 2 ** (32 - bits)) === toNumber(network) / 2 ** (32 - bits),
        )
      }),
      { numRuns: 3000 },
    )
  })
})

describe('a network of IPv6', () => {
  it('is refused, or trusts exactly the addresses of its network [HOLD-11]', () => {
    const groups = fc.array(fc.constantFrom(0, 0, 0, 0, 1, 0x80, 0x8000, 0xfd00, 0xffff), {
      minLength: 8,
      maxLength: 8,
    })
    const write = (parts: readonly number[]): string => parts.map((part) => part.toString(16)).join(':')
    const bitsOf = (parts: readonly number[]): bigint => BigInt(`0x${parts.map(hex).join('')}`)

    fc.assert(
      fc.property(groups, fc.integer({ min: 0, max: 128 }), groups, (network, length, other) => {
        // Those are addresses of IPv4.
        fc.pre(![network, other].some((parts) => parts.slice(0, 5).every((part) => part === 0)))
        const free = BigInt(128 - length)
        const addresses = [`${write(network)}/${length}`]
        if (bitsOf(network) % (1n << free) !== 0n)
          return assert.throws(() => new TrustedProxies({ addresses }), TypeError)

        for (const from of [network, other])
          assert.equal(
            read({ addresses }, write(from), {}) !== null,
            bitsOf(from) >> free === bitsOf(network) >> free,
          )
      }),
      { numRuns: 3000 },
    )
  })
})

function hex(group: number): string {
  return group.toString(16).padStart(4, '0')
}

function toNumber(octets: readonly number[]): number {
  return octets.reduce((sum, value) => sum * 256 + value, 0)
}
