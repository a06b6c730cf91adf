import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { Cookies } from '../../src/http/index.ts'
import { findCookie, findCookies } from '../../src/http/internal.ts'
import { growthAtDouble, MAX_AT_DOUBLE_SIZE } from '../reliability/growth.ts'

function linesOf(cookies: Cookies): string[] {
  return [...cookies.setCookieLines()]
}

describe('findCookies()', () => {
  for (const [header, values] of [
    ['', []],
    ['a=1; xsid=1; SID=2', []],
    ['sid=a', ['a']],
    ['sid=a; x=1; sid="b" ;sid=', ['a', 'b', '']],
    ['sid=a; a=sid=1;\tsid=a', ['a', 'a']],
  ] as const) {
    it(`finds ${JSON.stringify(values)} in ${JSON.stringify(header)}`, () => {
      assert.deepEqual(findCookies(header, 'sid'), values)
    })
  }
})

describe('findCookie()', () => {
  for (const [header, value] of [
    ['sid=abc', 'abc'],
    [' sid=abc', 'abc'],
    ['\tsid=abc', 'abc'],
    ['a; sid=abc', 'abc'],
    ['a=1; sid=abc; b=2', 'abc'],
    ['a=1;sid=abc;b=2', 'abc'],
    ['a=1;   sid=abc  ; b=2', 'abc'],
    ['a=1;\tsid=abc\t', 'abc'],
    ['sid="abc"', 'abc'],
    ['sid="', '"'],
    ['sid="abc', '"abc'],
    ['sid=abc"', 'abc"'],
    ['sid=', ''],
    ['sid=a=b=c', 'a=b=c'],
    ['xsid=1; sid=2', '2'],
    ['sidx=1; sid=2', '2'],
    ['a=sid=1; sid=2', '2'],
    ['a="x; sid=abc', 'abc'],
  ] as const) {
    it(`finds ${JSON.stringify(value)} in ${JSON.stringify(header)}`, () => {
      assert.equal(findCookie(header, 'sid'), value)
    })
  }

  for (const header of [
    '',
    'sid',
    'sid ; a=1',
    'SID=abc',
    'a=1',
    'xsid=1',
    'a=sid=1',
    '=sid=abc',
    '\u00a0sid=abc',
    'a=1, sid=abc',
    'sid =abc',
  ]) {
    it(`finds nothing in ${JSON.stringify(header)}`, () => {
      assert.equal(findCookie(header, 'sid'), undefined)
    })
  }

  for (const header of ['sid=a; sid=b', 'sid=a; x=1; sid=a', 'sid=;sid=b', 'sid=a; \t sid="b"']) {
    it(`finds nothing in ${JSON.stringify(header)}, which is ambiguous`, () => {
      assert.equal(findCookie(header, 'sid'), undefined)
    })
  }

  it('reads 16 KiB in time proportional to the length', async () => {
    const evil: readonly ((length: number) => string)[] = [
      (length) => `sid=${' '.repeat(length)}x`,
      (length) => `sid=${'\t '.repeat(length / 2)}x;`,
      (length) => `${' '.repeat(length)}sid=x`,
      (length) => 'sid= '.repeat(length / 5),
      (length) => 'sid'.repeat(length / 3),
      (length) => '; sid'.repeat(length / 5),
      (length) => `sid="${'"'.repeat(length)}`,
    ]
    for (const make of evil) {
      const [short, long] = [make(2000), make(16_000)]

      const growth = await growthAtDouble({
        short: () => findCookie(short, 'sid'),
        long: () => findCookie(long, 'sid'),
      })

      assert.ok(growth <= MAX_AT_DOUBLE_SIZE, `${make.toString()}: ${growth}`)
    }
  })
})

describe('Cookies.get()', () => {
  it('returns the value of one cookie among others', () => {
    assert.equal(new Cookies('a=1; theme=dark; b=2', false).get('theme'), 'dark')
  })

  it('returns nothing without a header and for a duplicate name', () => {
    assert.equal(new Cookies(null, false).get('theme'), undefined)
    assert.equal(new Cookies('theme=a; theme=b', false).get('theme'), undefined)
  })

  it('reads names of object members', () => {
    const cookies = new Cookies('constructor=1; __proto__=2', false)

    assert.equal(cookies.get('constructor'), '1')
    assert.equal(cookies.get('__proto__'), '2')
    assert.equal(cookies.get('toString'), undefined)
  })

  for (const value of [
    'dark blue',
    'a;b',
    'été',
    '100 %',
    '"quoted"',
    'a\r\nSet-Cookie: x=y',
    '%41',
    'a=b&c',
    '',
  ]) {
    it(`returns ${JSON.stringify(value)} as it was set`, () => {
      const outgoing = new Cookies(null, false)
      outgoing.set('v', value)
      const [line = ''] = linesOf(outgoing)

      assert.equal(new Cookies(line.slice(0, line.indexOf(';')), false).get('v'), value)
    })
  }

  it('returns a malformed encoding as it was sent', () => {
    assert.equal(new Cookies('v=100%; w=%ff', false).get('v'), '100%')
    assert.equal(new Cookies('v=100%; w=%ff', false).get('w'), '%ff')
  })
})

describe('Cookies.readFrom()', () => {
  it('reads from the other header, and keeps cookies that were set', () => {
    const cookies = new Cookies('a=1; b=2', false)
    cookies.set('c', '3')

    cookies.readFrom('a=4')

    assert.deepEqual([cookies.get('a'), cookies.get('b')], ['4', undefined])
    assert.equal(linesOf(cookies).length, 1)
    cookies.readFrom(null)
    assert.equal(cookies.get('a'), undefined)
  })
})

describe('Cookies.set()', () => {
  for (const [title, options, message] of [
    [
      'an empty sameSite',
      { sameSite: '' },
      /^TypeError: Cannot set the cookie "a" with "" as sameSite: it must be "lax"/,
    ],
    ['a false sameSite', { sameSite: false }, /with false as sameSite/],
    ['a numeric sameSite', { sameSite: 0 }, /with 0 as sameSite/],
    [
      'a sameSite in capitals',
      { sameSite: 'Strict' },
      /with "Strict" as sameSite: it must be "lax", "strict" or "none"/,
    ],
    [
      'maxAge',
      { maxAge: 60 },
      /Cannot use the option "maxAge" of a cookie: the options are "maxAgeSeconds", /,
    ],
    ['HttpOnly', { HttpOnly: true }, /Cannot use the option "HttpOnly" of a cookie: .*"httpOnly"/],
    ['a path that is not a string', { path: {} }, /with an object as path: it must be a string/],
    ['a domain that is not a string', { domain: 5 }, /with 5 as domain: it must be a string/],
    ['httpOnly as a number', { httpOnly: 0 }, /with 0 as httpOnly: it must be true or false/],
    ['secure as text', { secure: 'false' }, /with "false" as secure: it must be true or false/],
    ['partitioned as text', { partitioned: 'yes' }, /with "yes" as partitioned: it must be true or false/],
    ['half a second', { maxAgeSeconds: 0.5 }, /with 0.5 as maxAgeSeconds: it must be a whole number/],
  ] as const) {
    it(`refuses ${title}, and sets nothing [HOLD-35]`, () => {
      const cookies = new Cookies(null, false)

      assert.throws(() => cookies.set('a', 'x', options as never), message)
      if (!('maxAgeSeconds' in options)) assert.throws(() => cookies.delete('a', options as never), message)
      assert.deepEqual(linesOf(cookies), [])
    })
  }

  it('refuses a name and a value that are not strings, without quoting the value [HOLD-35]', () => {
    const cookies = new Cookies(null, false)

    assert.throws(
      () => cookies.set(undefined as never, 'x'),
      /Cannot set a cookie with the name undefined: it must be/,
    )
    assert.throws(() => cookies.set(5 as never, 'x'), /Cannot set a cookie with the name 5: it must be/)
    assert.throws(
      () => cookies.set('', 'x'),
      /Cannot set a cookie with the name "": it must be a non-empty string/,
    )
    for (const value of [undefined, null])
      assert.throws(
        () => cookies.set('a', value as never),
        new RegExp(`the cookie "a" to ${value}: the value must be a string`),
      )
    assert.throws(
      () => cookies.set('a', 4711 as never),
      (error: Error) => {
        assert.match(
          error.message,
          /Cannot set the cookie "a" to a value of type number: the value must be a string/,
        )
        return !error.message.includes('4711')
      },
    )
    assert.deepEqual(linesOf(cookies), [])
  })

  it('is HttpOnly, SameSite=Lax and for the whole host by default', () => {
    const cookies = new Cookies(null, false)

    cookies.set('theme', 'dark')

    assert.deepEqual(linesOf(cookies), ['theme=dark; Path=/; HttpOnly; SameSite=Lax'])
  })

  it('is Secure over HTTPS', () => {
    const cookies = new Cookies(null, true)

    cookies.set('theme', 'dark', { maxAgeSeconds: 60, sameSite: 'strict', httpOnly: false, path: '/shop' })

    const [line = ''] = linesOf(cookies)
    assert.deepEqual(
      new Set(line.split('; ')),
      new Set(['theme=dark', 'Max-Age=60', 'Path=/shop', 'Secure', 'SameSite=Strict']),
    )
  })

  for (const [what, name, options] of [
    ['a name with a line break', 'a\r\nSet-Cookie: x', {}],
    ['a name with a semicolon', 'a;b', {}],
    ['a name with an equals sign', 'a=b', {}],
    ['an empty name', '', {}],
    ['a path with a line break', 'a', { path: '/\r\nSet-Cookie: x=y' }],
    ['a path with a semicolon', 'a', { path: '/; Domain=evil.test' }],
    ['a domain with a line break', 'a', { domain: 'x\r\n' }],
    ['a domain with a semicolon', 'a', { domain: 'a.test; Secure' }],
    ['a lifetime that is not a whole number', 'a', { maxAgeSeconds: 1.5 }],
    ['a lifetime that is not a number', 'a', { maxAgeSeconds: Number.NaN }],
    ['__Host- without Secure', '__Host-a', {}],
    ['__host- in another letter case', '__HOST-a', {}],
    ['__Host- with a domain', '__Host-a', { secure: true, domain: 'app.test' }],
    ['__Host- with a path', '__Host-a', { secure: true, path: '/shop' }],
    ['__Secure- without Secure', '__Secure-a', {}],
    ['__Http- without Secure', '__Http-a', {}],
    ['__Http- for scripts', '__Http-a', { secure: true, httpOnly: false }],
    ['__Host-Http- for scripts', '__host-http-a', { secure: true, httpOnly: false }],
    ['sameSite "none" without Secure', 'a', { sameSite: 'none' }],
    ['sameSite "none" with Secure turned off', 'a', { sameSite: 'none', secure: false }],
    ['partitioned without Secure', 'a', { partitioned: true }],
  ] as const) {
    it(`refuses ${what} and sets nothing`, () => {
      const cookies = new Cookies(null, false)

      assert.throws(() => cookies.set(name, 'v', options), TypeError)
      assert.deepEqual(linesOf(cookies), [])
    })
  }

  it('names the remedy where a cookie for other sites lacks Secure', () => {
    assert.throws(
      () => new Cookies(null, false).set('a', 'v', { sameSite: 'none' }),
      /need HTTPS, or the option "secure"/,
    )
  })

  it('sets a cookie for other sites over HTTPS, in a partition of its own if it is told so', () => {
    const cookies = new Cookies(null, true)

    cookies.set('a', '1', { sameSite: 'none' })
    cookies.set('a', '2', { sameSite: 'none', partitioned: true })

    assert.deepEqual(linesOf(cookies), [
      'a=1; Path=/; HttpOnly; Secure; SameSite=None',
      'a=2; Path=/; HttpOnly; Secure; Partitioned; SameSite=None',
    ])
  })

  it('recognizes a prefix only at the start of a name', () => {
    const cookies = new Cookies('', false)

    for (const name of ['x__Secure-a', 'x__Host-a', '__Secure', '__Hosta'])
      assert.doesNotThrow(() => cookies.set(name, '1', { path: '/shop' }), name)
  })

  it('sets __Host- and __Secure- names that follow the rules', () => {
    const cookies = new Cookies(null, true)

    cookies.set('__Host-a', '1')
    cookies.set('__Secure-b', '2', { path: '/shop' })

    assert.equal(linesOf(cookies).length, 2)
  })

  it('refuses a lone surrogate, which no encoding can represent, and sets nothing', () => {
    const cookies = new Cookies(null, false)

    assert.throws(() => cookies.set('a', '\ud800'), TypeError)
    assert.deepEqual(linesOf(cookies), [])
  })

  it('accepts 4096 bytes, attributes included, and not one more', () => {
    const cookies = new Cookies(null, false)
    cookies.set('a', '')
    const room = 4096 - (linesOf(cookies)[0] ?? '').length

    cookies.set('a', 'x'.repeat(room))

    assert.equal(linesOf(cookies)[0]?.length, 4096)
    assert.throws(() => cookies.set('a', 'x'.repeat(room + 1)), TypeError)
    assert.equal(linesOf(cookies)[0]?.length, 4096)
  })

  it('refuses every cookie once the response is made, and says which; cookies set before stay [HOLD-54]', () => {
    const cookies = new Cookies(null, false)
    cookies.set('a', '1')
    cookies.seal()

    assert.throws(() => cookies.set('late', '2'), /late/)
    assert.throws(() => cookies.delete('a'), Error)
    assert.deepEqual(linesOf(cookies), ['a=1; Path=/; HttpOnly; SameSite=Lax'])
  })

  it('refuses more than a browser stores', () => {
    const cookies = new Cookies(null, false)

    assert.throws(() => cookies.set('a', 'x'.repeat(4097)), TypeError)
    assert.deepEqual(linesOf(cookies), [])
  })

  it('accepts every option, with every value', () => {
    const cookies = new Cookies(null, false)

    for (const [sameSite, written] of [
      ['strict', 'Strict'],
      ['lax', 'Lax'],
      ['none', 'None'],
    ] as const) {
      const options = { maxAgeSeconds: 60, path: '/shop', domain: 'app.test', httpOnly: true, secure: true }
      cookies.set('a', '1', { ...options, sameSite })

      assert.deepEqual(
        new Set(linesOf(cookies)[0]?.split('; ')),
        new Set([
          'a=1',
          'Max-Age=60',
          'Domain=app.test',
          'Path=/shop',
          'HttpOnly',
          'Secure',
          `SameSite=${written}`,
        ]),
      )
    }
    cookies.set('b', '1', { secure: false, httpOnly: false })
    assert.equal(linesOf(cookies)[1], 'b=1; Path=/; SameSite=Lax')
  })

  it('treats one name as one cookie for each domain, and one without a domain', () => {
    const cookies = new Cookies(null, false)

    for (const domain of [undefined, 'a.test', 'b.test', 'a.test', undefined])
      cookies.set('a', String(domain), domain === undefined ? {} : { domain })

    assert.deepEqual(
      linesOf(cookies).map((line) => line.slice(0, line.indexOf(';'))),
      ['a=undefined', 'a=a.test', 'a=b.test'],
    )
  })

  it('sends one line for a cookie, the last one; another path is another cookie', () => {
    const cookies = new Cookies(null, false)

    cookies.set('a', '1')
    cookies.set('a', '2')
    cookies.set('a', '3', { path: '/shop' })
    cookies.delete('b')

    cookies.set('c', '1', { path: '/', domain: 'app.test' })
    cookies.set('c', '2', { domain: 'app.test' })
    cookies.set('a', '2', { path: '/' })

    const lines = linesOf(cookies)
    assert.equal(lines.length, 4)
    assert.match(lines[0] ?? '', /^a=2;/)
    assert.match(lines[1] ?? '', /^a=3;.*Path=\/shop/)
    assert.match(lines[2] ?? '', /^b=;.*Max-Age=0/)
    assert.match(lines[3] ?? '', /^c=2;.*Domain=app\.test/)
  })
})
