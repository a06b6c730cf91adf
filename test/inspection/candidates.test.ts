import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { type Actions, param, type Routes } from 'sallyport/routing'

import { inspect, module, PageController, router, table } from '../routing/fixture.ts'

class Numbers {
  static readonly actions: Actions<Numbers> = { all: [param.rest(param.int('n'))] }
  all(..._n: number[]): void {}
}

/** What a table says of a URL in French: each route without its place in the source, and the reason. */
async function candidates(request: string, declare: (routes: Routes) => void): Promise<readonly string[]> {
  const [method = '', path = ''] = request.split(' ')
  const site = module('Site', { mount: '/', localized: true, convention: false, steps: [table(declare)] })
  const app = router([site], { locales: ['fr', 'en'], localePrefixes: true })
  const { steps } = await inspect(app).explain(method, `/fr${path}`)
  const [step] = steps.filter(({ kind }) => kind === 'table')
  return (step?.candidates ?? []).map(({ route, reason, isWinner }) => {
    return `${isWinner ? '→' : '·'} ${route.replace(/ \(\S+:\d+\)$/, '')}: ${reason}`
  })
}

/** Routes below a path, one for each letter. */
function letters(routes: Routes, below: string, many: number): void {
  for (const letter of 'abcdefghijkl'.slice(0, many))
    routes.get(`${below}/${letter}`, [PageController, 'index'])
}

describe('the candidates of an explanation', () => {
  it('tells which value is not of its type', async () => {
    const one = await candidates('GET /a-b', (routes) => {
      routes.get('/{id}', [PageController, 'item'])
      routes.get('/{value}/x', [PageController, 'measure'])
      routes.get('/{on}', [PageController, 'flag']).where('on', '[a-z]+')
      routes.get('/{from}-{to}', [PageController, 'range'])
    })
    const second = await candidates('GET /1/b', (routes) => {
      routes.get('/{from}/{to}', [PageController, 'range'])
      routes.get('/x/{id}', [PageController, 'item'])
      routes.get('/{a}/{b}', [PageController, 'pair']).where('b', '[0-9]+')
    })
    const first = await candidates('GET /a/2', (routes) => {
      routes.get('/{from}/{to}', [PageController, 'range'])
    })

    assert.deepEqual(one, [
      '· GET /{id}: "a-b" is not a valid int for "id"',
      '· GET /{value}/x: goes on where the URL ends',
      '· GET /{from}-{to}: a value does not fit its placeholder',
      '· GET /{on}: "a-b" does not match where("on", "[a-z]+")',
    ])
    assert.deepEqual(second, [
      '· GET /{from}/{to}: "b" is not a valid int for "to"',
      '· GET /{a}/{b}: "b" does not match where("b", "[0-9]+")',
      '· GET /x/{id}: "1" is not "x"',
    ])
    assert.deepEqual(first, ['· GET /{from}/{to}: "a" is not a valid int for "from"'])
  })

  it('tells that a value does not fit, where a path takes the rest of the URL', async () => {
    const lines = await candidates('GET /n/1/a', (routes) => {
      routes.get('/n/{n}', [Numbers, 'all']).where('n', '.*')
    })

    assert.deepEqual(lines, ['· GET /n/{n}: a value does not fit its placeholder'])
  })

  it('tells why a route that fits loses', async () => {
    const lines = await candidates('GET /abc', (routes) => {
      routes.get('/{slug}', [PageController, 'show']).where('slug', '[a-m]+')
      routes.get('/{slug}', [PageController, 'edit']).where('slug', '[a-z]+')
      routes.get('/abc', [PageController, 'index']).priority(-2)
    })

    assert.deepEqual(lines, [
      '→ GET /{slug}: wins',
      '· GET /{slug}: fits too, but is declared later',
      '· GET /abc: fits too, but has priority -2, the winner 0',
    ])
  })

  it('tells other methods and other locales', async () => {
    const lines = await candidates('GET /book', (routes) => {
      routes.get({ fr: '/livre', en: '/book' }, [PageController, 'index'])
      routes.map(['POST', 'PUT'], '/book', [PageController, 'save'])
    })

    assert.deepEqual(lines, [
      '· POST|PUT /book: answers POST, PUT, not GET',
      '· GET /livre: "book" is not "livre"',
      '· GET /book: is the path in en',
    ])
  })

  it('tells what is wrong with the rest of a path, and with a part of a segment', async () => {
    const rest = await candidates('GET /f/a/B', (routes) => {
      routes.get('/f/{path}', [PageController, 'file']).where('path', '[a-z/]+')
      routes.get('/g/{path}', [PageController, 'files']).where('path', '.*')
    })
    const part = await candidates('GET /f', (routes) => {
      routes.get('/f/{path}', [PageController, 'file']).where('path', '[a-z/]+')
      routes.get('/f.{slug}', [PageController, 'show'])
      routes.get('/{slug}.g', [PageController, 'edit'])
      routes.get('/f{slug}g', [PageController, 'edit'])
      routes.get('/e{slug}f', [PageController, 'edit'])
    })

    assert.deepEqual(rest, [
      '· GET /f/{path}: "a/B" does not match where("path", "[a-z/]+")',
      '· GET /g/{path}: "f" is not "g"',
    ])
    assert.deepEqual(part, [
      '· GET /f/{path}: goes on where the URL ends',
      '· GET /f.{slug}: "f" does not have the text around {slug}',
      '· GET /{slug}.g: "f" does not have the text around {slug}',
      '· GET /f{slug}g: "f" does not have the text around {slug}',
      '· GET /e{slug}f: "f" does not have the text around {slug}',
    ])
  })

  it('looks for the text before a placeholder at the beginning, and for the one behind it at the end', async () => {
    const lines = await candidates('GET /xf.', (routes) => {
      routes.get('/f.{slug}', [PageController, 'show'])
      routes.get('/{slug}xf', [PageController, 'edit'])
    })

    assert.deepEqual(lines, [
      '· GET /f.{slug}: "xf." does not have the text around {slug}',
      '· GET /{slug}xf: "xf." does not have the text around {slug}',
    ])
  })

  it('shows routes that are far away only of a small table', async () => {
    const small = await candidates('GET /z', (routes) => letters(routes, '', 8))
    const large = await candidates('GET /z', (routes) => letters(routes, '', 9))

    assert.deepEqual(
      small,
      Array.from('abcdefgh', (letter) => `· GET /${letter}: "z" is not "${letter}"`),
    )
    assert.deepEqual(large, ['· 9 more: further from the URL'])
  })

  it('shows the eight nearest beside the winner, in the order of declaration, and counts the others', async () => {
    const eight = Array.from('abcdefgh', (letter) => `· GET /x/${letter}: "z" is not "${letter}"`)

    const none = await candidates('GET /x/z', (routes) => {
      routes.get('/y', [PageController, 'index'])
      letters(routes, '/x', 9)
    })
    const found = await candidates('GET /x/z', (routes) => {
      letters(routes, '/x', 10)
      routes.get('/x/{slug}', [PageController, 'show'])
    })

    assert.deepEqual(none, [...eight, '· 2 more: further from the URL'])
    assert.deepEqual(found, ['→ GET /x/{slug}: wins', ...eight, '· 2 more: further from the URL'])
  })

  it('shows the nearer one first, whatever was declared first', async () => {
    const lines = await candidates('GET /x/y/z', (routes) => {
      routes.get('/a', [PageController, 'index'])
      routes.get('/x/b', [PageController, 'index'])
      routes.get('/x/y/c', [PageController, 'index'])
      routes.get('/x', [PageController, 'index'])
    })

    assert.deepEqual(lines, [
      '· GET /x/y/c: "z" is not "c"',
      '· GET /x/b: "y" is not "b"',
      '· GET /x: ends where the URL goes on with "/y"',
      '· GET /a: "x" is not "a"',
    ])
  })
})
