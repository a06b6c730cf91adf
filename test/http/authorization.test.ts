import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inspect } from 'node:util'

import { Authorization } from '../../src/http/index.ts'
import { growthAtDouble, MAX_AT_DOUBLE_SIZE } from '../reliability/growth.ts'

function basic(text: string | Uint8Array): string {
  return `Basic ${Buffer.from(text).toString('base64')}`
}

describe('Authorization.parse()', () => {
  for (const scheme of ['basic', 'Basic', 'BASIC', 'bAsIc']) {
    it(`reports ${scheme} in lower case, with a username and a password [CRED-02 CRED-03]`, () => {
      const parsed = Authorization.parse(`${scheme} ${Buffer.from('ada:open sesame').toString('base64')}`)

      assert.equal(parsed?.scheme, 'basic')
      assert.equal(parsed?.username, 'ada')
      assert.equal(parsed?.password, 'open sesame')
    })
  }

  for (const scheme of ['bearer', 'Bearer', 'BEARER']) {
    it(`reports ${scheme} in lower case, with the token exactly as sent [CRED-02 CRED-06]`, () => {
      const parsed = Authorization.parse(`${scheme} aZ09-._~+/tok==`)

      assert.equal(parsed?.scheme, 'bearer')
      assert.equal(parsed?.token, 'aZ09-._~+/tok==')
    })
  }

  for (const [sent, username, password] of [
    ['ops:s:e', 'ops', 's:e'],
    ['ops::', 'ops', ':'],
    ['ops:', 'ops', ''],
    [':pass', '', 'pass'],
    [':', '', ''],
    ['zoë:pässwörd€', 'zoë', 'pässwörd€'],
    [' a : b ', ' a ', ' b '],
  ] as const) {
    it(`splits ${JSON.stringify(sent)} at the first colon [CRED-04]`, () => {
      const parsed = Authorization.parse(basic(sent))

      assert.equal(parsed?.username, username)
      assert.equal(parsed?.password, password)
    })
  }

  for (const [what, header] of [
    ['a character outside the alphabet', 'Basic YWRhOnB3*A=='],
    ['a blank inside', 'Basic YWRh OnB3'],
    ['base64url', `Basic ${Buffer.from('a:\u00ff\u00fe>?').toString('base64url').replace(/$/, '_')}`],
    ['missing padding', 'Basic YTpiYw'],
    ['too much padding', 'Basic YTpi===='],
    ['padding inside', 'Basic YTo=Yg=='],
    ['nothing', 'Basic '],
    ['no colon', basic('ada')],
    ['a control character', basic('ada:pw\n')],
    ['a NUL', basic('a\0da:pw')],
    ['no UTF-8', basic(Uint8Array.of(0xff, 0x3a, 0xfe))],
    ['overlong UTF-8', basic(Uint8Array.of(0x61, 0x3a, 0xc0, 0xaf))],
    ['two headers in one', `${basic('ada:pw')}, ${basic('eve:pw')}`],
    ['a tab for the blank', `Basic\t${Buffer.from('a:b').toString('base64')}`],
  ] as const) {
    it(`gives no credentials for Basic with ${what} [CRED-05]`, () => {
      assert.equal(Authorization.parse(header), null)
    })
  }

  for (const [what, header] of [
    ['no token', 'Bearer'],
    ['an empty token', 'Bearer '],
    ['a blank in the token', 'Bearer abc def'],
    ['padding alone', 'Bearer =='],
    ['padding inside', 'Bearer a=b'],
    ['two headers in one', 'Bearer abc, Bearer def'],
    ['a no-break space before the token', 'Bearer \u00a0abc'],
    ['quotes', 'Bearer "abc"'],
  ] as const) {
    it(`gives no credentials for Bearer with ${what} [CRED-06]`, () => {
      assert.equal(Authorization.parse(header), null)
    })
  }

  for (const header of [
    'Digest username="ada"',
    'Token abc',
    'Basicx YTpi',
    'ApiKey abc',
    'Bearerx',
    '',
    ' ',
    'basic',
    ' Basic YTpi',
  ]) {
    it(`gives no credentials for ${JSON.stringify(header)} [CRED-08]`, () => {
      assert.equal(Authorization.parse(header), null)
    })
  }

  it('checks nothing: everything well formed is returned [CRED-07]', () => {
    assert.equal(Authorization.parse('Bearer expired')?.token, 'expired')
    assert.equal(Authorization.parse(basic('nobody:wrong'))?.username, 'nobody')
  })

  it('accepts any number of blanks between scheme and credentials [CRED-03 CRED-06]', () => {
    for (const blanks of [' ', '  ', '    ']) {
      assert.equal(Authorization.parse(`Bearer${blanks}abc`)?.token, 'abc')
      assert.equal(Authorization.parse(basic('ada:pw').replace(' ', blanks))?.username, 'ada')
    }
  })

  it('returns null when the header was not sent', () => {
    assert.equal(Authorization.parse(null), null)
  })

  it('has one of two shapes', () => {
    const bearer = Authorization.parse('Bearer abc')
    const named = Authorization.parse(basic('ada:pw'))

    assert.equal(bearer !== null && 'username' in bearer, false)
    assert.equal(named !== null && 'token' in named, false)
  })

  it('shows credentials neither to inspect nor in JSON', () => {
    const shown = [basic('ada:hunter2'), 'Bearer hunter2'].map((header) => Authorization.parse(header))

    assert.doesNotMatch(inspect(shown) + JSON.stringify(shown), /hunter2|ada/)
  })

  for (const [scheme, fillers] of [
    ['Basic', ['A', '=', ' ', ':', 'A ']],
    ['Bearer', ['a', '=', ' ', 'a=']],
  ] as const) {
    it(`reads 16 KiB of ${scheme} in time proportional to the length`, async () => {
      for (const filler of fillers) {
        const [short, long] = [2048, 16_384].map((count) => `${scheme} ${filler.repeat(count)}`)

        const growth = await growthAtDouble({
          short: () => Authorization.parse(short ?? ''),
          long: () => Authorization.parse(long ?? ''),
        })

        assert.ok(growth <= MAX_AT_DOUBLE_SIZE, `"${filler}": ${growth}`)
      }
    })
  }
})
