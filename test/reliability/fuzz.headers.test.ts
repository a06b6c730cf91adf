import assert from 'node:assert/strict'
import { isIP } from 'node:net'
import { describe, it } from 'node:test'
import { Authorization, type CookieOptions, Cookies } from 'sallyport/http'

import { findCookie } from '../../src/http/internal.ts'
import { prefersJson } from '../../src/http/index.ts'
import { Locales } from '../../src/i18n/index.ts'
import { TrustedProxies } from '../../src/node/trusted-proxies.ts'
import { type Dice, fuzz, mutate } from './mutations.ts'

// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/
const BLANKS_AROUND = /^[ \t]+|[ \t]+$/g

/** A text as it comes over a wire: octets only. */
const octets = (text: string): string => Buffer.from(text).toString('latin1')
const base64 = (text: string): string => Buffer.from(text).toString('base64')

describe('fuzzing of headers that a client sends', () => {
  it('Authorization: credentials or null, and no half-parsed ones', async (t) => {
    await fuzz(t, {
      name: 'Authorization',
      sample: (dice) => {
        const scheme = dice.pick(['Basic', 'Bearer', 'basic', 'BEARER', 'Digest'])
        const basic = base64(mutate(`${dice.word()}:${dice.word()}`, dice))
        return mutate(`${scheme} ${dice.once(2) ? basic : dice.word(40)}`, dice)
      },
      check: (header) => {
        const sent = Authorization.parse(header)
        if (sent === null) return false
        const credentials = /^[A-Za-z]+ +(.*)$/s.exec(header)?.[1]
        if (sent.scheme === 'bearer') {
          assert.equal(sent.token, credentials)
          assert.match(sent.token ?? '', /^[A-Za-z0-9\-._~+/]+=*$/)
          return true
        }
        assert.equal(base64(`${sent.username}:${sent.password}`), canonical(credentials ?? ''))
        assert.doesNotMatch(`${sent.username}${sent.password}`, CONTROL)
        assert.ok(sent.username?.includes(':') === false)
        return true
      },
    })
  })

  it('Cookie: one value or none, as a slow reader finds it', async (t) => {
    await fuzz(t, {
      name: 'Cookie',
      sample: (dice) => {
        const name = dice.pick(['sid', '__Host-sid', 'a', 'sid='])
        const pair = (): string =>
          `${dice.once(2) ? name : dice.word(4)}=${dice.once(8) ? '"x"' : dice.word()}`
        return { name, header: octets(mutate(dice.some(6, pair, dice.pick(['; ', ';', ' ; ', ';;'])), dice)) }
      },
      check: ({ name, header }) => {
        const values = header
          .split(';')
          .map((pair) => pair.replace(BLANKS_AROUND, ''))
          .filter((pair) => pair.startsWith(`${name}=`))
          .map((pair) => pair.slice(name.length + 1))
        const [value = ''] = values
        const expected = values.length === 1 ? value.replace(/^"(.*)"$/s, '$1') : undefined
        assert.equal(findCookie(header, name), expected)
        const decoded = new Cookies(header, true).get(name)
        assert.equal(decoded === undefined, expected === undefined)
        return decoded !== undefined
      },
    })
  })

  it('Set-Cookie: a line that says what was set, or a TypeError', async (t) => {
    await fuzz(t, {
      name: 'Set-Cookie',
      sample: (dice) => ({
        name: dice.once(3) ? mutate(dice.pick(['a', '__Host-a', '__Secure-a']), dice) : `a${dice.below(9)}`,
        value: mutate(dice.word(20), dice),
        secure: dice.once(2),
        options: cookieOptions(dice),
      }),
      check: ({ name, value, secure, options }) => {
        const cookies = new Cookies(null, secure)
        try {
          cookies.set(name, value, options)
        } catch (error) {
          assert.ok(error instanceof TypeError, String(error))
          assert.deepEqual([...cookies.setCookieLines()], [])
          return false
        }
        const [line = '', ...more] = cookies.setCookieLines()
        const [pair = '', ...attributes] = line.split('; ')
        assert.deepEqual(more, [])
        assert.match(line, /^[\u0020-\u007e]{1,4096}$/)
        assert.equal(new Cookies(pair, secure).get(name), value)
        const known =
          /^(?:HttpOnly|Secure|SameSite=(?:Lax|Strict|None)|Path=[^;]*|Domain=[^;]*|Max-Age=-?\d+)$/
        for (const attribute of attributes) assert.match(attribute, known)
        assert.equal(new Set(attributes.map((attribute) => attribute.split('=')[0])).size, attributes.length)
        return true
      },
    })
  })

  it('Accept: JSON or a page', async (t) => {
    const types = ['text/html', 'application/json', 'application/problem+json', '*/*', 'application/*', 'a/b']
    await fuzz(t, {
      name: 'Accept',
      sample: (dice) =>
        octets(
          mutate(
            dice.some(5, () => `${dice.pick(types)};q=0.${dice.below(10)}`, ', '),
            dice,
          ),
        ),
      check: (header) => {
        const prefers = prefersJson(header)
        assert.equal(prefersJson(header), prefers)
        assert.ok(!prefers || header.includes('json'))
        return prefers
      },
    })
  })

  it('Accept-Language: always one of the declared languages', async (t) => {
    const locales = new Locales(['en', 'fr', 'de-CH', 'zh-Hant-TW', 'sr-Latn'])
    const tags = ['fr', 'de', 'de-AT', 'zh-TW', 'zh', 'sr', 'EN', '*', 'x-y', 'i-klingon', 'art-lojban']
    await fuzz(t, {
      name: 'Accept-Language',
      sample: (dice) =>
        octets(
          mutate(
            dice.some(6, () => `${dice.pick(tags)};q=0.${dice.below(10)}`, ','),
            dice,
          ),
        ),
      check: (header) => {
        const locale = locales.negotiate(header)
        assert.ok(locales.declared.includes(locale), locale)
        return locale !== locales.default
      },
    })
  })

  for (const header of ['forwarded', 'x-forwarded'] as const) {
    it(`${header}: a valid address, and never beyond an untrusted hop`, async (t) => {
      const proxies = new TrustedProxies({ addresses: ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'], header })
      await fuzz(t, {
        name: header,
        sample: (dice) => (header === 'forwarded' ? forwardedOf(dice) : xForwardedOf(dice)),
        check: (headers) => {
          const read = (name: string): string | null => headers.get(name) ?? null
          assert.equal(proxies.read('192.0.2.1', read), null)
          const found = proxies.read('127.0.0.1', read)
          if (found?.address === null || found === null) return false
          assert.notEqual(isIP(found.address), 0)
          // Whatever a client wrote before it: the address that the last trusted hop added is the one that counts.
          const trail = header === 'forwarded' ? 'for=198.51.100.7' : '198.51.100.7'
          const name = header === 'forwarded' ? 'forwarded' : 'x-forwarded-for'
          const appended = `${headers.get(name)}, ${trail}`
          const behind = proxies.read('127.0.0.1', (asked) => (asked === name ? appended : read(asked)))
          if (appended.length <= 4096) assert.equal(behind?.address, '198.51.100.7')
          return true
        },
      })
    })
  }
})

const ADDRESSES = [
  '127.0.0.1',
  '10.1.2.3',
  '198.51.100.9',
  '[2001:db8::7]:47',
  '"[fd00::1]"',
  'unknown',
  '_x',
  '1.1.1.1:80',
]

function forwardedOf(dice: Dice): ReadonlyMap<string, string> {
  const pair = (): string =>
    dice.pick([
      `for=${dice.pick(ADDRESSES)}`,
      `proto=${dice.pick(['http', 'https', 'HTTPS', 'x'])}`,
      `host=${dice.pick(['app.test', '"a,b"', 'evil.test:1'])}`,
    ])
  const element = (): string => dice.some(4, pair, ';')
  return new Map([['forwarded', octets(mutate(dice.some(5, element, ', '), dice))]])
}

function xForwardedOf(dice: Dice): ReadonlyMap<string, string> {
  return new Map([
    [
      'x-forwarded-for',
      octets(
        mutate(
          dice.some(5, () => dice.pick(ADDRESSES) ?? '', ', '),
          dice,
        ),
      ),
    ],
    [
      'x-forwarded-proto',
      octets(
        mutate(
          dice.some(3, () => dice.pick(['http', 'https']), ','),
          dice,
        ),
      ),
    ],
    [
      'x-forwarded-host',
      octets(
        mutate(
          dice.some(3, () => dice.pick(['app.test', 'b']), ','),
          dice,
        ),
      ),
    ],
  ])
}

function cookieOptions(dice: Dice): CookieOptions {
  return {
    ...(dice.once(3) ? { path: mutate('/a', dice) } : {}),
    ...(dice.once(3) ? { domain: mutate('app.test', dice) } : {}),
    ...(dice.once(3) ? { maxAgeSeconds: dice.pick([0, 1, 3600, -1, 1.5, Number.NaN, 2 ** 60]) } : {}),
    ...(dice.once(3) ? { sameSite: dice.pick(['strict', 'lax', 'none']) } : {}),
    ...(dice.once(3) ? { httpOnly: dice.once(2), secure: dice.once(2) } : {}),
  }
}

// The bits behind the last octet may be anything in what was sent.
function canonical(credentials: string): string {
  return Buffer.from(credentials, 'base64').toString('base64')
}
