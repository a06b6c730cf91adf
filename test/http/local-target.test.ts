import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'

import { LocalTarget } from '../../src/http/index.ts'

const ORIGIN = 'https://app.test'

describe('LocalTarget.parse()', () => {
  for (const [text, value] of [
    ['/', '/'],
    ['/account', '/account'],
    ['/shop/produit/été?a=1&b=%20', '/shop/produit/%C3%A9t%C3%A9?a=1&b=%20'],
    ['/a?next=//evil.test', '/a?next=//evil.test'],
    ['/a#top', '/a'],
    ['/a.b/..c/d..', '/a.b/..c/d..'],
    ['/a/b//c', '/a/b//c'],
    ['/a//', '/a//'],
    // Twice is as often as anything behind it decodes.
    ['/%25255cevil.test', '/%25255cevil.test'],
    ['/a?x=../y', '/a?x=../y'],
  ] as const) {
    it(`accepts ${text}`, () => {
      assert.equal(LocalTarget.parse(text)?.value, value)
      assert.equal(LocalTarget.parse(text)?.toString(), value)
    })
  }

  for (const text of [
    '//evil.test',
    '///evil.test',
    '/\\evil.test',
    '\\\\evil.test',
    '\\/evil.test',
    '/\t/evil.test',
    '/\n/evil.test',
    '\t//evil.test',
    ' /account',
    '/%09/evil.test',
    '/%0a/evil.test',
    '/%0d%0aSet-Cookie:%20a=b',
    '/%2f/evil.test',
    '/%2fevil.test',
    '/%5cevil.test',
    '/%255cevil.test',
    '/%252fevil.test',
    '/%5c%5cevil.test',
    '/..//evil.test',
    '/a/..//evil.test',
    '/.//evil.test',
    '/%2e%2e//evil.test',
    '/a/%2e%2e/admin',
    '/a/../admin',
    '/./admin',
    '/a/..',
    'https:evil.test',
    'https://evil.test',
    'https://app.test.evil.test/',
    'https://app.test:444/',
    'http://app.test@evil.test',
    'javascript:alert(1)',
    'data:,x',
    'account',
    '?x',
    '#x',
    '',
    '/\u0000',
    '/\u007f',
    '/\u2028',
    '/\ud800',
    '/%ff',
    '/100%',
    `/${'a'.repeat(2048)}`,
  ]) {
    it(`refuses ${JSON.stringify(text.slice(0, 40))}`, () => {
      assert.equal(LocalTarget.parse(text), undefined)
    })
  }

  for (const value of [
    undefined,
    null,
    5,
    {},
    ['/account'],
    { toString: () => '/account' },
    new String('/account'),
  ]) {
    it(`refuses ${String(typeof value)} ${JSON.stringify(value) ?? ''}: it is not a string`, () => {
      assert.equal(LocalTarget.parse(value), undefined)
    })
  }

  it('accepts 2048 characters, and not one more', () => {
    const longest = `/${'a'.repeat(2047)}`

    assert.equal(LocalTarget.parse(longest)?.value, longest)
    assert.equal(LocalTarget.parse(`${longest}a`), undefined)
  })

  it('never returns a target that a browser takes to another origin', () => {
    const part = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '@',
      ':',
      '?',
      '#',
      '%2f',
      '%5C',
      '%252f',
      '%09',
      '\t',
      '\n',
      'evil.test',
      'a',
      ';',
    )
    const text = fc.array(part, { maxLength: 8 }).map((parts) => `/${parts.join('')}`)

    fc.assert(
      fc.property(text, (sent) => {
        const target = LocalTarget.parse(sent)
        if (target === undefined) return
        assert.equal(new URL(target.value, ORIGIN).origin, ORIGIN)
        assert.match(target.value, /^\/(?![/\\])[\u0021-\u007e]*$/)
        // What a proxy decodes once more still leads nowhere else.
        assert.equal(new URL(decodeURIComponent(target.value), ORIGIN).origin, ORIGIN)
      }),
      { numRuns: 2000 },
    )
  })
})
