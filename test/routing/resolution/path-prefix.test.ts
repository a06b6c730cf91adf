import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { type Actions, type Resolver, type RouteRequest, TrailingSlash } from 'sallyport/routing'

import { PathPrefix, segmentsOf } from '../../../src/routing/resolution/path-prefix.ts'
import { claim, conventional, module, PageController, resolver, router, table } from '../fixture.ts'

class DeskController {
  static readonly actions: Actions<DeskController> = { index: [], keyRing: [] }
  index(): void {}
  keyRing(): void {}
}

const catchAll: Resolver = { resolve: (request: RouteRequest) => request.route(PageController, 'index') }

const app = router(
  [
    conventional('Desk', [DeskController]),
    module('Shop', {
      mount: { fr: 'boutique', en: 'shop' },
      localized: true,
      convention: false,
      controllers: [PageController],
      steps: [
        table((r) => r.get('/a', [PageController, 'index'])),
        claim({ fr: '/soldes/ete', en: '/sale' }, (r) => r.get('/x', [PageController, 'index'])),
      ],
    }),
    module('Site', {
      mount: '/',
      convention: false,
      controllers: [PageController],
      steps: [resolver(catchAll)],
    }),
  ],
  { locales: ['fr', 'en'], localePrefixes: true, trailingSlash: TrailingSlash.Remove },
)

function below(
  prefix: ConstructorParameters<typeof PathPrefix>[0],
  paths: readonly string[],
): readonly string[] {
  const wanted = new PathPrefix(prefix)
  return paths.filter((path) => app.isUnder(path, wanted))
}

describe('Router.isUnder()', () => {
  it('takes a path that nothing answers for all that it may be taken for [HOLD-29]', () => {
    const paths = [
      '/free/.././ops/x',
      '/./free/./.././ops',
      '/ops/./../ops',
      '/../ops',
      '/x/../y/../ops/',
      '/x//../ops',
      '/%2e%2E/ops/%zz',
      '/%6Fps/%00',
    ]

    assert.deepEqual(below('/ops', paths), paths)
    // Whoever drops the dots reads it so, whoever resolves them reads it otherwise.
    assert.deepEqual(below('/free/ops', paths), [paths[0], paths[1]])
    assert.deepEqual(below('/y/ops', paths), [])
    assert.deepEqual(below('/x/y/ops', paths), [paths[4]])
    assert.deepEqual(below('/free', ['/ops/../free/./x', '/free/../ops', '/ops/./x/..']), [
      '/ops/../free/./x',
      '/free/../ops',
    ])
  })

  it('keeps what is in one locale out of the prefix of another [HOLD-29]', () => {
    const paths = ['/fr/boutique/a', '/en/shop/a', '/boutique/a', '/shop/a', '/en/boutique']

    assert.deepEqual(below('/en/shop', paths), ['/en/shop/a', '/shop/a'])
    assert.deepEqual(below('/fr/boutique', paths), ['/fr/boutique/a', '/boutique/a'])
  })

  it('compares whole segments, decoded once, in ASCII letter case [HOLD-29]', () => {
    assert.deepEqual(below('/a b/c', ['/a%20b/C/d', '/A%20B/c', '/a b/c', '/a%2520b/c', '/a%20b/cd']), [
      '/a%20b/C/d',
      '/A%20B/c',
      '/a b/c',
    ])
    assert.deepEqual(below('/kelvin', ['/%E2%84%AAelvin', '/KELVIN']), ['/KELVIN'])
  })

  it('knows claims and mounts in the locales that they have [HOLD-29]', () => {
    const paths = ['/fr/soldes/ete/x', '/soldes/ete', '/en/sale', '/sale/x', '/en/soldes/ete', '/soldes']

    assert.deepEqual(below('/soldes/ete', paths), [paths[0], paths[1], paths[4]])
    assert.deepEqual(below('/fr/soldes/ete', paths), [paths[0], paths[1]])
    assert.deepEqual(below({ fr: '/fr/soldes/ete', en: '/en/sale' }, paths), paths.slice(0, 4))
    assert.deepEqual(below('/en/shop', ['/shop', '/en/SHOP/a', '/fr/shop', '/boutique']), [
      '/shop',
      '/en/SHOP/a',
    ])
  })

  it('knows the spellings of the convention behind the mount, in prefix and path [HOLD-29]', () => {
    const paths = ['/desk/desk/key-ring', '/Desk/DESK/keyRing/x', '/fr/desk/desk/KEYRING', '/desk/desk/keys']

    for (const prefix of ['/desk/desk/key-ring', '/desk/Desk/keyRing', '/DESK/desk/keyring/'])
      assert.deepEqual(below(prefix, paths), paths.slice(0, 3), prefix)
  })
})

describe('segmentsOf()', () => {
  it('gives decoded segments, none of a path that nothing answers, and nobody changes them [HOLD-29]', () => {
    const segments = segmentsOf('/a%2Fb/%C3%A9/C/')

    assert.deepEqual(segments, ['a/b', 'é', 'C'])
    assert.ok(Object.isFrozen(segments))
    for (const path of ['/', '/%zz', '/a//b', '/a/../b', 'a']) assert.deepEqual(segmentsOf(path), [], path)
  })
})

describe('PathPrefix', () => {
  for (const [declared, shown] of [
    ['ops', '"ops"'],
    ['', '""'],
    ['/a//b', '"/a//b"'],
    ['/a/../b', '"/a/../b"'],
    ['/{id}', '"/{id}"'],
    ['/a}', '"/a}"'],
    ['/%6F', '"/%6F"'],
    ['/a?', '"/a?"'],
    ['/a#', '"/a#"'],
    ['/a\\', '"/a'],
    [{ fr: '/a', en: 'b' }, '"b"'],
    [{ fr: 5 }, '5'],
    [{}, 'an object'],
    [null, 'null'],
    [undefined, 'undefined'],
  ] as const) {
    it(`refuses ${JSON.stringify(declared)}, and names it [HOLD-29]`, () => {
      assert.throws(
        () => new PathPrefix(declared as never),
        (error) => {
          assert.ok(error instanceof TypeError)
          assert.ok(error.message.startsWith(`Cannot use ${shown}`), error.message)
          assert.match(error.message, /"\/ops"/)
          return true
        },
      )
    })
  }

  it('holds the segments of each spelling', () => {
    assert.deepEqual(new PathPrefix('/').paths, [[]])
    assert.deepEqual(new PathPrefix({ fr: '/a/b/', en: '/c' }).paths, [['a', 'b'], ['c']])
  })
})
