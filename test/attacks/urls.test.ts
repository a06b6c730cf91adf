import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LocalTarget } from 'sallyport/http'
import { type Actions, param, Router, type Routes, RoutingException, type UrlParams } from 'sallyport/routing'
import { ORIGIN, World } from './fixture/world.ts'
import { loadExpressions } from '../../src/routing/expression/late-expressions.ts'

await loadExpressions()

class PageController {
  static readonly actions: Actions<PageController> = {
    page: [param.string('page')],
    file: [param.string('a'), param.string('b')],
  }
  page(_page: string): void {}
  file(_a: string, _b: string): void {}
}

function routerOf(declare: (routes: Routes) => void): Router {
  const steps = [{ kind: 'table' as const, declare }]
  const module = { name: 'Site', segment: 'site', mount: '/', localized: false, convention: false }
  return new Router({ modules: [{ ...module, controllers: [], middlewares: [], steps }] })
}

/** A URL is right when a browser's reading of it reaches its own route with the same values; or there is none. */
function assertRoundTrip(router: Router, name: string, params: Record<string, string>): void {
  let url: string
  try {
    url = router.url(name, params)
  } catch (error) {
    assert.ok(error instanceof RoutingException)
    assert.match(error.code, /^(invalid|missing)-parameter$/)
    return
  }
  assert.match(url, /^\/(?![/\\])/)
  const seen = new URL(url, ORIGIN)
  assert.equal(seen.origin, ORIGIN)
  const match = router.match('GET', seen.pathname)
  assert.ok(match.kind === 'found', `${url} is ${match.kind}`)
  assert.deepEqual(match.route.args, Object.values(params))
}

describe('abuse of generated URLs', () => {
  it('a value never creates another origin [A-039]', () => {
    const router = routerOf((routes) => void routes.get('/{page}', [PageController, 'page']).name('page'))
    const values = [
      '/evil.test',
      '\\evil.test',
      '//evil.test',
      '%2fevil.test',
      '%5cevil.test',
      '',
      '.',
      '..',
      '\t/evil.test',
    ]
    for (const page of values) assertRoundTrip(router, 'site:page', { page })
  })

  it('dots in values never climb [A-040]', () => {
    const router = routerOf(
      (routes) => void routes.get('/files/{a}/{b}', [PageController, 'file']).name('file'),
    )
    for (const value of [
      '.',
      '..',
      '...',
      'a/../b',
      '..%2f',
      '%2e%2e',
      '.%2e',
      './',
      '/..',
      'é/..',
      '?',
      '#',
      ' ',
    ]) {
      assertRoundTrip(router, 'site:file', { a: value, b: 'x' })
      assertRoundTrip(router, 'site:file', { a: 'x', b: value })
    }
    assert.throws(() => router.url('site:file', { a: '..', b: '..' }), RoutingException)
  })

  it('a login never ends on another origin [A-041]', async (test) => {
    const world = await World.create(test)
    const targets = [
      '//evil.test',
      '/\\evil.test',
      '/%09/evil.test',
      '/\t/evil.test',
      '\t//evil.test',
      'https:evil.test',
      'javascript:alert(1)',
      'http://app.test@evil.test',
      '///evil.test',
      '/..//evil.test',
      'https://app.test.evil.test/',
      'https://app.test:444/',
      'data:,x',
      '/%5cevil.test',
      '/%2fevil.test',
      '/.//evil.test',
      '/a/..//evil.test',
      '/%2e%2e//evil.test',
      '\\\\evil.test',
      '/\u2028/evil.test',
      '/%0d%0aSet-Cookie:x=1',
      '/\r\nSet-Cookie: x=1',
      '/%252fevil.test',
      '',
    ]
    for (const target of [...targets, ['/account', '//evil.test'], ['//evil.test', '/account']]) {
      const browser = world.browser()
      const answer = await browser.password('bob', undefined, { return_url: target })
      assert.equal(answer.status, 303, String(target))
      const seen = new URL(answer.headers.get('location') ?? '', ORIGIN)
      assert.equal(seen.origin, ORIGIN, String(target))
      assert.doesNotMatch(seen.pathname, /^\/[/\\]/, String(target))
    }
    assert.equal(
      (await world.browser().password('bob', undefined, { return_url: '/shop/?a=b' })).headers.get(
        'location',
      ),
      '/shop/?a=b',
    )
  })

  it('input of a client creates no second header line [A-042]', async (test) => {
    const world = await World.create(test)
    const bob = await world.loggedIn('bob')
    const headers = { cookie: `__Host-sid=${bob.sessionId ?? ''}` }
    for (const text of ['/a\r\nX-Evil: 1', '/a\n', '/a\0b', '/a\u2028b', '/a😀b', '/a\u0085', '/\ud800']) {
      for (const field of ['to', 'name']) {
        const query = new URLSearchParams({ [field]: text })
        await world.everywhere({ target: `/account/go?${query}`, headers }, (answer, message) => {
          assert.ok(answer.status === 303 || answer.status === 400, message)
          assert.ok(!answer.headers.has('x-evil'), message)
          assert.match(answer.headers.get('location') ?? '', /^[!-~]*$/, message)
        })
      }
    }
    assert.equal(LocalTarget.parse('/a😀b')?.value, '/a%F0%9F%98%80b')
  })

  it('extra parameters come back unchanged, or are refused [A-043]', () => {
    const router = routerOf((routes) => void routes.get('/{page}', [PageController, 'page']).name('page'))
    const texts = ['a&b', 'c=d', '#f', 'é', '\r\n', '+', '%41', ' ', '?', ';', '\0']
    for (const key of texts) {
      for (const value of texts) {
        const url = router.url('site:page', { page: 'x', [key]: value, list: ['1', value] })
        const { search, hash } = new URL(url, ORIGIN)
        assert.equal(hash, '')
        assert.deepEqual(
          [...new URLSearchParams(search)],
          [
            [key, value],
            ['list', '1'],
            ['list', value],
          ],
        )
      }
    }
    assert.equal(router.url('site:page', { page: 'x', a: null, b: undefined }), '/x')
    for (const value of [
      { toString: () => 'x' },
      () => 'x',
      Symbol('x'),
      Number.NaN,
      Number.POSITIVE_INFINITY,
      [['x']],
    ]) {
      const params = { page: 'x', extra: value } as unknown as UrlParams
      assert.throws(
        () => router.url('site:page', params),
        (error) => error instanceof RoutingException || error instanceof TypeError,
      )
    }
  })
})
