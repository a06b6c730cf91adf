import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { MethodNotAllowedException } from 'sallyport/http'
import { TrailingSlash } from 'sallyport/routing'

import { inspect, claim, fails, module, PageController, resolver, router, table } from '../routing/fixture.ts'

const app = router(
  [
    module('Shop', {
      mount: { fr: 'boutique', en: 'shop' },
      localized: true,
      controllers: [PageController],
      steps: [
        table((routes) => {
          routes.get('/item/{id}', [PageController, 'item']).name('item')
          routes.get('/item/7', [PageController, 'other'])
          routes.get('/item/{slug}', [PageController, 'show']).where('slug', '[0-9]+').priority(-1)
        }),
        resolver({ resolve: async () => null }, 500),
        claim('/press', (routes) => routes.get('/', [PageController, 'index'])),
      ],
    }),
  ],
  { locales: ['fr', 'en'], localePrefixes: true, trailingSlash: TrailingSlash.Remove },
)

describe('Inspection.explain()', () => {
  it('says what match() does, whatever the URL', async () => {
    for (const path of ['/fr/boutique/item/7', '/Shop/item/9/', '/en/press', '/nothing', '/%zz', '/', '//']) {
      const { result } = await inspect(app).explain('GET', path)
      const match = await app.resolve('GET', path)

      assert.equal(result.kind, match.kind, path)
      assert.equal(result.location, match.kind === 'redirect' ? match.location : null, path)
    }
  })

  it('tells all of the result, and nothing of another kind', async () => {
    const nothing = {
      module: null,
      action: null,
      status: null,
      name: null,
      arguments: [],
      locale: null,
      middlewares: [],
      location: null,
      allowed: [],
    }
    const results = await Promise.all(
      ['GET /fr/boutique/item/9', 'GET /boutique/item/7', 'POST /fr/press', 'GET /%zz', 'GET /no'].map(
        async (request) => {
          const [method = '', path = ''] = request.split(' ')
          return (await inspect(app).explain(method, path)).result
        },
      ),
    )

    assert.deepEqual(results, [
      {
        ...nothing,
        kind: 'found',
        text: 'PageController::item(9) of module "Shop"',
        module: 'Shop',
        action: 'PageController::item',
        name: 'item',
        arguments: [9],
        locale: 'fr',
      },
      {
        ...nothing,
        kind: 'redirect',
        status: 308,
        text: '308 redirect to /fr/boutique/item/7',
        location: '/fr/boutique/item/7',
      },
      {
        ...nothing,
        kind: 'methodNotAllowed',
        status: 405,
        text: '405, allowed: GET, HEAD',
        allowed: ['GET', 'HEAD'],
      },
      {
        ...nothing,
        kind: 'badRequest',
        status: 400,
        text: '400, the path cannot be decoded, holds a control character or is too long',
      },
      { ...nothing, kind: 'notFound', status: 404, text: '404, nothing answers' },
    ])
  })

  it('names the winner first, and for each other the reason why it lost', async () => {
    const { steps } = await inspect(app).explain('GET', '/fr/boutique/item/7')

    const candidates = steps.find(({ kind }) => kind === 'table')?.candidates ?? []
    assert.deepEqual(
      candidates.map(({ route, reason }) => `${route.replace(/ \(.*/, '')}: ${reason}`),
      [
        'GET /item/7: wins',
        'GET /item/{id}: fits too, but is less specific',
        'GET /item/{slug}: fits too, but has priority -1, the winner 0',
      ],
    )
  })

  it('tells a redirect that is for an escape alone', async () => {
    const { steps, result } = await inspect(app).explain('GET', '/fr/boutique/%69tem/7')

    assert.equal(result.location, '/fr/boutique/item/7')
    assert.deepEqual(
      steps.map(({ kind }) => kind),
      ['locale', 'entry', 'table', 'spelling'],
    )
    assert.match(steps.at(-1)?.text ?? '', /: an escape is unnecessary or not in upper case$/)
  })

  it('names a claim by all of its paths', () => {
    const localized = router(
      [
        module('Shop', {
          localized: true,
          steps: [
            claim({ fr: '/presse', en: '/press' }, (routes) => routes.get('x', [PageController, 'index'])),
          ],
        }),
      ],
      { locales: ['fr', 'en'], localePrefixes: true },
    )

    assert.throws(
      () => localized.match('GET', '/fr/presse'),
      fails('invalid-pattern', 'claim "/presse, /press" of module "Shop"'),
    )
  })

  it('tells that nobody owns a path, and lists the mounts [HOLD-42]', async () => {
    const { steps } = await inspect(app).explain('GET', '/nothing')

    assert.deepEqual(
      steps.map(({ kind }) => kind),
      ['entry', 'entry'],
    )
    assert.match(steps[1]?.text ?? '', /\/shop \(module "Shop"\)/)
  })

  it('lists the mounts beside a root that does not know the path, and many of them in short [HOLD-42]', async () => {
    const many = Array.from({ length: 30 }, (_, index) => module(`M${index}`))
    const root = module('Site', { mount: '/' })
    const { steps } = await inspect(router([...many, root])).explain('GET', '/nothing/else')
    const text = steps.at(-1)?.text ?? ''

    assert.match(text, /\/m0 \(module "M0"\).* and 10 more$/)
    assert.doesNotMatch(text, /Site/)
    for (const path of ['/m1/nothing', '/']) {
      const explanation = await inspect(router([...many, root])).explain('GET', path)
      assert.ok(
        explanation.steps.every((step) => !step.text.startsWith('mounts')),
        path,
      )
    }
  })

  it('tells the methods that a resolver, an action and a canonical URL answer', async () => {
    const refusing = router([
      module('Shop', {
        controllers: [PageController],
        steps: [
          resolver({
            resolve({ segments }) {
              if (segments[0] === 'locked') throw new MethodNotAllowedException(['PUT'])
              return null
            },
          }),
        ],
      }),
    ])
    const told = async (path: string): Promise<unknown> => {
      const { steps } = await inspect(refusing).explain('GET', path)
      return steps.slice(1).map(({ kind, text }) => `${kind}: ${text}`)
    }

    assert.deepEqual(await told('/shop/locked'), [
      'resolver: resolver Object of module "Shop": knows it for PUT only',
    ])
    assert.deepEqual(await told('/shop/page/other'), [
      'resolver: resolver Object of module "Shop": does not know it',
      'convention: convention of module "Shop": found PageController::other',
      'spelling: the URL is spelled canonically',
    ])
  })

  it('tells each resolver that was asked', async () => {
    const { steps, result } = await inspect(app).explain('POST', '/fr/boutique/item/x')

    assert.deepEqual(
      steps.map(({ kind }) => kind),
      ['locale', 'entry', 'table', 'resolver', 'convention'],
    )
    assert.equal(result.kind, 'notFound')
  })

  it('gives at most eight others of a large table, and counts the rest', async () => {
    const large = router([
      module('Big', {
        convention: false,
        steps: [
          table((routes) => {
            for (let index = 0; index < 50; index++) routes.get(`/a/${index}`, [PageController, 'index'])
          }),
        ],
      }),
    ])

    const { steps } = await inspect(large).explain('GET', '/big/a/7x')

    const candidates = steps.find(({ kind }) => kind === 'table')?.candidates ?? []
    assert.equal(candidates.length, 9)
    assert.equal(candidates.at(-1)?.route, '42 more')
  })

  it('names a resolver that does not answer, and does not wait for it [HOLD-42]', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    class Silent {
      resolve(): Promise<null> {
        setImmediate(() => t.mock.timers.tick(5000))
        return new Promise(() => undefined)
      }
    }
    const app = router([module('Site', { mount: '/', steps: [resolver(new Silent())] })])

    await assert.rejects(
      async () => inspect(app).explain('GET', '/x'),
      /^Error: Cannot explain GET \/x: resolver Silent of module "Site" has not answered within 5000 ms$/,
    )
  })

  for (const [thrown, said] of [
    [() => 'oops', 'it threw "oops"'],
    [() => new Error('no database'), /it threw Error: no database \(.*explanation\.test\.ts:\d+\)$/],
    [() => new RangeError('a\n\u001b'), /it threw RangeError: a\\n\\u001b \(/],
    [() => undefined, 'it threw undefined'],
    [() => new Proxy(new Error('x'), { get: () => refuse() }), 'it threw an object that cannot be read'],
  ] as const) {
    for (const isLate of [false, true]) {
      it(`names the resolver that throws ${String(said)}${isLate ? ' later' : ''}, and tells the steps before [HOLD-42]`, async () => {
        class Pages {
          resolve(): Promise<null> {
            const error = thrown()
            if (isLate) return Promise.reject(error as Error)
            // oxlint-disable-next-line typescript/only-throw-error
            throw error
          }
        }
        const pages = router([
          module('Site', {
            mount: '/',
            steps: [resolver({ resolve: () => null }, -2), resolver(new Pages(), -1)],
          }),
        ])

        const explanation = await inspect(pages).explain('GET', '/x')

        const { result, steps } = explanation
        const own = steps.at(-1)?.text ?? ''
        assert.ok(own.startsWith('resolver Pages of module "Site"'), own)
        if (typeof said === 'string') assert.ok(own.endsWith(said), own)
        else assert.match(own, said)
        assert.deepEqual([result.kind, result.status, result.text], ['failed', 500, `500, ${own}`])
        assert.deepEqual(
          steps.map(({ kind }) => kind),
          ['entry', 'resolver', 'resolver'],
        )
        assert.match(explanation.toText(), /\n3\. resolver Pages.*\n= 500, resolver Pages/)
      })
    }
  }
})

function refuse(): never {
  throw new Error('it cannot be read')
}
