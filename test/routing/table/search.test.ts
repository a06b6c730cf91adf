import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Routes } from 'sallyport/routing'
import { ActionCatalog } from '../../../src/routing/declaration/action-catalog.ts'
import { LinearExpression } from '../../../src/routing/expression/linear-expression.ts'
import { Search } from '../../../src/routing/table/search.ts'
import { Spelling } from '../../../src/routing/spelling.ts'
import { Table } from '../../../src/routing/table/table.ts'
import { PageController, show } from '../fixture.ts'

/** Looks paths up in a table, one search for all of them: the route or refusal in short, `odd`, or `nothing`. */
function searching(declare: (routes: Routes) => void, isStrict = true): (request: string) => string {
  const table = new Table('table', [declare], {
    module: {
      name: 'Site',
      segment: 'site',
      localized: false,
      convention: false,
      controllers: [],
      middlewares: [],
      steps: [],
    },
    catalog: new ActionCatalog(),
    spelling: new Spelling({}),
    segments: new Map(),
    place: { entries: [] },
  })
  const search = new Search(isStrict)
  return (request) => {
    const space = request.indexOf(' /')
    const path = space === -1 ? request : request.slice(space + 1)
    search.begin(space === -1 ? 'GET' : request.slice(0, space), path)
    const found = search.findRoute(table.levels(null), path, 0) ?? search.refusal
    return search.needsDecoding ? 'odd' : found === null ? 'nothing' : show(found)
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
    assert.match(find('/one-two'), /pair/)
    assert.equal(find('/one/two-three'), 'nothing')
    assert.equal(find(`/one/${'x'.repeat(1000)}-more/more`), 'nothing')

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
      assert.equal(decoded(path), answer)
      assert.equal(sent(path), 'odd', path)
    }
    assert.equal(sent('/about'), 'Site PageController.other()')
  })

  it('finds no value in an empty segment', () => {
    for (const find of [searching(shapes), searching(shapes, false)])
      for (const path of ['/show//', '/deep//x/b', '/deep/a/x//']) assert.equal(find(path), 'odd', path)
  })

  it('begins anew with each path', () => {
    const find = searching(shapes)

    assert.equal(find('/show/%'), 'odd')
    assert.equal(find('/about/us'), '405 POST')
    assert.equal(find('/nothing'), 'nothing')
    assert.equal(find('/deep/a/x/b'), 'Site PageController.pair("a", "b")')
    assert.equal(find('/show/a'), 'Site PageController.show("a")')
    assert.equal(find(''), 'Site PageController.index()')
  })

  it('lets a path with placeholders decide behind one without', () => {
    const find = searching((routes) => {
      routes.post('/a/new', [PageController, 'save'])
      routes.get('/a/{slug}', [PageController, 'show'])
    })

    assert.equal(find('/a/new'), 'Site PageController.show("new")')
    assert.equal(find('PUT /a/new'), '405 GET, HEAD, POST')
  })

  it('answers HEAD by the GET route of the better path before a HEAD route of another [TABLE-17]', () => {
    const find = searching((routes) => {
      routes.head('/a/{slug}', [PageController, 'edit'])
      routes.get('/a/new', [PageController, 'other'])
    })

    assert.equal(find('HEAD /a/new'), 'Site PageController.other()')
    assert.equal(find('HEAD /a/old'), 'Site PageController.edit("old")')
  })

  it('takes the first of several placeholders for the rest whose expressions and types fit [TABLE-09]', () => {
    const steps = [
      (routes: Routes) => routes.get('/{slug}', [PageController, 'show']).where('slug', 'a[a-z/]*'),
      (routes: Routes) => routes.get('/{path}', [PageController, 'file']).where('path', '[a-z/]*b'),
      (routes: Routes) => routes.get('/{id}', [PageController, 'item']).where('id', '[a-z/]*'),
    ] as const
    const [one, other, last] = steps

    for (const [order, found] of [
      [[one, other, last], 'show'],
      [[last, one, other], 'show'],
      [[other, one, last], 'file'],
      [[other, last, one], 'file'],
    ] as const) {
      const find = searching((routes) => order.forEach((declare) => declare(routes)))
      assert.equal(find('/a/x/b'), `Site PageController.${found}("a/x/b")`)
      assert.equal(find('/a/x'), 'Site PageController.show("a/x")')
      assert.equal(find('/x/b'), 'Site PageController.file("x/b")')
    }
  })
})
