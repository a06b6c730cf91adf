import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { MethodNotAllowedException, NotFoundException } from 'sallyport/http'
import { type Resolver, type RouteRequest, RoutingException } from 'sallyport/routing'

import { inspect, claim, module, PageController, resolver, router, table } from '../../routing/fixture.ts'
import type { RouteFinding } from '../../../src/inspection/audit/finding.ts'
import type { ModuleStep } from '../../../src/routing/internal.ts'

/** Answers one path, or all of them. */
class Pages implements Resolver {
  readonly #path: string | null
  readonly asked: string[] = []

  constructor(path: string | null = null) {
    this.#path = path
  }

  resolve(request: RouteRequest): ReturnType<RouteRequest['route']> | null {
    const path = request.segments.join('/')
    this.asked.push(`${request.method} ${request.prefix}/${path}`)
    return this.#path === null || this.#path === path ? request.route(PageController, 'index') : null
  }
}

const about = table((routes) => {
  routes.get('/about', [PageController, 'index']).name('about')
  routes.get('/item/{id}', [PageController, 'item'])
})

async function check(...steps: readonly ModuleStep[]): Promise<readonly RouteFinding[]> {
  const { findings } = await inspect(
    router([module('Site', { convention: false, steps })]),
  ).auditWithResolvers()
  return findings.filter(({ code }) => code !== 'left-to-resolvers' && code !== 'unreachable-action')
}

describe('Inspection.auditWithResolvers()', () => {
  it('finds that only the order of declaration decides between a resolver and a route', async () => {
    const [late, ...more] = await check(about, resolver(new Pages('about')))
    const [early] = await check(resolver(new Pages('about')), about)

    assert.deepEqual(more, [])
    assert.equal(`${late?.severity} ${late?.code} ${late?.example}`, 'fault ambiguous-routes GET /site/about')
    assert.match(late?.winner ?? '', /^GET \/about \(.*resolvers\.test\.ts:\d+\)$/)
    assert.equal(early?.winner, 'resolver Pages')
    assert.match(
      early?.message ?? '',
      /^resolver Pages and GET \/about .* of module "Site" take the same URL: only the order of declaration decides; give the resolver another priority; url\(\) makes it all the same$/,
    )
  })

  it('tells once what a resolver and a route share in every language', async () => {
    const shop = module('Shop', { convention: false, localized: true, steps: [about, resolver(new Pages())] })
    const app = router([shop], { locales: ['fr', 'en'], localePrefixes: true })

    const { findings } = await inspect(app).auditWithResolvers()

    const told = findings.filter(({ code }) => code === 'ambiguous-routes').map(({ example }) => example)
    assert.deepEqual(told, ['GET /fr/shop/about', 'GET /fr/shop/item/42'])
  })

  it('notes a resolver that never answers, and asks it once', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    let asked = 0
    const silent: Resolver = {
      resolve: () => {
        asked++
        // When the check waits for it already.
        setImmediate(() => t.mock.timers.tick(5000))
        return new Promise(() => undefined)
      },
    }

    const findings = await check(about, resolver(silent))

    const failed = findings.filter(({ code }) => code === 'resolver-failed')
    assert.deepEqual(
      failed.map(({ example }) => example),
      ['GET /site/about'],
    )
    assert.equal(asked, 1)
  })

  it('notes which of the two wins by priority, that url() does not ask, and that a refusal is an answer [HOLD-48]', async () => {
    const refusing = { resolve: () => Promise.reject(new MethodNotAllowedException(['PUT'])) }
    const [first] = await check(about, resolver(new Pages('about'), -5))
    const [last] = await check(about, resolver(new Pages('about'), 500))
    const refused = await check(about, resolver(refusing, -1))

    assert.equal(`${first?.severity} ${first?.code}`, 'note shadowed-by-priority')
    assert.match(
      first?.message ?? '',
      /the first wins by priority, -5 before 0; url\(\) makes it all the same$/,
    )
    assert.equal(first?.winner, 'resolver Pages')
    assert.match(last?.message ?? '', /the first wins by priority, 0 before 500$/)
    assert.match(last?.winner ?? '', /^GET \/about /)
    assert.deepEqual(
      refused.map(({ example }) => example),
      ['GET /site/about', 'GET /site/item/42'],
    )
  })

  it('asks about conventional actions, and tells each pair once', async () => {
    class IndexController {
      static readonly actions = { index: [], aboutUs: [] }
      index(): void {}
      aboutUs(): void {}
    }
    const pages = new Pages()
    const shop = module('Shop', {
      localized: true,
      controllers: [IndexController],
      steps: [resolver(pages, 2000)],
    })

    const { findings } = await inspect(
      router([shop], {
        locales: ['fr', 'en'],
        localePrefixes: true,
      }),
    ).auditWithResolvers()

    assert.deepEqual(pages.asked.sort(), ['GET /fr/shop/', 'GET /fr/shop/index/about-us'])
    assert.deepEqual(
      findings.map(({ code, winner }) => `${code} ${winner}`),
      ['shadowed-by-priority IndexController::index', 'shadowed-by-priority IndexController::aboutUs'],
    )
    assert.match(findings[0]?.message ?? '', /1000 before 2000$/)
  })

  it('says nothing of a resolver that leaves the URLs alone, and asks none below a claim', async () => {
    const pages = new Pages('elsewhere')
    const leaving = { resolve: () => Promise.reject(new NotFoundException()) }
    const press = claim('/press', (routes) => routes.get('/x', [PageController, 'other']))

    const findings = await check(about, resolver(pages), resolver(leaving), press)

    assert.deepEqual(findings, [])
    assert.deepEqual(pages.asked, ['GET /site/about', 'GET /site/item/42'])
  })

  it('quotes what a resolver throws in one line, without control characters', async () => {
    const message = `bad\n\u001b[2J\u009b\u202e${'x'.repeat(100_000)}`
    const failing = { resolve: () => Promise.reject(new Error(message)) }

    const [finding] = await check(about, resolver(failing))

    assert.match(finding?.message ?? '', /cannot be asked: bad\\n\\u001b\[2J\\u009b\\u202exx/)
    assert.ok((finding?.message.length ?? Infinity) <= 2000)
  })

  it('notes once that a resolver fails', async () => {
    const failing = { resolve: () => Promise.reject(new Error('no database')) }

    const findings = await check(about, resolver(failing))

    assert.deepEqual(
      findings.map(({ severity, code, example }) => `${severity} ${code} ${example}`),
      ['note resolver-failed GET /site/about'],
    )
    assert.match(
      findings[0]?.message ?? '',
      /^resolver Object of module "Site" .*cannot be asked: no database$/,
    )
  })

  for (const [what, resolve] of [
    ['a kept route', keep()],
    ['an unknown action', (request: RouteRequest) => request.route(PageController, 'none')],
    ['arguments too many', (request: RouteRequest) => request.route(PageController, 'index', { args: [1] })],
    [
      'a promise as a binding',
      (request: RouteRequest) =>
        request.route(PageController, 'index', { bindings: { page: Promise.resolve({}) } }),
    ],
    ['no route', () => 'about'],
  ] as const) {
    it(`finds a resolver that answers with ${what}, once [HOLD-35]`, async () => {
      const findings = await check(about, resolver({ resolve } as unknown as Resolver))

      const failed = findings.filter(({ code }) => code === 'resolver-failed')
      assert.equal(failed.map(({ severity }) => severity).join(), 'fault')
      assert.match(failed[0]?.message ?? '', /of module "Site".* returns an invalid answer: Cannot /)
    })
  }

  it('only notes what a resolver throws that says nothing of its answer, whatever its class and code [HOLD-35]', async () => {
    const withCode = Object.assign(new Error('no database'), { code: 'invalid-action' })
    for (const error of [withCode, new RoutingException('unknown-route', 'no such name')]) {
      const findings = await check(about, resolver({ resolve: () => Promise.reject(error) }))

      assert.deepEqual(
        findings.map(({ severity, code }) => `${severity} ${code}`),
        ['note resolver-failed'],
      )
    }
  })

  it('finds a wrong answer of a resolver that fails for another URL, too [HOLD-35]', async () => {
    const failing = {
      resolve: (request: RouteRequest) => {
        if (request.segments[0] === 'about') throw new Error('no database')
        return request.route(PageController, 'none')
      },
    }

    const findings = await check(about, resolver(failing))

    assert.deepEqual(findings.map(({ severity, code }) => `${severity} ${code}`).sort(), [
      'fault resolver-failed',
      'note resolver-failed',
    ])
  })
})

/** Gives the route of the first request to each. */
function keep(): Resolver['resolve'] {
  let kept: ReturnType<RouteRequest['route']> | undefined
  return (request) => (kept ??= request.route(PageController, 'index'))
}
