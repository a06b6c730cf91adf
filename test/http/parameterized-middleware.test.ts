import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { App, Controller, defineModule, type HttpContext, inject, Secret, under } from 'sallyport'
import { ForbiddenException, type Next, ParameterizedMiddleware } from 'sallyport/http'
import { BasicAccessMiddleware } from 'sallyport/middleware'
import { TestClient } from 'sallyport/testing'
import { browser, site } from '../app/fixture.ts'

class RequirePermission extends ParameterizedMiddleware {
  readonly #permission: string

  constructor(permission: string) {
    super()
    if (permission === '') throw new RangeError('Cannot require an empty permission')
    this.#permission = permission
  }

  process(context: HttpContext, next: Next): Promise<Response> {
    if (!context.auth().allows(this.#permission)) throw new ForbiddenException()
    return next()
  }
}

/** Stands for the middleware that knows who is there. */
class SignIn extends ParameterizedMiddleware {
  readonly #permissions: readonly string[]

  constructor(options: { readonly permissions: readonly string[] }) {
    super()
    this.#permissions = options.permissions
  }

  process(context: HttpContext, next: Next): Promise<Response> {
    context.auth().authenticate({}, this.#permissions)
    return next()
  }
}

class Prefixes {
  readonly text: string = '> '
}

/** Adds a line to a header, with a service and an argument. */
class Mark extends ParameterizedMiddleware {
  readonly #prefixes = inject(Prefixes)
  readonly #name: string
  readonly #times: number

  constructor(name: string, times = 1) {
    super()
    this.#name = name
    this.#times = times
  }

  async process(_context: HttpContext, next: Next): Promise<Response> {
    const response = await next()
    response.headers.append('x-mark', this.#prefixes.text + this.#name.repeat(this.#times))
    return response
  }
}

class Anything extends ParameterizedMiddleware {
  constructor(..._values: readonly unknown[]) {
    super()
  }

  process(_context: HttpContext, next: Next): Promise<Response> {
    return next()
  }
}

class PageController extends Controller {
  static readonly actions = { index: [], entered: [] }

  index() {}

  entered() {
    return this.context.middlewares()
  }
}

const reader = SignIn.of({ permissions: ['reports.read'] })

describe('ParameterizedMiddleware.of()', () => {
  it('takes arguments where a module, a group and a route declare a middleware [PAGE-17]', async () => {
    const reports = defineModule('Reports', (module) =>
      module.middleware(reader, RequirePermission.of('reports.read')).routes((routes) => {
        routes.get('/', [PageController, 'index'])
        routes.delete('/', [PageController, 'index']).middleware(RequirePermission.of('reports.write'))
        routes
          .prefix('/all')
          .middleware(RequirePermission.of('reports.all'))
          .group((all) => all.get('/', [PageController, 'index']))
      }),
    )
    const client = new TestClient(App.create().modules(reports))

    assert.equal((await client.get('/reports')).status, 204)
    assert.equal((await client.request('DELETE', '/reports')).status, 403)
    assert.equal((await client.get('/reports/all')).status, 403)
  })

  it('runs one with the same arguments once, at its outermost place [PAGE-17]', async () => {
    const pages = defineModule('Pages', (module) =>
      module.middleware(Mark.of('a'), Mark.of('b')).routes((routes) => {
        routes
          .middleware(Mark.of('c'), Mark.of('a'))
          .group((group) =>
            group
              .get('/', [PageController, 'entered'])
              .middleware(Mark.of('b'), Mark.of('b', 2), Mark.of('c')),
          )
      }),
    )

    const response = await new TestClient(App.create().modules(pages)).get('/pages')

    assert.equal(response.headers.get('x-mark'), '> bb, > c, > b, > a')
    assert.deepEqual(await response.json(), [
      'Mark.of("a")',
      'Mark.of("b")',
      'Mark.of("c")',
      'Mark.of("b", 2)',
    ])
  })

  it('takes equal values for the same argument, and anything that can hide a difference for another [PAGE-17]', () => {
    const alike: [unknown, unknown][] = [
      [
        { a: 1, b: [{ c: null }] },
        { b: [{ c: null }], a: 1 },
      ],
      [new Date(5), new Date(5)],
      [/a/g, /a/g],
      [new URL('https://app.test'), new URL('https://app.test/')],
      [Number.NaN, Number.NaN],
      [undefined, undefined],
    ]
    const different: [unknown, unknown][] = [
      [{ a: 1 }, { a: 1, b: undefined }],
      [{ a: undefined }, { b: undefined }],
      [['a'], { 0: 'a' }],
      ['1', 1],
      [0, -0],
      [new Date(5), new Date(6)],
      [new Date(5), '1970-01-01T00:00:00.005Z'],
      [/a/g, /a/],
      // Private members do not show.
      [new Secret('one'), new Secret('two')],
      [() => true, () => true],
      [new Set(['a']), new Set(['b'])],
      [{ [Symbol.for('a')]: 1 }, { [Symbol.for('a')]: 2 }],
    ]

    for (const [one, other] of alike) assert.equal(Anything.of(one), Anything.of(other))
    for (const [one, other] of different) assert.notEqual(Anything.of(one), Anything.of(other))
    assert.notEqual(Anything.of('a'), Anything.of('a', undefined))
    const shared = new Secret('one')
    assert.equal(Anything.of(shared), Anything.of(shared))
    assert.notEqual(Mark.of('a'), RequirePermission.of('a'))
  })

  it('keeps the arguments as they were declared [PAGE-17]', async () => {
    const permissions = ['reports.read']
    const declared = SignIn.of({ permissions })
    permissions.push('reports.write')
    const client = browser(
      { 'GET /': () => null },
      { middlewares: [declared, RequirePermission.of('reports.write')] },
    )

    assert.equal((await client.get('/')).status, 403)
    assert.notEqual(SignIn.of({ permissions }), declared)
  })

  it('is attached to a band, with a condition, and reported as entered [PAGE-17]', async () => {
    const app = site({
      'GET /ops/load': (context) => [
        context.hasMiddleware(Mark.of('ops')),
        context.hasMiddleware(Mark.of('x')),
      ],
      'GET /': (context) => [context.hasMiddleware(Mark.of('ops'))],
    })
    app.middleware().incoming(Mark.of('ops'), { when: under('/ops') })
    const client = new TestClient(app)

    assert.deepEqual(await (await client.get('/ops/load')).json(), [true, false])
    assert.deepEqual(await (await client.get('/')).json(), [false])
  })

  it('builds one instance for each application, with the services of that application [PAGE-17]', async () => {
    const marked = Mark.of('a')
    const other = site({ 'GET /': () => null }, { middlewares: [marked] })
    other.configure((definitions) => definitions.set(Prefixes, { text: '# ' }))

    const first = await browser({ 'GET /': () => null }, { middlewares: [marked] }).get('/')
    const second = await new TestClient(other).get('/')

    assert.equal(first.headers.get('x-mark'), '> a')
    assert.equal(second.headers.get('x-mark'), '# a')
  })

  it('names class and arguments when one cannot be built, wherever it is declared [PAGE-17]', async () => {
    const bad = RequirePermission.of('')
    const message = /RequirePermission\.of\(""\)/
    const ofBand = site({ 'GET /': () => null })
    ofBand.middleware().incoming(bad)
    const ofRoute = defineModule('Reports', (module) =>
      module.routes((routes) => {
        routes.get('/', [PageController, 'index']).middleware(bad)
      }),
    )

    await assert.rejects(site({}, { middlewares: [bad] }).boot(), { name: 'RangeError', message })
    await assert.rejects(ofBand.boot(), { name: 'RangeError', message })
    const faults: unknown[] = []
    const app = App.create().modules(ofRoute)
    app.onError((error) => faults.push(error))
    assert.equal((await new TestClient(app).get('/reports')).status, 500)
    assert.match(String(faults[0]), message)
    assert.match(String(faults[0]), /GET \//)
  })

  it('refuses missing arguments, a promise and what contains itself', () => {
    const round: unknown[] = []
    round.push([round])

    assert.throws(
      () => Reflect.apply(RequirePermission.of, RequirePermission, []),
      /RequirePermission\.of\(\) with 0 arguments: it takes 1/,
    )
    assert.throws(() => Anything.of(Promise.reject(new Error('lost'))), /await it first/)
    assert.throws(() => Anything.of(round), /contains itself/)
  })

  it('shows no value of an object in its name', () => {
    const gate = BasicAccessMiddleware.of({ username: 'ops', password: 'open sesame', realm: 'Ops' })

    assert.equal(gate.name, 'BasicAccessMiddleware.of({ username, password, realm })')
    assert.equal(
      Anything.of(new Secret('s3cr3t'), ['a', { b: 'c' }], {}).name,
      'Anything.of(an instance of Secret, ["a", { b }], {})',
    )
  })

  it('gives a module the gate by a password [PAGE-17]', async () => {
    const gate = BasicAccessMiddleware.of({ username: 'ops', password: 'open sesame', realm: 'Ops' })
    const client = browser({ 'GET /': () => null }, { middlewares: [gate] })
    const headers = { authorization: `Basic ${btoa('ops:open sesame')}` }

    assert.equal(
      (await client.get('/')).headers.get('www-authenticate'),
      'Basic realm="Ops", charset="UTF-8"',
    )
    assert.equal((await client.get('/', { headers })).status, 204)
  })
})
