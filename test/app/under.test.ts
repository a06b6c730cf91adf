import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { App, Controller, defineModule, type HttpContext, under } from 'sallyport'
import { ForbiddenException, type Next } from 'sallyport/http'
import type { Actions, RouteRequest } from 'sallyport/routing'

import { RawSource } from '../reliability/paths/raw-source.ts'

class OpsController extends Controller {
  static readonly actions = { index: [], keyRing: [] } satisfies Actions<OpsController>
  index(): string {
    return 'ops'
  }
  keyRing(): string {
    return 'keys'
  }
}

/** A page of the root for whatever stands behind it. */
const pages = {
  resolve: (request: RouteRequest) => request.route(OpsController, 'index'),
}

/** Which of some URLs a gate on a prefix stops. */
async function stopped(
  prefix: Parameters<typeof under>[0],
  paths: readonly string[],
  method = 'GET',
): Promise<readonly string[]> {
  const desk = defineModule('OrderDesk', (module) => module.mount('ops').controllers(OpsController))
  const local = defineModule('Local', (module) =>
    module.mount({ fr: 'exploitation', en: 'running' }).localized().controllers(OpsController),
  )
  const site = defineModule('Site', (module) =>
    module.mount('/').controllers(OpsController).resolver(pages, { priority: 2000 }),
  )
  const app = App.default({ locales: ['fr', 'en'] }).modules(desk, local, site)
  app.middleware().incoming(
    {
      process: (_context: HttpContext, _next: Next) => {
        throw new ForbiddenException()
      },
    },
    { when: under(prefix) },
  )
  await app.boot()
  const statuses = await Promise.all(
    paths.map(async (path) => (await app.handle(new RawSource(method, path))).status),
  )
  return paths.filter((_, index) => statuses[index] === 403)
}

describe('under()', () => {
  const spellings = [
    '/ops',
    '/ops/',
    '/ops?x=/free',
    '/ops/ops/index',
    '/%6Fps',
    '/%6fp%73/x',
    '/OPS',
    '/Ops/nothing/at/all',
    '/fr/ops',
    '/EN/OPS',
    '/%66r/%4fps',
    '//ops',
    '/ops//x',
    '/./ops',
    '/ops/../free',
    '/free/../ops',
    '/ops/%2e%2e/free',
    '/ops/%zz',
    '/ops/%00',
    '/ops/a%2Fb',
    // One segment to the router, and more to an action that joins the segments of a rest.
    '/ops%2Fx',
    '/ops%2fx',
    '/fr/ops%2Fx',
    '/fr%2FOps/x',
    '/%2Fops',
    '/free%2F..%2Fops',
  ]

  it('is true for each spelling of a URL that the router treats as one under the prefix [HOLD-29]', async () => {
    assert.deepEqual(await stopped('/ops', spellings), spellings)
    assert.deepEqual(await stopped('/ops/', spellings, 'POST'), spellings)
    assert.deepEqual(await stopped('/OPS', spellings), spellings)
  })

  it('is false for every other URL [HOLD-29]', async () => {
    const others = [
      '/',
      '/fr',
      '/opsx',
      '/ops;x',
      '/free/ops',
      '/op',
      '/o-ps',
      '/fr/en/ops',
      '/free?/ops',
      '/%E2%84%AA',
      '*',
    ]

    assert.deepEqual(await stopped('/ops', others), [])
  })

  it('knows the spellings of the convention [HOLD-29]', async () => {
    const paths = ['/ops/ops/key-ring', '/ops/OPS/KEYRING', '/ops/ops/keyRing/x', '/fr/ops/ops/keyring']

    assert.deepEqual(await stopped('/ops/ops/key-ring', [...paths, '/ops/ops', '/ops/ops/key']), paths)
    assert.deepEqual(await stopped('/ops/ops/keyRing', paths), paths)
  })

  it('covers every locale, or the one that the prefix starts with [HOLD-29]', async () => {
    const french = ['/fr/exploitation', '/FR/Exploitation/ops', '/exploitation', '/%65xploitation/x']
    const english = ['/en/running/x', '/running']
    const all = [...french, ...english]

    assert.deepEqual(await stopped('/exploitation', all), french)
    assert.deepEqual(await stopped({ fr: '/exploitation', en: '/running' }, all), all)
    assert.deepEqual(await stopped('/fr/exploitation', [...all, '/en/exploitation']), french)
    assert.deepEqual(await stopped('/en', all), english)
  })

  it('is true for every URL when the prefix is the root [HOLD-29]', async () => {
    const paths = ['/', '/x', '/fr', '//', '/%zz', '*']

    assert.deepEqual(await stopped('/', paths), paths)
  })

  for (const path of [
    '',
    'ops',
    '/ops//x',
    '/../ops',
    '/.',
    '/%6Fps',
    '/{id}',
    '/ops?x',
    '/ops#x',
    '/a\\b',
    '/a\u0000',
    {},
  ]) {
    it(`refuses ${JSON.stringify(path)} [HOLD-29]`, () => {
      assert.throws(() => under(path), TypeError)
    })
  }

  it('refuses what is not a path [HOLD-29]', () => {
    for (const path of [undefined, null, 5, ['x'], { fr: 5 }])
      assert.throws(() => under(path as never), TypeError)
  })
})

describe('HttpContext.segments()', () => {
  async function segmentsOf(path: string): Promise<readonly string[]> {
    let seen: readonly string[] = ['unasked']
    const app = App.default()
    app.middleware().incoming({
      process: (context: HttpContext, next: Next) => {
        seen = context.segments()
        assert.equal(context.segments(), seen)
        assert.ok(Object.isFrozen(seen))
        return next()
      },
    })
    await app.boot()
    await app.handle(new RawSource('GET', path))
    return seen
  }

  for (const [path, segments] of [
    ['/', []],
    ['/ops', ['ops']],
    ['/%6Fps/a%2Fb/%C3%A9/?q=/x', ['ops', 'a/b', 'é']],
    ['/fr/OPS', ['fr', 'OPS']],
    ['//ops', []],
    ['/ops/../x', []],
    ['/ops/%2E', []],
    ['/ops/%zz', []],
    ['/ops/%00', []],
    ['*', []],
  ] as const) {
    it(`returns ${JSON.stringify(segments)} for ${path}, as the router sees it [HOLD-29]`, async () => {
      assert.deepEqual(await segmentsOf(path), segments)
    })
  }

  it('follows a request that replaces the current one [HOLD-29]', async () => {
    const app = App.default()
    const seen: (readonly string[])[] = []
    app
      .middleware()
      .incoming({
        process: (context: HttpContext, next: Next) => {
          seen.push(context.segments())
          return next(new Request('http://app.test/other/place'))
        },
      })
      .incoming({
        process: (context: HttpContext, next: Next) => {
          seen.push(context.segments())
          return next()
        },
      })
    await app.boot()
    await app.handle(new RawSource('GET', '/first'))

    assert.deepEqual(seen, [['first'], ['other', 'place']])
  })
})
