import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import fc from 'fast-check'

import { canonicalAddress } from '../../src/http/internal.ts'

const octet = fc.integer({ min: 0, max: 255 })
const group = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff }))

/** One group as RFC 4291 allows it: any letter case, leading zeros or none. */
function spelledGroup(value: number): fc.Arbitrary<string> {
  const text = value.toString(16)
  return fc
    .tuple(fc.integer({ min: text.length, max: 4 }), fc.boolean())
    .map(([width, isUpper]) => (isUpper ? text.toUpperCase() : text).padStart(width, '0'))
}

/** Every spelling of eight groups: with or without `::` for one run of zeros, with or without dots at the end. */
function spelled(groups: readonly number[]): fc.Arbitrary<string> {
  const words = fc.tuple(...groups.map(spelledGroup))
  const runs = groups.flatMap((_, start) =>
    groups.flatMap((__, end) =>
      end > start && groups.slice(start, end + 1).every((value) => value === 0)
        ? [[start, end + 1] as const]
        : [],
    ),
  )
  return fc.tuple(words, fc.constantFrom(null, ...runs), fc.boolean()).map(([parts, run, isDotted]) => {
    const [high = 0, low = 0] = groups.slice(6)
    const dots = [high >> 8, high & 255, low >> 8, low & 255].join('.')
    const all = isDotted && (run === null || run[1] <= 6) ? [...parts.slice(0, 6), dots] : parts
    if (run === null) return all.join(':')
    return `${all.slice(0, run[0]).join(':')}::${all.slice(run[1]).join(':')}`
  })
}

describe('canonicalAddress()', () => {
  it('an IPv4-mapped address is the IPv4 address, in every spelling [HOLD-13]', () => {
    const pairs = fc
      .tuple(octet, octet, octet, octet)
      .chain(([a, b, c, d]) =>
        fc.tuple(
          fc.constant([a, b, c, d].join('.')),
          spelled([0, 0, 0, 0, 0, 0xffff, (a << 8) | b, (c << 8) | d]),
        ),
      )

    fc.assert(
      fc.property(pairs, ([address, mapped]) => {
        assert.equal(canonicalAddress(mapped), address)
        assert.equal(canonicalAddress(`${mapped}%eth0`), address)
        assert.equal(canonicalAddress(address), address)
      }),
      { numRuns: 2000 },
    )
  })

  it('two spellings of one IPv6 address are equal, and two addresses differ [HOLD-13]', () => {
    const groups = fc.array(group, { minLength: 8, maxLength: 8 })
    const cases = fc
      .tuple(groups, groups)
      .chain(([left, right]) =>
        fc.tuple(spelled(left), spelled(left), spelled(right), fc.constant(String(left) === String(right))),
      )

    fc.assert(
      fc.property(cases, ([one, again, other, isSame]) => {
        const address = canonicalAddress(one)

        assert.equal(canonicalAddress(again), address)
        assert.equal(canonicalAddress(address), address)
        assert.equal(canonicalAddress(other) === address, isSame)
      }),
      { numRuns: 2000 },
    )
  })

  for (const [text, expected] of [
    ['', ''],
    ['192.0.2.1', '192.0.2.1'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1%eth0'],
    ['FE80:0::1%2', 'fe80::1%2'],
    ['::ffff:0:0:1', '::ffff:0:0:1'],
    ['1::ffff:102:304', '1::ffff:102:304'],
    ['::1.2.3.4', '::102:304'],
    // What is no address is an identifier of the host's own, and nothing is guessed about it.
    ['192.0.2.1:80', '192.0.2.1:80'],
    ['[2001:DB8::1]', '[2001:DB8::1]'],
    ['::1]/x?[', '::1]/x?['],
    ['::1]/::1', '::1]/::1'],
    ['1:2', '1:2'],
    ['unix:/run/app', 'unix:/run/app'],
  ] as const) {
    it(`returns ${JSON.stringify(expected)} for ${JSON.stringify(text)}`, () => {
      assert.equal(canonicalAddress(text), expected)
    })
  }
})
