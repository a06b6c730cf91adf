import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type Routes, TrailingSlash } from 'sallyport/routing'
import { ActionCatalog } from '../../../src/routing/declaration/action-catalog.ts'
import { LocaleSet } from '../../../src/routing/locale-set.ts'
import { LinearExpression } from '../../../src/routing/expression/linear-expression.ts'
import { Search } from '../../../src/routing/table/search.ts'
import { Spelling } from '../../../src/routing/spelling.ts'
import { Table } from '../../../src/routing/table/table.ts'
import { PageController, show } from '../fixture.ts'

// fast-check prints the seed of a failing run; this takes it back.
const GIVEN_SEED = process.env['FUZZ_SEED']
const REPLAY = GIVEN_SEED === undefined ? {} : { seed: Number(GIVEN_SEED) }

interface Found {
  readonly search: Search
  /** The route or refusal in short, `odd`, or `nothing`. */
  readonly answer: string
}

/** Looks paths up in a table, one search for all of them. */
function searching(declare: (routes: Routes) => void, isStrict = true): (request: string) => Found {
  const locales = new LocaleSet([])
  const table = new Table('table', [declare], {
    module: 'Site',
    controllers: [],
    middlewares: [],
    catalog: new ActionCatalog(),
    locales,
    spelling: new Spelling({ locales, localePrefixes: false, trailingSlash: TrailingSlash.Preserve }),
    isLocalized: false,
    segments: new Map(),
  })
  const search = new Search(isStrict)
  return (request) => {
    const space = request.indexOf(' /')
    const path = space === -1 ? request : request.slice(space + 1)
    search.begin(space === -1 ? 'GET' : request.slice(0, space), path)
    const found = search.findRoute(table.levels(null), path, 0) ?? search.refusal
    return { search, answer: search.isOdd ? 'odd' : found === null ? 'nothing' : show(found) }
  }
}

function shapes(routes: Routes): void {
  routes.get('/', [PageController, 'index'])
  routes.get('/about', [PageController, 'other'])
  routes.post('/about/us', [PageController, 'save'])
  routes.get('/show/{slug}', [PageController, 'show'])
  routes.get('/show/new', [PageController, 'other'])
  routes.get('/item/{id}', [PageController, 'item'])
  routes.get('/deep/{a}/x/{b}', [PageController, 'pair'])
  routes.get('/feed.{slug}', [PageController, 'show'])
  routes.get('/files/{path}', [PageController, 'files']).where('path', '.*')
  routes.get('/num/{slug}', [PageController, 'show']).where('slug', '[0-9]+')
}

describe('Search.findRoute()', () => {
  it('lets a constraint read nothing but its own segment', (t) => {
    const read = t.mock.method(LinearExpression.prototype, 'test')
    const find = searching((routes) => {
      routes.get('/{a}-{b}', [PageController, 'pair']).where('a', '[a-z]+').where('b', '[a-z]+')
      routes.get('/{a}-{b}/more', [PageController, 'pair']).where('a', '[a-z]+')
    })
    assert.match(find('/one-two').answer, /pair/)
    assert.equal(find('/one/two-three').answer, 'nothing')
    assert.equal(find(`/one/${'x'.repeat(1000)}-more/more`).answer, 'nothing')

    const texts = read.mock.calls.map(({ arguments: [text] }) => text)
    // Both routes are tried for the first path.
    assert.deepEqual(texts, ['one', 'two', 'one'])
  })

  it('takes decoded values as they are, which it leaves alone in a path as sent', () => {
    const [sent, decoded] = [searching(shapes), searching(shapes, false)]
    const answers: Record<string, string> = {
      '/show/%41': 'Site PageController.show("%41")',
      '/show/é': 'Site PageController.show("é")',
      '/show/a b': 'Site PageController.show("a b")',
      '/show/a\0b': 'Site PageController.show("a/b")',
      '/files/%/é': 'Site PageController.files("%", "é")',
      '/files/a\0b/c': 'Site PageController.files("a/b", "c")',
      '/deep/é/x/ü': 'Site PageController.pair("é", "ü")',
    }
    for (const [path, answer] of Object.entries(answers)) {
      assert.equal(decoded(path).answer, answer)
      assert.equal(sent(path).answer, 'odd', path)
    }
    assert.equal(sent('/about').answer, 'Site PageController.other()')
  })

  it('finds no value in an empty segment', () => {
    for (const find of [searching(shapes), searching(shapes, false)])
      for (const path of ['/show//', '/deep//x/b', '/deep/a/x//'])
        assert.equal(find(path).answer, 'odd', path)
  })

  it('begins anew with each path', () => {
    const find = searching(shapes)

    assert.equal(find('/show/%').answer, 'odd')
    assert.equal(find('/about/us').answer, '405 POST')
    assert.equal(find('/nothing').answer, 'nothing')
    assert.equal(find('/deep/a/x/b').answer, 'Site PageController.pair("a", "b")')
    assert.equal(find('/show/a').answer, 'Site PageController.show("a")')
    assert.equal(find('').answer, 'Site PageController.index()')
  })

  it('says whether a path without placeholders decided', () => {
    const find = searching(shapes)
    const isStatic = (request: string): boolean => find(request).search.isStatic

    for (const request of ['/', '/about', '/about/', '/show/new', 'POST /about/us', '/about/us'])
      assert.equal(isStatic(request), true, request)
    for (const request of [
      '/show/a',
      '/show/newer',
      'POST /show/a',
      '/files/a',
      '/nothing',
      '/show',
      '/num/1',
    ])
      assert.equal(isStatic(request), false, request)
  })

  it('lets a path with placeholders decide behind one without', () => {
    const find = searching((routes) => {
      routes.post('/a/new', [PageController, 'save'])
      routes.get('/a/{slug}', [PageController, 'show'])
    })

    assert.equal(find('/a/new').answer, 'Site PageController.show("new")')
    assert.equal(find('/a/new').search.isStatic, false)
    assert.equal(find('PUT /a/new').answer, '405 GET, HEAD, POST')
    assert.equal(find('PUT /a/new').search.isStatic, true)
    assert.equal(find('POST /a/new').search.isStatic, true)
  })
})

describe('Search.scanned', () => {
  it('is never beyond what is to be decoded, or is foreign', () => {
    const find = searching(shapes)
    const pieces = [
      'about',
      'us',
      'show',
      'deep',
      'x',
      'a',
      'b',
      'files',
      'num',
      '7',
      'feed.xml',
      'zz',
      'About',
    ]
    const odd = ['%41', 'é', 'a%', 'abou%74', 'show%2F', 'aboué', '\u007f']
    const segment = fc.constantFrom(...pieces, ...odd)
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 5 }), (segments) => {
        const path = `/${segments.join('/')}`

        const { search, answer } = find(path)

        if (answer === 'nothing') assert.doesNotMatch(path.slice(0, search.scanned), /[^&-~]/)
      }),
      { ...REPLAY, numRuns: 2000 },
    )
  })

  it('is the end of the path where it ends too early, and what was read where nothing goes on', () => {
    const find = searching(shapes)
    const scanned = (path: string): number => find(path).search.scanned

    assert.equal(scanned('/show'), 5)
    assert.equal(scanned('/deep/a'), 7)
    assert.equal(scanned('/about/them'), 6)
    assert.equal(scanned('/about/unknown'), 14)
    assert.equal(scanned('/about/unknown/x'), 14)
    assert.equal(scanned('/about/un%/x'), 6)
  })
})

describe('Search.isEscaped()', () => {
  it('looks at the rest of the path, a slash at its end left out', () => {
    const search = new Search(true)
    const isEscaped = (path: string, from = 0): boolean => {
      search.begin('GET', path)
      return search.isEscaped(path, from)
    }

    for (const path of ['/a', '/a/&~', '/', '']) assert.equal(isEscaped(path), false, path)
    for (const path of ['/%', '/a%41', '/a/%/b', '/é', '/\u007f', '/"'])
      assert.equal(isEscaped(path), true, path)
    assert.equal(isEscaped('/%a/b', 2), false)
    assert.equal(isEscaped('/%a/b', 1), true)
    assert.equal(isEscaped('/a%', 3), false)
  })
})
