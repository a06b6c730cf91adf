import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  type Actions,
  param,
  type Route,
  type RouteMatch,
  type Router,
  type Routes,
  RoutingException,
  TrailingSlash,
} from 'sallyport/routing'
import { claim, module, PageController, resolver, router, show, table } from './fixture.ts'
import type { ModuleRouting } from '../../src/routing/internal.ts'
import type { RouterOptions } from '../../src/routing/router.ts'

// URLs that the properties below try, all together; a night's run takes more.
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 100_000)
const URLS = 100
const BASE_PATH = '/base/path'
// fast-check prints the seed of a failing run; this takes it back.
const GIVEN_SEED = process.env['FUZZ_SEED']
const REPLAY = GIVEN_SEED === undefined ? {} : { seed: Number(GIVEN_SEED) }

class PartsController {
  static readonly actions: Actions<PartsController> = {
    none: [],
    one: [param.string('p')],
    two: [param.string('p'), param.string('q')],
    number: [param.int('n')],
    rest: [param.rest(param.string('r'))],
  }
  none(): void {}
  one(_p: string): void {}
  two(_p: string, _q: string): void {}
  number(_n: number): void {}
  rest(..._r: string[]): void {}
}
class IndexController {
  static readonly actions: Actions<IndexController> = { index: [param.string('p').optional()], aboutUs: [] }
  index(_p?: string): void {}
  aboutUs(): void {}
}
class CartController {
  static readonly actions: Actions<CartController> = {
    index: [],
    add: [param.string('p')],
    addPost: [],
    itemPut: [param.int('n')],
  }
  index(): void {}
  add(_p: string): void {}
  addPost(): void {}
  itemPut(_n: number): void {}
}

interface RouteDraft {
  readonly methods: readonly string[]
  readonly path: string
  readonly second: string | null
  readonly where: string | null
  readonly priority: number
}

const piece = fc.constantFrom('a', 'b', 'A', 'é', 'cart', 'index', 'feed.xml')
const literals = fc.array(piece, { maxLength: 2 }).map((parts) => parts.map((part) => `/${part}`).join(''))
const hole = fc.constantFrom('', '', '/{p}', '/{p}/{q}', '/x{p}', '/{p}-{q}', '/{n}', '/{r}')
const draft: fc.Arbitrary<RouteDraft> = fc.record({
  methods: fc.subarray(['GET', 'POST', 'PUT', 'HEAD'], { minLength: 1 }),
  path: fc.tuple(literals, hole, fc.constantFrom('', '', '/b', '/')).map(([before, middle, after]) => {
    return (middle === '/{r}' ? before + middle : before + middle + after) || '/'
  }),
  second: fc.constantFrom(null, null, '/deux'),
  where: fc.constantFrom(null, null, '[a-z]+', '\\d+|me'),
  priority: fc.constantFrom(0, 0, 0, 1, -1),
})

interface ModuleDraft {
  readonly name: string
  readonly isRoot: boolean
  readonly isLocalized: boolean
  readonly mounts: string | null
  readonly hasConvention: boolean
  readonly hasResolver: boolean
  readonly routes: readonly RouteDraft[]
  readonly claimed: readonly RouteDraft[]
}

const draftedModule: fc.Arbitrary<ModuleDraft> = fc.record({
  name: fc.constantFrom('Shop', 'Blog', 'Api', 'Site'),
  isRoot: fc.boolean(),
  isLocalized: fc.boolean(),
  mounts: fc.constantFrom(null, null, 'boutique'),
  hasConvention: fc.boolean(),
  hasResolver: fc.constantFrom(false, false, true),
  routes: fc.array(draft, { maxLength: 5 }),
  claimed: fc.array(draft, { maxLength: 2 }),
})

interface Draft {
  readonly modules: readonly ModuleDraft[]
  readonly options: Omit<RouterOptions, 'modules'>
}

const application: fc.Arbitrary<Draft> = fc.record({
  modules: fc.uniqueArray(draftedModule, { minLength: 1, maxLength: 4, selector: ({ name }) => name }),
  options: fc.record({
    trailingSlash: fc.constantFrom(...Object.values(TrailingSlash)),
    localePrefixes: fc.boolean(),
    locales: fc.constantFrom(['fr', 'en'], ['en'], ['fr-CA', 'en', 'de']),
  }),
})

const words = [
  'a',
  'b',
  'A',
  'é',
  '%C3%A9',
  'cart',
  'Cart',
  'CART',
  'index',
  'add',
  'Add',
  'item',
  'about-us',
  'aboutUs',
  'me',
  '5',
  '05',
  'xa',
  'a-b',
]
const places = [
  'shop',
  'Shop',
  'blog',
  'api',
  'site',
  'boutique',
  'Boutique',
  'fr',
  'FR',
  'en',
  'fr-ca',
  'de',
  'promo-shop',
  'promo-blog',
  'deux',
]
const oddities = [
  '%61',
  'sh%6Fp',
  '%2F',
  'a%2Fb',
  '%252F',
  '%',
  '%zz',
  '%00',
  '..',
  '.',
  '%2e%2e',
  '',
  '\\',
  ';x',
  'feed.xml',
  'constructor',
  '__proto__',
  'ſhop',
  '!',
  "'",
  '☕',
  '%F0%9F%98%80',
]
const segment = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...words) },
  { weight: 5, arbitrary: fc.constantFrom(...places) },
  { weight: 1, arbitrary: fc.constantFrom(...oddities) },
)
const url = fc
  .tuple(fc.array(segment, { maxLength: 5 }), fc.boolean())
  .map(([parts, hasSlash]) => `/${parts.join('/')}${hasSlash ? '/' : ''}`)
const request = fc.tuple(fc.constantFrom('GET', 'GET', 'GET', 'POST', 'HEAD', 'PUT', 'OPTIONS'), url)
const requests = fc.array(request, { minLength: URLS, maxLength: URLS })

function declare(drafts: readonly RouteDraft[], hasLocales: boolean): (routes: Routes) => void {
  return (routes) => {
    for (const [index, { methods, path, second, where, priority }] of drafts.entries()) {
      const names = [...path.matchAll(/\{(\w)\}/g)].map(([, name]) => name ?? '')
      const action = names.includes('q')
        ? 'two'
        : names.includes('n')
          ? 'number'
          : names.includes('r')
            ? 'rest'
            : names.length > 0
              ? 'one'
              : 'none'
      const paths =
        second !== null && hasLocales ? { [hasLocales ? 'en' : '']: path, fr: second + path } : path
      const route = routes.map(methods, paths, [PartsController, action]).name(`r${index}`).priority(priority)
      if (names.includes('r')) route.where('r', '.*')
      else if (where !== null && names[0] !== undefined) route.where(names[0], where)
    }
  }
}

/** The application of a draft, or null when the draft is one that the router refuses, in its own words. */
function build({ modules, options }: Draft, more: readonly ModuleRouting[] = []): Router | null {
  const drafted = modules.map((draftOf): ModuleRouting => {
    const localized = draftOf.isLocalized && options.localePrefixes === true
    const hasLocales = localized && options.locales?.includes('fr') === true
    const mount = draftOf.isRoot
      ? '/'
      : draftOf.mounts !== null && hasLocales
        ? { fr: draftOf.mounts, en: draftOf.name.toLowerCase() }
        : undefined
    const steps = [
      table(declare(draftOf.routes, hasLocales)),
      claim(`/promo-${draftOf.name.toLowerCase()}`, declare(draftOf.claimed, hasLocales)),
    ]
    const found = resolver({
      resolve: (asked) => (asked.segments[0] === 'me' ? asked.route(PageController, 'index') : null),
    })
    return module(draftOf.name, {
      localized,
      convention: draftOf.hasConvention,
      controllers: [IndexController, CartController],
      steps: draftOf.hasResolver ? [...steps, found] : steps,
      ...(mount === undefined ? {} : { mount }),
    })
  })
  try {
    const app = router([...drafted, ...more], options)
    // Everything is compiled here, so that no fault of a table is left for later.
    for (const { name } of modules) {
      const known = name.toLowerCase()
      for (const index of ['r0', 'nothing']) attempt(() => app.url(`${known}:${index}`))
    }
    return app
  } catch (error) {
    if (error instanceof RoutingException) return null
    throw error
  }
}

/** Runs a generation; what it may refuse is null, a fault of a table is thrown. */
function attempt(generate: () => string): string | null {
  try {
    return generate()
  } catch (error) {
    const expected = [
      'unknown-route',
      'missing-parameter',
      'invalid-parameter',
      'locale-variant-missing',
      'duplicate-name',
      'explicit-action',
    ]
    if (
      error instanceof RoutingException &&
      expected.includes(error.code) &&
      !error.message.startsWith('Cannot compile')
    )
      return null
    throw error
  }
}

function text(app: Router, method: string, path: string): string {
  return show(app.match(method, path))
}

/** A request for something that the application declares, or nearly so; what is varied is taken from a random one. */
function aim(
  { modules, options }: Draft,
  [method, path]: readonly [string, string],
  index: number,
): readonly [string, string] {
  const seed = index * 7 + path.length * 13 + path.charCodeAt(path.length - 1)
  const of = modules[seed % modules.length]
  const route = of?.routes[seed % of.routes.length] ?? of?.claimed[0]
  if (of === undefined || route === undefined) return [method, path]
  const locale = options.localePrefixes === true ? ['', '/fr', '/en', '/FR'][seed % 4] : ''
  const name = of.name.toLowerCase()
  const mount = of.isRoot ? '' : `/${[name, name, of.name, of.mounts ?? name][(seed >> 2) % 4]}`
  const tails = [
    route.path,
    route.path,
    `/deux${route.path}`,
    '/cart/add/x',
    '/index',
    '/cart/Index',
    '/index/aboutUs',
  ]
  const tail = tails[(seed >> 1) % tails.length] ?? ''
  const value = ['a', 'b', '5', 'me', 'x-y', 'cart', 'A', '%C3%A9'][(seed >> 3) % 8] ?? ''
  const filled = `${locale}${mount}${tail}`.replace(/\{\w\}/g, value)
  return [
    seed % 5 === 0 ? method : (route.methods[0] ?? method),
    filled.startsWith('/') ? filled : `/${filled}`,
  ]
}

function property(
  check: (app: Router, asked: readonly (readonly [string, string])[], draft: Draft) => void,
  share: number,
): void {
  const numRuns = Math.max(1, Math.round((RUNS * share) / URLS))
  fc.assert(
    fc.property(application, requests, (drafted, asked) => {
      const app = build(drafted)
      fc.pre(app !== null)
      check(
        app,
        asked.map((request, index) => (index % 2 === 0 ? request : aim(drafted, request, index))),
        drafted,
      )
    }),
    { numRuns, ...REPLAY, ignoreEqualValues: false },
  )
}

function nameOf({ name }: ModuleRouting): string {
  return name
}

// What an application that has a host to itself answers, as one below a base path has to.
function moved(answer: string): string {
  return answer.replace(/^-> \//, `-> ${BASE_PATH}/`)
}

describe('Router: properties', () => {
  it('answers and generates below a base path as at the root of a host [MEND-12]', () => {
    property((app, asked, drafted) => {
      const below = build({ ...drafted, options: { ...drafted.options, basePath: BASE_PATH } })
      assert.ok(below !== null)
      for (const [method, path] of asked) {
        const atRoot = text(app, method, path)
        assert.equal(text(below, method, BASE_PATH + path), moved(atRoot), `${method} ${path}`)
        assert.equal(text(below, method, path), atRoot === '400' ? '400' : '404', `${method} ${path}`)
        const pattern = app.patternAt(method, path)
        assert.equal(below.patternAt(method, BASE_PATH + path), pattern === null ? null : BASE_PATH + pattern)
        assert.deepEqual(below.ownersOf(BASE_PATH + path).map(nameOf), app.ownersOf(path).map(nameOf))
        assert.deepEqual(below.bodyCeiling(method, BASE_PATH + path, 1), app.bodyCeiling(method, path, 1))
      }
      for (const { name } of drafted.modules) {
        for (const values of [{}, { p: 'a', q: 'b' }, { p: '5', n: 5, r: 'a/b' }]) {
          const route = `${name.toLowerCase()}:r0`
          const url = attempt(() => app.url(route, values))
          assert.equal(
            attempt(() => below.url(route, values)),
            url === null ? null : BASE_PATH + url,
          )
        }
      }
    }, 0.1)
  })

  it('never throws, always answers alike, and to another encoding alike or by a redirect [ROUTE-01 R-52]', () => {
    property((app, asked, drafted) => {
      for (const [method, path] of asked) {
        const answer = text(app, method, path)
        assert.equal(text(app, method, path), answer)
        // An escape sends the lookup the slow path, which must decide as the short one does.
        const encoded = path.replace(
          /[a-z](?=[^%]*$)(?<!%[0-9A-Fa-f]?[a-z])/,
          (letter) => `%${letter.charCodeAt(0).toString(16)}`,
        )
        const match = app.match(method, encoded)
        const isRepaired =
          match.kind === 'redirect' &&
          drafted.options.trailingSlash !== TrailingSlash.Preserve &&
          app.match(method, path).kind === 'found'
        const reached = isRepaired ? text(app, method, match.location) : show(match)
        assert.equal(reached, answer, `${method} ${path} and ${encoded}`)
      }
    }, 0.4)
  })

  it('a redirect leads to an answer, on this origin [LOC-12 SLASH-02 SLASH-06 MOUNT-08 CONV-29]', () => {
    property((app, asked) => {
      for (const [method, path] of asked) {
        const match = app.match(method, path)
        if (match.kind !== 'redirect') continue
        const { location } = match
        assert.match(location, /^\/(?![/\\])[\x21-\x7e]*$/)
        assert.notEqual(location, path)
        assert.equal(new URL(location, 'http://app.test').pathname, location)
        assert.equal(app.match(method, location).kind, 'found', `${method} ${path} -> ${location}`)
      }
    }, 0.2)
  })

  it('a generated URL reaches its own route with its own arguments and no redirect [URL-13 URL-14]', () => {
    const values = fc.array(
      fc.oneof(
        fc.constantFrom('a', 'b', 'x', 'me', '5', 'shop', 'fr', 'a/b', '.', 'cart', '%2F', 'a-b'),
        fc.string({ unit: 'grapheme', maxLength: 4 }),
        fc.integer(),
      ),
      { minLength: 8, maxLength: 8 },
    )
    const numRuns = Math.max(1, Math.round((RUNS * 0.2) / 32))
    fc.assert(
      fc.property(application, values, fc.constantFrom(undefined, 'fr', 'en'), (drafted, given, locale) => {
        const app = build(drafted)
        fc.pre(app !== null)
        for (const { name, routes } of drafted.modules) {
          for (const index of routes.keys()) {
            for (const turn of [0, 3, 5]) {
              const [p = '', q = '', r = ''] = given.slice(turn)
              const params = { p, q, n: p, r: [q, r] }
              const path = attempt(() => app.url(`${name.toLowerCase()}:r${index}`, params, locale))
              if (path !== null) assertReaches(app, path, { ...params, name: `r${index}` })
            }
          }
        }
      }),
      { numRuns, ...REPLAY },
    )
  })

  it('a conventional URL reaches its action with its arguments and no redirect [URL-04]', () => {
    fc.assert(
      fc.property(
        application,
        fc.string({ unit: 'grapheme', maxLength: 4 }),
        fc.constantFrom(undefined, 'fr', 'en'),
        (drafted, value, locale) => {
          const app = build(drafted)
          fc.pre(app !== null)
          const urls = [
            attempt(() => app.urlFor([IndexController, 'index'], [], locale)),
            attempt(() => app.urlFor([IndexController, 'index'], [value], locale)),
            attempt(() => app.urlFor([IndexController, 'aboutUs'], [], locale)),
            attempt(() => app.urlFor([CartController, 'add'], [value], locale)),
          ]
          for (const [index, path] of urls.entries()) {
            const match: RouteMatch | null = path === null ? null : app.match('GET', path)
            if (match === null || (match.kind === 'found' && match.route.controller === PageController))
              continue
            assert.ok(match.kind === 'found', `${path}: ${show(match)}`)
            assert.deepEqual(match.route.args, index === 1 || index === 3 ? [value] : [])
          }
        },
      ),
      { numRuns: Math.max(1, Math.round((RUNS * 0.05) / 4)), ...REPLAY },
    )
  })

  it('a further module changes nothing of what the URLs of the others reach [ROUTE-02]', () => {
    const declareMore = table(
      (r) => (r.get('/{p}', [PartsController, 'one']), r.get('/', [PartsController, 'none'])),
    )
    const zeta = module('Zeta', {
      steps: [declareMore, claim('/zeta-claim', (r) => r.get('/a', [PartsController, 'none']))],
    })
    property((app, asked, drafted) => {
      const wider = build(drafted, [zeta])
      assert.ok(wider !== null)
      for (const [method, path] of asked)
        assert.equal(text(wider, method, path), text(app, method, path), `${method} ${path}`)
    }, 0.1)
  })
})

function assertReaches(
  app: Router,
  path: string,
  given: Readonly<Record<'p' | 'q' | 'n' | 'name', string | number>> & {
    readonly r: readonly (string | number)[]
  },
): void {
  const query = path.indexOf('?')
  const bare = query === -1 ? path : path.slice(0, query)
  const method = ['GET', 'POST', 'PUT', 'HEAD'].find(
    (candidate) =>
      app.match(candidate, bare).kind === 'found' && reached(app, candidate, bare)?.name === given.name,
  )
  const route = method === undefined ? undefined : reached(app, method, bare)
  assert.ok(route !== undefined, `${path} does not reach ${given.name}`)
  const expected = {
    none: [],
    one: [String(given.p)],
    two: [String(given.p), String(given.q)],
    number: [Number(given.n)],
    rest: given.r.map(String),
  }
  assert.deepEqual(route.args, expected[route.action as keyof typeof expected])
}

function reached(app: Router, method: string, path: string): Route | undefined {
  const match = app.match(method, path)
  return match.kind === 'found' ? match.route : undefined
}
