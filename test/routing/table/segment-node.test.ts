import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Actions, param, type RouteRequest } from 'sallyport/routing'
import { ask, fails, PageController, resolver, router, module, site, table } from '../fixture.ts'

class EitherController {
  static readonly actions: Actions<EitherController> = {
    either: [param.string('id').optional(), param.string('slug').optional()],
  }
  either(_id?: string, _slug?: string): void {}
}

describe('RouteTree', () => {
  it('placeholder values reach the action [TABLE-05]', () => {
    const app = site((r) => r.get('/a/{a}/b/{b}', [PageController, 'pair']))

    assert.equal(ask(app, '/a/x/b/y'), 'Site PageController.pair("x", "y")')
  })

  it('a placeholder takes one present segment as it is, and a default has no part in it [TABLE-30 TABLE-11]', () => {
    const app = site((r) => r.get('/a/{slug}', [PageController, 'show']).default('slug', 'x'))

    assert.equal(ask(app, '/a/X~y'), 'Site PageController.show("X~y")')
    for (const path of ['/a', '/a/', '/a//', '/a/x/y', '/a/.', '/a/..']) assert.equal(ask(app, path), '404')
  })

  it('a constraint holds for the whole value [TABLE-09]', () => {
    const app = site((r) => r.get('/users/{slug}', [PageController, 'show']).where('slug', '\\d+|me'))

    assert.equal(ask(app, '/users/12'), 'Site PageController.show("12")')
    assert.equal(ask(app, '/users/me'), 'Site PageController.show("me")')
    for (const value of ['1x', 'xme', 'me2', 'x1', '1%0a'])
      assert.notEqual(ask(app, `/users/${value}`).slice(0, 4), 'Site')
  })

  it('a GET route answers HEAD too [TABLE-17]', () => {
    const app = site((r) => r.get('/a', [PageController, 'index']))

    assert.equal(ask(app, 'HEAD /a'), 'Site PageController.index()')
  })

  it('a route that declares HEAD wins HEAD, in either order and at any priority [TABLE-18]', () => {
    for (const [first, second] of [
      ['GET', 'HEAD'],
      ['HEAD', 'GET'],
    ] as const) {
      for (const priority of [-1, 0, 1]) {
        const app = site((r) => {
          for (const method of [first, second]) {
            const action = method === 'GET' ? 'index' : 'other'
            r.map([method], '/a', [PageController, action]).priority(method === 'GET' ? priority : 0)
          }
        })
        assert.equal(ask(app, 'HEAD /a'), 'Site PageController.other()')
        assert.equal(ask(app, 'GET /a'), 'Site PageController.index()')
      }
    }
  })

  it('a GET route answers HEAD where the route that declares HEAD does not take its value [TABLE-17]', () => {
    for (const [get, head] of [
      [0, 0],
      [1, 0],
      [0, 1],
    ] as const) {
      const app = site((r) => {
        r.get('/{slug}', [PageController, 'show']).priority(get)
        r.map(['HEAD'], '/{id}', [PageController, 'item']).priority(head)
        r.post('/{slug}/x', [PageController, 'edit'])
      })

      assert.equal(ask(app, 'HEAD /5'), 'Site PageController.item(5)')
      assert.equal(ask(app, 'HEAD /abc'), 'Site PageController.show("abc")')
      assert.equal(ask(app, 'HEAD /%61bc'), 'Site PageController.show("abc")')
      assert.equal(ask(app, 'POST /abc'), '405 GET, HEAD')
      assert.equal(ask(app, 'HEAD /abc/x'), '405 POST')
    }
  })

  it('a path known for other methods only is a 405, HEAD named beside GET [TABLE-19 TABLE-28]', () => {
    const app = site((r) => {
      r.get('/a', [PageController, 'index'])
      r.post('/a', [PageController, 'save'])
      r.delete('/{slug}', [PageController, 'edit'])
    })

    assert.equal(ask(app, 'PUT /a'), '405 DELETE, GET, HEAD, POST')
    assert.equal(ask(app, 'DELETE /a'), 'Site PageController.edit("a")')
    assert.equal(ask(app, 'GET /b'), '405 DELETE')
    assert.equal(ask(app, 'HEAD /b'), '405 DELETE')
  })

  it('neither a resolver nor the convention turns a 405 of the table into a route [TABLE-29]', () => {
    const anything = { resolve: (request: RouteRequest) => request.route(PageController, 'other') }
    const steps = [table((r) => r.post('/page', [PageController, 'save'])), resolver(anything)]
    const app = router([module('Site', { mount: '/', steps, controllers: [PageController] })])

    assert.equal(ask(app, 'GET /page'), '405 POST')
    assert.equal(ask(app, 'GET /else'), 'Site PageController.other()')
  })

  it('takes the first declared of equally specific paths, whatever constraints they share', () => {
    const app = site((r) => {
      const pair = [PageController, 'pair'] as const
      r.get('/{a}/{b}', pair).where('a', '[a-z]+').where('b', '[a-z]+').name('first')
      r.get('/{a}/{b}', pair).where('a', '[a-y]+').where('b', '[a-z]+').name('second')
      r.get('/{a}/{b}', pair).where('a', '[a-z]+').where('b', '[a-y]+').name('third')
    })

    const match = app.match('GET', '/k/k')
    assert.equal(match.kind === 'found' && match.route.name, 'first')
  })

  it('takes the first declared of the paths that take the rest, whatever answers other methods', () => {
    const app = site((r) => {
      r.post('/a/{path}', [PageController, 'files']).where('path', '.*')
      r.get('/a/{path}', [PageController, 'file']).where('path', '[a-z/]+')
      r.get('/a/{path}', [PageController, 'files']).where('path', '.*')
    })

    assert.equal(ask(app, '/a/x/y'), 'Site PageController.file("x/y")')
    assert.equal(ask(app, '/a/X/y'), 'Site PageController.files("X", "y")')
  })

  it('tries the more specific path first: literal, constrained, free, rest, segment by segment', () => {
    const app = site((r) => {
      r.get('/{path}', [PageController, 'file']).where('path', '.+')
      r.get('/u/{slug}', [PageController, 'show'])
      r.get('/u/{id}', [PageController, 'item']).where('id', '[0-9]+')
      r.get('/u/me', [PageController, 'index'])
      r.get('/{a}/me/{b}', [PageController, 'pair'])
      r.get('/{slug}/me/x', [PageController, 'edit'])
    })

    assert.equal(ask(app, '/u/me'), 'Site PageController.index()')
    assert.equal(ask(app, '/u/7'), 'Site PageController.item(7)')
    assert.equal(ask(app, '/u/x'), 'Site PageController.show("x")')
    assert.equal(ask(app, '/u/x/y'), 'Site PageController.file("u/x/y")')
    assert.equal(ask(app, '/u/me/x'), 'Site PageController.edit("u")')
    assert.equal(ask(app, '/u/me/y'), 'Site PageController.pair("u", "y")')
  })

  it('among equally specific segments lets those behind decide, then the order of declaration', () => {
    const app = site((r) => {
      r.get('/{a}/{b}', [PageController, 'pair']).where('a', '\\d+')
      r.get('/{slug}/new', [PageController, 'show']).where('slug', '[0-9]+')
      r.get('/{b}/{a}', [PageController, 'pair']).where('b', '[0-9]{1,9}')
    })
    assert.equal(ask(app, '/5/new'), 'Site PageController.show("5")')
    assert.equal(ask(app, '/5/old'), 'Site PageController.pair("5", "old")')
    assert.equal(ask(app, 'POST /5/new'), '405 GET, HEAD')
  })

  it('lets a constraint behind decide, whatever is declared first', () => {
    const app = site((r) => {
      r.get('/{a}/{b}', [PageController, 'pair']).where('a', '[0-9]+')
      r.get('/{id}/{slug}', [EitherController, 'either']).where('id', '[0-9]{1,9}').where('slug', '[a-z]+')
    })

    assert.equal(ask(app, '/5/new'), 'Site EitherController.either("5", "new")')
    assert.equal(ask(app, '/5/7'), 'Site PageController.pair("5", "7")')
  })

  it('skips a candidate whose typed argument does not fit', () => {
    const app = site((r) => {
      r.get('/{id}', [PageController, 'item']).priority(1)
      r.get('/{slug}', [PageController, 'show'])
      r.get('/m/{value}', [PageController, 'measure'])
      r.post('/m/{on}', [PageController, 'flag'])
    })

    assert.equal(ask(app, '/5'), 'Site PageController.item(5)')
    assert.equal(ask(app, '/05'), 'Site PageController.show("05")')
    assert.equal(ask(app, '/m/1.5e3'), 'Site PageController.measure(1500)')
    assert.equal(ask(app, '/m/x'), '404')
    assert.equal(ask(app, 'POST /m/true'), 'Site PageController.flag(true)')
    assert.equal(ask(app, 'POST /m/7'), '405 GET, HEAD')
    assert.equal(ask(app, 'POST /m/yes'), '404')
  })

  it('tries a higher priority before a more specific path', () => {
    const app = site((r) => {
      r.get('/users/me', [PageController, 'index'])
      r.get('/users/{slug}', [PageController, 'show']).priority(10)
    })

    assert.equal(ask(app, '/users/me'), 'Site PageController.show("me")')
    assert.equal(ask(app, 'POST /users/me'), '405 GET, HEAD')
  })

  it('matches parts of a segment, the shortest text before what follows', () => {
    const app = site((r) => {
      r.get('/feed.{slug}', [PageController, 'show'])
      r.get('/{a}-to-{b}', [PageController, 'pair'])
      r.get('/v{id}.json', [PageController, 'item'])
    })

    assert.equal(ask(app, '/feed.xml'), 'Site PageController.show("xml")')
    assert.equal(ask(app, '/feed.'), '404')
    assert.equal(ask(app, '/a-to-b-to-c'), 'Site PageController.pair("a", "b-to-c")')
    assert.equal(ask(app, '/-to-b'), '404')
    assert.equal(ask(app, '/v7.json'), 'Site PageController.item(7)')
    assert.equal(ask(app, '/v.json'), '404')
    assert.equal(ask(app, '/vx.json'), '404')
  })

  it('lets the last placeholder take the rest of the path', () => {
    const app = site((r) => {
      r.get('/files/{path}', [PageController, 'files']).where('path', '.*')
      r.get('/docs/{path}', [PageController, 'file']).where('path', '[a-z]+/[a-z]+|index')
      r.get('/one/{path}', [PageController, 'file']).where('path', '[^/]+')
    })

    assert.equal(ask(app, '/files/a/b%2Fc/d'), 'Site PageController.files("a", "b/c", "d")')
    assert.equal(ask(app, '/files/a/'), 'Site PageController.files("a")')
    for (const path of ['/files', '/files/', '/files//', '/files/a//b', '/files/a/../b', '/files/./b']) {
      assert.equal(ask(app, path), '404')
    }
    assert.equal(ask(app, '/docs/a/b'), 'Site PageController.file("a/b")')
    assert.equal(ask(app, '/docs/index'), 'Site PageController.file("index")')
    assert.equal(ask(app, '/docs/a/b/c'), '404')
    assert.equal(ask(app, '/one/a'), 'Site PageController.file("a")')
    assert.equal(ask(app, '/one/a/b'), '404')
  })

  for (const [source, taken, refused] of [
    ['x[^/]+', '/xa', '/a'],
    ['[^/]+x', '/ax', '/a'],
    ['[^/]', '/a', '/ab'],
    ['[^/]+|', '/a', '/a/b'],
    ['^[^/]+x$', '/ax', '/xa'],
  ] as const) {
    it(`takes ${source} for a constraint [HOLD-38]`, () => {
      const app = site((r) => r.get('/{slug}', [PageController, 'show']).where('slug', source))

      assert.equal(ask(app, taken), `Site PageController.show("${taken.slice(1)}")`)
      assert.equal(ask(app, refused), '404')
    })
  }

  for (const source of ['[^/]+', String.raw`[^\/]+`, '^[^/]+$', /[^/]+/]) {
    it(`takes ${String(source)} for no constraint [HOLD-38]`, () => {
      const app = site((r) => {
        r.get('/{slug}', [PageController, 'show']).where('slug', source)
        r.get('/x{slug}', [PageController, 'edit'])
      })
      assert.equal(ask(app, '/a%2Fb'), 'Site PageController.show("a/b")')
      assert.equal(ask(app, '/a/b'), '404')
      // A free placeholder is tried last, and one that is constrained before it.
      assert.equal(ask(app, '/xa'), 'Site PageController.edit("a")')

      const twice = site((r) => {
        r.get('/{slug}', [PageController, 'show']).where('slug', source)
        r.get('/{path}', [PageController, 'file'])
      })
      assert.throws(() => ask(twice, '/a'), fails('route-conflict'))
      assert.throws(
        () =>
          ask(
            site((r) => r.get('/a', [PageController, 'index']).where('slug', source)),
            '/a',
          ),
        fails('invalid-pattern', 'slug'),
      )
    })
  }

  it('is case-sensitive in literals and values', () => {
    const app = site((r) => r.get('/About/{slug}', [PageController, 'show']))

    assert.equal(ask(app, '/About/X'), 'Site PageController.show("X")')
    assert.equal(ask(app, '/about/X'), '404')
  })

  it('decodes literals and values once', () => {
    const app = site((r) => r.get('/café au lait/{slug}', [PageController, 'show']))

    assert.equal(ask(app, '/caf%C3%A9%20au%20lait/%E2%98%95'), 'Site PageController.show("☕")')
    assert.equal(ask(app, '/caf%c3%a9%20au%20lait/%252F'), 'Site PageController.show("%2F")')
    assert.equal(ask(app, '/caf%C3%A9%20au%20lait/a%2fb'), 'Site PageController.show("a/b")')
  })

  it('matches as deep as the table is, and no deeper', () => {
    const deep = '/x'.repeat(3000)
    const app = site((r) => {
      r.get(deep, [PageController, 'index'])
      r.get('/x/{slug}', [PageController, 'show'])
    })

    assert.equal(ask(app, deep), 'Site PageController.index()')
    assert.equal(ask(app, `${deep}/x`), '404')
    assert.equal(ask(app, '/x'.repeat(5000)), '404')
  })
})
