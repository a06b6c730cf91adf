import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Controller, defineModule } from 'sallyport'
import { type Actions, type Resolver, RoutingException } from 'sallyport/routing'
import type { Answer } from './fixture/answer.ts'
import { exchange, parseAnswer } from './fixture/raw.ts'
import { BEARER, PROFILES, World } from './fixture/world.ts'

/** Asserts that a request is treated as the plain `/admin` of an anonymous browser, or refused. */
function assertGuardedOrNothing({ status, headers }: Answer, message: string): void {
  if (status === 302) assert.equal(headers.get('location'), '/login', message)
  else if (status === 308) assert.match(headers.get('location') ?? '', /^\/admin(?![^/])/, message)
  else assert.ok(status === 400 || status === 404, message)
}

function assertNothing({ status }: Answer, message: string): void {
  assert.ok(status === 400 || status === 404, message)
}

/** What a resolver and the convention would answer, if they were asked. */
class SaveController extends Controller {
  static readonly actions: Actions<SaveController> = { index: [], keep: [] }

  index(): string {
    return 'answered'
  }

  keep(): string {
    return 'kept'
  }
}

describe('abuse of paths', () => {
  it('an encoded letter decides like the plain one [A-001]', async (test) => {
    for (const profile of PROFILES) {
      const world = await World.create(test, { profile })
      for (const target of ['/%61dmin', '/%41dmin', '/adm%69n/users/1']) {
        await world.everywhere({ target }, (answer, message) => {
          assertGuardedOrNothing(answer, message)
          assert.deepEqual(world.trace.handlers, [], message)
        })
      }
    }
  })

  it('an encoded slash never splits and is decoded once [A-002]', async (test) => {
    const world = await World.create(test)
    for (const target of ['/api/items/a%2Fb', '/api/items/a%2fb']) {
      await world.everywhere({ target, headers: BEARER }, ({ status, body }, message) => {
        assert.equal(status, 200, message)
        assert.deepEqual(JSON.parse(body), { name: 'a/b' }, message)
        assert.deepEqual(world.trace.last?.values, ['a/b'], message)
      })
    }
    await world.everywhere({ target: '/api/items/a/b', headers: BEARER }, ({ status }, message) =>
      assert.equal(status, 404, message),
    )
  })

  it('nothing is decoded twice [A-003]', async (test) => {
    const world = await World.create(test)
    for (const target of ['/%2561dmin', '/%252e%252e/admin']) {
      await world.everywhere({ target }, (answer, message) => {
        assertNothing(answer, message)
        assert.deepEqual(world.trace.handlers, [], message)
      })
    }
    await world.everywhere({ target: '/api/items/%252F', headers: BEARER }, ({ body }, message) =>
      assert.deepEqual(JSON.parse(body), { name: '%2F' }, message),
    )
  })

  it('a malformed escape is refused with the normal page [A-004]', async (test) => {
    const world = await World.create(test)
    const targets = [
      '/account/%',
      '/%zz',
      '/%c0%af',
      '/shop/cart/add/%E0%80',
      '/api/items/%',
      '/api/items/%ff',
    ]
    for (const target of targets) {
      await world.everywhere({ target, headers: BEARER }, (answer, message) => {
        assertNothing(answer, message)
        assert.match(answer.headers.get('content-type') ?? '', /^text\/html/, message)
        assert.match(answer.body, /<h1>/, message)
        assert.deepEqual(world.trace.handlers, [], message)
      })
    }
  })

  it('guard and dispatcher agree on dot segments [A-005]', async (test) => {
    const world = await World.create(test)
    for (const target of [
      '/shop/../admin',
      '/shop/%2e%2e/admin',
      '/shop/%2E./admin',
      '/./admin',
      '/shop/..%2fadmin',
    ]) {
      await world.everywhere({ target }, (answer, message) => {
        assertGuardedOrNothing(answer, message)
        assert.deepEqual(world.trace.handlers, [], message)
      })
    }
  })

  it('no handler sees a NUL [A-006]', async (test) => {
    const world = await World.create(test)
    for (const target of ['/admin%00', '/admin%00/x', '/api/items/a%00b', '/shop/cart/add/%00']) {
      await world.everywhere({ target, headers: BEARER }, (answer, message) => {
        assertNothing(answer, message)
        assert.deepEqual(world.trace.handlers, [], message)
      })
    }
  })

  it('empty segments reach no handler [A-007]', async (test) => {
    const world = await World.create(test)
    const bob = await world.loggedIn('bob')
    world.trace.clear()
    for (const target of ['//admin', '/admin//users/1', '//shop//cart//', '/account//']) {
      for (const cookie of ['', `__Host-sid=${bob.sessionId ?? ''}`]) {
        await world.everywhere({ target, headers: { cookie } }, (answer, message) => {
          if (answer.status !== 308) assertNothing(answer, message)
          assert.deepEqual(world.trace.handlers, [], message)
        })
      }
    }
  })

  it('a backslash separates nothing [A-008]', async (test) => {
    const world = await World.create(test)
    for (const target of ['/\\admin', '/admin\\users\\1', '/admin%5cusers%5c1']) {
      const answer = await world.raw({ target })
      assertNothing(answer, `${target} ${answer.status}`)
      assert.deepEqual(world.trace.handlers, [])
    }
    // The platform's Request makes slashes of backslashes, so in process only the encoded form is there to see.
    assertNothing(await world.fetch({ target: '/admin%5cusers%5c1' }), 'encoded backslash')
    assert.deepEqual(world.trace.handlers, [])
  })

  it('path parameters are part of the segment [A-009]', async (test) => {
    const world = await World.create(test)
    for (const target of ['/admin;x=1/users/1', '/admin;/users/1', '/shop/..;/admin', '/admin%3b/users/1']) {
      await world.everywhere({ target }, (answer, message) => {
        assertNothing(answer, message)
        assert.deepEqual(world.trace.handlers, [], message)
      })
    }
  })

  it('HEAD is decided like GET [A-010]', async (test) => {
    const world = await World.create(test)
    const [bob, root] = [await world.loggedIn('bob'), await world.loggedIn('root')]
    const jars = { '': 302, [bob.sessionId ?? '']: 403, [root.sessionId ?? '']: 200 }
    for (const [id, expected] of Object.entries(jars)) {
      const headers = { cookie: id === '' ? '' : `__Host-sid=${id}` }
      for (const send of [world.fetch.bind(world), world.raw.bind(world)]) {
        const [get, head] = [
          await send({ target: '/admin/users/1', headers }),
          await send({ method: 'HEAD', target: '/admin/users/1', headers }),
        ]
        assert.deepEqual([head.status, get.status], [expected, expected])
        assert.equal(head.body, '')
        assert.deepEqual(stable(head), stable(get), `${expected} ${head.via}`)
      }
    }
  })

  it('headers of other servers have no effect [A-011]', async (test) => {
    const world = await World.create(test)
    const nested = Array.from({ length: 5 }, () => 'middleware').join(':')
    const tricks = {
      'x-middleware-subrequest': nested,
      'x-original-url': '/',
      'x-rewrite-url': '/login',
      'x-http-method': 'GET',
      'x-forwarded-prefix': '/login',
    }
    for (const send of [world.fetch.bind(world), world.raw.bind(world)]) {
      const plain = await send({ target: '/admin' })
      const tricked = await send({ target: '/admin', headers: tricks })
      assert.equal(plain.status, 302)
      assert.deepEqual(
        [tricked.status, tricked.body, stable(tricked)],
        [plain.status, plain.body, stable(plain)],
      )
    }
    assert.deepEqual(world.trace.handlers, [])
  })

  it('another method is a 405 that names the methods, and stays one [A-012]', async (test) => {
    const world = await World.create(test)
    await world.everywhere({ method: 'PATCH', target: '/login' }, ({ status, headers }, message) => {
      assert.equal(status, 405, message)
      assert.equal(headers.get('allow'), 'GET, HEAD, POST', message)
    })
    await world.everywhere({ method: 'PUT', target: '/' }, ({ status, headers }, message) => {
      assert.equal(status, 405, message)
      assert.equal(headers.get('allow'), 'GET, HEAD', message)
    })
    await world.everywhere({ method: 'DELETE', target: '/nope' }, ({ status }, message) =>
      assert.equal(status, 404, message),
    )
    assert.deepEqual(world.trace.handlers, [])
  })

  it('neither the convention nor a resolver turns a 405 into a 200 [A-012]', async (test) => {
    const asked: string[] = []
    const eager: Resolver = {
      resolve: (request) => {
        asked.push(request.segments.join('/'))
        return request.route(SaveController, 'index')
      },
    }
    const save = defineModule('Save', (module) =>
      module
        .controllers(SaveController)
        .routes((routes) => void routes.post('/save', [SaveController, 'keep']))
        .resolver(eager, { priority: 500 }),
    )
    const world = await World.create(test, { modules: [save] })
    await world.everywhere({ target: '/save/save' }, ({ status, headers }, message) => {
      assert.deepEqual([status, headers.get('allow')], [405, 'POST'], message)
    })
    assert.deepEqual(asked, [])
    assert.equal(
      (await world.fetch({ target: '/save/other' })).status,
      200,
      'the resolver answers what is free',
    )
  })

  it('only its table answers in a claim [A-013]', async (test) => {
    const world = await World.create(test)
    for (const [target, handler] of [
      ['/promo/index', 'promo.show'],
      ['/promo/cart/add/x', undefined],
      ['/promo/AB12', 'promo.show'],
    ] as const) {
      const answer = await world.fetch({ target })
      assert.equal(answer.status, handler === undefined ? 404 : 200, target)
      assert.deepEqual(world.trace.last?.handler, handler, target)
      world.trace.clear()
    }
  })

  it('a constraint applies to the whole value [A-014]', async (test) => {
    const world = await World.create(test, { userPattern: '\\d+|me' })
    const root = await world.loggedIn('root')
    for (const id of ['1x', 'xme', 'me2', 'x1', '1me', 'ME', '1%0a', 'me%0d'])
      assertNothing(await root.get(`/admin/users/${id}`), id)
    for (const id of ['1', '42', 'me'])
      assert.equal((await root.get(`/admin/users/${id}`)).body, `user ${id}`)
  })

  it('neither query nor body replaces a segment of the URL [A-015]', async (test) => {
    const world = await World.create(test)
    const root = await world.loggedIn('root')
    await root.get('/admin/users/1?id=2&users=3')
    assert.deepEqual(world.trace.last?.values, ['1'])
    await root.get('/admin')
    const answer = await root.post('/admin/users/1', { id: '2' })
    assert.equal(answer.body, 'saved 1')
  })

  it('a long path costs time in proportion to its length [A-016]', async (test) => {
    const world = await World.create(test)
    const shapes = { characters: (n: number) => `/${'a'.repeat(n)}`, segments: (n: number) => '/a'.repeat(n) }
    for (const [name, make] of Object.entries(shapes)) {
      const length = name === 'characters' ? 15_000 : 5000
      const answers = [await world.fetch({ target: make(length) }), await world.raw({ target: make(length) })]
      for (const answer of answers)
        assert.ok([400, 404, 414].includes(answer.status), `${name} ${answer.status}`)
      const router = world.fixture.app.router()
      const cost = (n: number): number => cpuMilliseconds(() => void router.match('GET', make(n)))
      const [one, two] = [cost(length), cost(2 * length)]
      test.diagnostic(
        `${name}: ${one.toFixed(3)} ms of CPU, ${(two / one).toFixed(2)} times at double length`,
      )
      assert.ok(one <= 5, `${name}: ${one} ms`)
      assert.ok(two <= 3.5 * one + 0.1, `${name}: ${two / one} times`)
    }
  })

  it('no value of another request appears [A-017]', async (test) => {
    const world = await World.create(test)
    const work = Array.from({ length: 2000 }, async (_, i) => {
      const isNamed = i % 3 !== 0
      const answer = await world.fetch({
        target: isNamed ? `/api/items/n${i}` : '/api/items/',
        headers: BEARER,
      })
      assert.deepEqual(JSON.parse(answer.body), isNamed ? { name: `n${i}` } : { items: [] })
    })
    await Promise.all(work)
  })

  it('every target gets a response [A-018]', async (test) => {
    const world = await World.create(test)
    const lines = [
      'GET ///',
      'GET //',
      'GET /?',
      'GET *',
      'OPTIONS *',
      'GET /#',
      'GET /%23',
      'GET http://evil.test/',
      'CONNECT a:1',
      'TRACE /',
    ]
    const { port } = await world.server()
    for (const line of lines) {
      const bytes = await exchange(port, `${line} HTTP/1.1\r\nHost: app.test\r\nConnection: close\r\n\r\n`)
      const answer = world.heard({ target: line }, parseAnswer(bytes))
      assert.ok(answer.status >= 200 && answer.status < 500, `${line}: ${answer.status}`)
      assert.ok(!bytes.includes('evil.test'), line)
    }
    assert.equal((await world.raw({ target: '/?' })).status, 200)
  })
})

describe('conflicts of declarations', () => {
  it('refusals and matches do not depend on the order [A-019]', async () => {
    const { compileInOrder, DECLARATIONS, COLLIDING } = await import('./fixture/declarations.ts')
    for (const pair of COLLIDING) {
      for (const order of [pair, pair.toReversed()]) {
        assert.throws(
          () => compileInOrder([...DECLARATIONS, ...order]),
          (error) =>
            error instanceof RoutingException && ['route-conflict', 'duplicate-name'].includes(error.code),
        )
      }
    }
    const paths = ['/a', '/a/1', '/a/me', '/a/x', '/b/1/c', '/feed.rss', '/z/any/thing', '/nothing']
    const expected = paths.map(compileInOrder(DECLARATIONS))
    assert.ok(expected.filter((match) => match === 'notFound').length <= 2)
    let seed = 19
    for (let round = 0; round < 100; round++) {
      const order = DECLARATIONS.map((declare) => {
        seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
        return { declare, rank: seed }
      })
      const shuffled = order.toSorted((one, other) => one.rank - other.rank).map(({ declare }) => declare)
      assert.deepEqual(paths.map(compileInOrder(shuffled)), expected)
    }
  })
})

function stable(answer: Answer): Record<string, string> {
  return Object.fromEntries(
    [...answer.headers].filter(([name]) => !['date', 'transfer-encoding'].includes(name)),
  )
}

// The clock of a thread ticks in milliseconds, so many calls are measured together.
function cpuMilliseconds(work: () => void): number {
  const calls = 300
  for (let i = 0; i < 20; i++) work()
  const before = process.threadCpuUsage()
  for (let i = 0; i < calls; i++) work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000 / calls
}
