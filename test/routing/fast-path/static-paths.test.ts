import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { NOT_FOUND } from '../../../src/routing/route.ts'
import { StaticPaths } from '../../../src/routing/fast-path/static-paths.ts'
import { module, PageController, router, table } from '../fixture.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'LINK'] as const

describe('paths without placeholders', () => {
  it('an answer is found again for its method and path only', () => {
    const paths = new StaticPaths()
    paths.add('GET', '/about/us', NOT_FOUND)

    assert.equal(paths.find('GET', `/${['about', 'us'].join('/')}`), NOT_FOUND)
    assert.equal(paths.find('POST', '/about/us'), null)
    assert.equal(paths.find('PUT', '/about/us'), null)
    assert.equal(paths.find('GET', '/about/us/'), null)
  })

  it('each method of HTTP has an answer of its own', () => {
    const methods = METHODS.filter((method) => method !== 'LINK')
    const paths = new StaticPaths()
    const answers = methods.map((method) => ({ kind: 'redirect', location: `/${method}` }) as const)
    for (const [index, method] of methods.entries()) paths.add(method, '/a', answers[index] ?? NOT_FOUND)

    const found = methods.map((method) => paths.find(method, '/a'))
    for (const [index, match] of found.entries()) if (match !== null) assert.equal(match, answers[index])
    for (const [index, method] of methods.entries()) {
      const own = new StaticPaths()
      own.add(method, '/a', answers[index] ?? NOT_FOUND)
      assert.equal(own.find(method, '/a'), answers[index])
    }
  })

  it('a path of the same length that differs in one character is another path', () => {
    const known = '/reports/yearly'
    const paths = new StaticPaths()
    paths.add('GET', known, NOT_FOUND)

    for (let at = 0; at < known.length; at++) {
      const other = `${known.slice(0, at)}~${known.slice(at + 1)}`
      assert.equal(paths.find('GET', other), null, other)
    }
  })

  it('none of many paths is mistaken for another, however alike they are', () => {
    const paths = new StaticPaths()
    const many = Array.from(
      { length: 1000 },
      (_, index) => `/pages/${String(index).padStart(4, '0')}/${'x'.repeat(20)}`,
    )
    const answers = many.map((_, index) => ({ kind: 'redirect', location: `/${index}` }) as const)
    for (const [index, path] of many.entries()) paths.add('GET', path, answers[index] ?? NOT_FOUND)

    for (const [index, path] of many.entries()) {
      const found = paths.find('GET', path)
      if (found !== null) assert.equal(found, answers[index])
    }
  })

  it('makes room for more paths, and forgets none that it had', () => {
    const paths = new StaticPaths()
    const words = 'about basket contact delivery events faq gallery history imprint jobs'.split(' ')
    for (const word of words) paths.add('GET', `/${word}`, NOT_FOUND)

    const known = words.filter((word) => paths.find('GET', `/${word}`) === NOT_FOUND)

    assert.ok(known.length >= 8, known.join())
  })

  it('methods that clients make up are not remembered', () => {
    const paths = new StaticPaths()
    paths.add('BREW', '/tea', NOT_FOUND)

    assert.equal(paths.find('BREW', '/tea'), null)
  })

  it('the second lookup of a path answers as the first one did, for every method [TABLE-18]', () => {
    const build = () =>
      router([
        module('root', {
          mount: '/',
          steps: [
            table((routes) => {
              routes.get('/', [PageController, 'index'])
              routes.get('/about', [PageController, 'other'])
              routes.post('/save', [PageController, 'save'])
              routes.delete('/{slug}', [PageController, 'edit'])
            }),
          ],
        }),
      ])
    const one = build()
    for (const method of METHODS) {
      for (const path of ['/', '/about', '/about/', '/save', '/other', '/About', '/%61bout']) {
        const first = one.match(method, path)
        assert.deepEqual(one.match(method, path), first, `${method} ${path}`)
        assert.deepEqual(build().match(method, path), first, `${method} ${path}`)
      }
    }
  })

  it('a route with arguments is made anew for each request', () => {
    const one = router([
      module('root', {
        mount: '/',
        steps: [
          table((routes) => {
            routes.get('/about', [PageController, 'other'])
            routes.delete('/{slug}', [PageController, 'edit'])
          }),
        ],
      }),
    ])
    const [first, second] = [one.match('DELETE', '/about'), one.match('DELETE', '/about')]

    assert.ok(first.kind === 'found' && second.kind === 'found')
    assert.deepEqual(first.route.args, ['about'])
    assert.notEqual(first.route, second.route)
    assert.equal(one.match('GET', '/about'), one.match('GET', '/about'))
  })
})
