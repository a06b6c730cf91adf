import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { toLocation } from '../../src/http/location.ts'

describe('toLocation()', () => {
  for (const [target, location] of [
    ['/', '/'],
    ['/login', '/login'],
    ['/a/b?x=1&y=%2F#top', '/a/b?x=1&y=%2F#top'],
    ['/été', '/%C3%A9t%C3%A9'],
    ['/a b"<>', '/a%20b%22%3C%3E'],
    ['/\u2028', '/%E2%80%A8'],
    ['/😀', '/%F0%9F%98%80'],
    ['https://app.test/x', 'https://app.test/x'],
    ['http://app.test:8080', 'http://app.test:8080'],
    ['HTTPS://app.test?x', 'HTTPS://app.test?x'],
    ['https://[::1]:3000/', 'https://[::1]:3000/'],
    ['/\\evil.test', '/%5Cevil.test'],
    ['/?a=\\&b=\t', '/?a=%5C&b=%09'],
    ['/\t/evil.test', '/%09/evil.test'],
    ['/\n', '/%0A'],
    ['/\r\nSet-Cookie: a=b', '/%0D%0ASet-Cookie:%20a=b'],
    ['/\u0000', '/%00'],
    ['/\u007f\u0085', '/%7F%C2%85'],
    ['/\ud800', '/%EF%BF%BD'],
    ['http://app.test/\\x\ud800', 'http://app.test/%5Cx%EF%BF%BD'],
  ] as const) {
    it(`writes ${JSON.stringify(target)} as ${JSON.stringify(location)}`, () => {
      assert.equal(toLocation(target), location)
    })
  }

  for (const target of [
    '',
    'login',
    './login',
    '../login',
    '?x=1',
    '#x',
    '//evil.test',
    '///evil.test',
    '\\/evil.test',
    'https:/\\evil.test',
    'https:evil.test',
    'https:/evil.test',
    'https:///evil.test',
    'http://app.test@evil.test/',
    'http://user:pw@app.test/',
    'http://',
    'http://a b/',
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://app.test/',
    'http://app.test\\@evil.test/',
    'http://app\t.test/',
    'http://app.test\ud800/',
    '\\/evil.test/',
    ' /login',
    '\t/login',
  ]) {
    it(`refuses ${JSON.stringify(target)}`, () => {
      assert.throws(() => toLocation(target), TypeError)
    })
  }

  for (const [target, mend] of [
    [undefined, 'undefined: use a path such as "/login" or an http URL'],
    [null, 'null: use a path such as "/login" or an http URL'],
    [5, '5: use a path such as "/login" or an http URL'],
    [new URL('http://app.test/'), ': pass its href'],
  ] as const) {
    it(`says what to pass instead of ${String(target)} [HOLD-35]`, () => {
      assert.throws(
        () => toLocation(target as never),
        (error) => {
          assert.ok(error instanceof TypeError)
          assert.match(error.message, /^Cannot redirect to /)
          assert.ok(error.message.includes(mend), error.message)
          return true
        },
      )
    })
  }
})
