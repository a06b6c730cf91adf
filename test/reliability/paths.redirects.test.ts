import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { LocalTarget, RedirectException } from '../../src/http/index.ts'
import { redirectResponse } from '../../src/http/internal.ts'
import { figure, NONE } from './figure.ts'

// Each is put before each destination, with each of the ends; together they are the corpus.
const BEGINNINGS = [
  '',
  '/',
  '//',
  '///',
  '////',
  '/\\',
  '\\',
  '\\\\',
  '\\/',
  '/\\/',
  '/\t/',
  '/\n/',
  '/\r/',
  '\t//',
  ' //',
  '\u0000//',
  '\u00a0//',
  '\u3000//',
  '\ufeff//',
  '/ /',
  '/./',
  '/.//',
  '/..//',
  '/a/..//',
  '/a/../..//',
  '/%2e//',
  '/%2e%2e//',
  '/.%2e//',
  '/a/%2e%2e//',
  '/%2f',
  '/%2F/',
  '/%5c',
  '/%5C/',
  '/%09/',
  '/%0a/',
  '/%0d%0a/',
  '/%00/',
  '/%252f',
  '/%255c',
  '/%25252f',
  '/;/',
  '/;//',
  '/@',
  '/:@',
  '//@',
  'http:',
  'http:/',
  'http://',
  'https:',
  'https:/',
  'https:///',
  'https:\\\\',
  'https:/\\',
  'hTTps://',
  'ht\ttps://',
  '\u0001https://',
  'https:@',
  'https://app.test@',
  'https://app.test:pass@',
  'https://app.test%40',
  'https://app.test\\@',
  'https://app.test.',
  'javascript:',
  'javascript://',
  'java\nscript:',
  'data:text/html,',
  'vbscript:',
  'file://',
  'blob:https://',
  'ws://',
  '?',
  '#',
  '.',
  '..',
  './/',
  '..//',
] as const
const DESTINATIONS = [
  'evil.test',
  'evil.test:443',
  'evil。test',
  'ⓔvil.test',
  '0x7f000001',
  '2130706433',
  '[::1]',
  'app.test@evil.test',
  'app.test.evil.test',
  'evil.test%00.app.test',
] as const
const ENDS = ['', '/', '/%2e%2e', '\\', '?next=/', '#@app.test'] as const
const ORIGINS = ['https://app.test', 'http://app.test:3000'] as const

function corpus(): readonly string[] {
  const all = BEGINNINGS.flatMap((beginning) =>
    DESTINATIONS.flatMap((destination) => ENDS.map((end) => beginning + destination + end)),
  )
  return [...new Set(all)]
}

/** Whether a browser stays on an origin when it is sent there from one of its pages. */
function staysOn(origin: string, location: string): boolean {
  const spellings = [location, location.trim(), location.replaceAll(/[\t\r\n]/g, '')]
  return spellings.every((text) => URL.parse(text, `${origin}/account/login`)?.origin === origin)
}

function tryDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

describe('redirects to what a client sent', () => {
  const texts = corpus()

  it('LocalTarget gives none that leaves the origin [R-55]', (t) => {
    let taken = 0
    for (const text of texts) {
      const target = LocalTarget.parse(text)
      if (target === undefined) continue
      taken++
      // What stands behind may decode once more.
      for (const location of [target.value, tryDecode(target.value)]) {
        for (const origin of ORIGINS) assert.ok(staysOn(origin, location), JSON.stringify(text))
      }
      assert.match(target.value, /^\/(?![/\\])[\u0021-\u007e]*$/)
    }

    assert.ok(texts.length >= 2000)
    const what = `off site of ${texts.length} return addresses, ${taken} taken as paths`
    figure(t, 'R-55', { what, value: NONE, goal: '0' })
  })

  it('redirect() and RedirectException lead nowhere but to a path or to the host that is written there [R-55]', (t) => {
    let sent = 0
    let named = 0
    for (const text of texts) {
      for (const redirect of [redirectResponse, respondToException]) {
        const location = attempt(() => redirect(text, 303).headers.get('location') ?? '')
        if (location === null) continue
        sent++
        assert.match(location, /^[\u0021-\u007e]+$/, JSON.stringify(text))
        if (!/^https?:\/\//i.test(text)) {
          for (const origin of ORIGINS) assert.ok(staysOn(origin, location), JSON.stringify(text))
          continue
        }
        // An application may redirect to another site that it names; then no part of the text hides which.
        named++
        const [begin = '', host = ''] = /^https?:\/\/([^/?#]*)/i.exec(text) ?? []
        assert.equal(new URL(location).host, new URL(begin).host, JSON.stringify(text))
        assert.ok(!/[@\\\s]/.test(host), JSON.stringify(text))
      }
    }

    const what = `hidden hosts in ${sent} redirects, of which ${named} name a site`
    figure(t, 'R-55', { what, value: NONE, goal: '0' })
  })
})

function respondToException(target: string, status: number): { headers: Headers } {
  return { headers: new Headers(new RedirectException(target, status).headers as Record<string, string>) }
}

/** The result, or null when the target is refused. */
function attempt(run: () => string): string | null {
  try {
    return run()
  } catch (error) {
    assert.ok(error instanceof TypeError)
    return null
  }
}
