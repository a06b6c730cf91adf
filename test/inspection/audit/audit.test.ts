import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { Routes } from 'sallyport/routing'

import {
  inspect,
  claim,
  conventional,
  module,
  PageController,
  resolver,
  router,
  site,
  table,
} from '../../routing/fixture.ts'
import type { RouteAudit } from '../../../src/inspection/audit/finding.ts'

/** What was found, in short: `fault unreachable-route GET /me`. */
function found({ findings }: RouteAudit): readonly string[] {
  return findings.map(({ severity, code, example }) => `${severity} ${code} ${example ?? '-'}`)
}

// The controller has more actions than a test routes to, so what is said of those is left out.
function routesOf(audit: RouteAudit): readonly string[] {
  return found(audit).filter((line) => !line.includes('unreachable-action'))
}

function check(declare: (routes: Routes) => void): readonly string[] {
  return routesOf(inspect(site(declare)).audit())
}

describe('Inspection.audit()', () => {
  it('reports whatever the callback that declares routes throws, by module and place [HOLD-35]', () => {
    const faults = [new TypeError('own fault'), new Error('own fault'), 'own fault']
    for (const fault of faults) {
      const { findings } = inspect(
        site(() => {
          // oxlint-disable-next-line only-throw-error -- whatever the application throws
          throw fault
        }),
      ).audit()

      assert.deepEqual(
        findings.map(({ severity, code, module: owner }) => [severity, code, owner]),
        [['fault', 'does-not-compile', 'Site']],
      )
      assert.match(findings[0]?.message ?? '', /module "Site".*own fault/)
      if (fault instanceof Error) assert.match(findings[0]?.message ?? '', /audit\.test\.ts:\d+\)$/)
    }
  })

  it('asks nothing of the actions of a module whose table does not compile, and goes on with the others', () => {
    const broken = conventional('Shop', [PageController], {
      steps: [table((routes) => routes.get('/{x', [PageController, 'other']))],
    })
    const whole = conventional('Blog', [PageController])
    const [both, alone] = [inspect(router([broken, whole])).audit(), inspect(router([whole])).audit()]

    assert.deepEqual(
      both.findings.map(({ code, module: owner }) => [code, owner]),
      [['does-not-compile', 'Shop']],
    )
    assert.deepEqual([both.routes, both.urls], [alone.routes, alone.urls])
    assert.ok(alone.urls > 5)
  })
})

describe('Inspection.audit() about pairs', () => {
  it('notes that the more specific path wins', () => {
    const audit = inspect(
      site((routes) => {
        routes.get('/users/{id}', [PageController, 'item'])
        routes.get('/users/7', [PageController, 'index'])
      }),
    ).audit()

    const finding = audit.findings.at(-1)
    assert.deepEqual(routesOf(audit), ['note shadowed-by-specificity GET /users/7'])
    assert.match(finding?.winner ?? '', /^GET \/users\/7 /)
    assert.match(finding?.message ?? '', /segment 2: literal text before a free placeholder/)
  })

  it('notes that a priority wins', () => {
    const lines = check((routes) => {
      routes.get('/{slug}/x', [PageController, 'show']).where('slug', '[a-z]+').priority(1)
      routes.get('/{slug}/x', [PageController, 'edit']).where('slug', '[a-z0-9]+')
    })

    assert.deepEqual(lines, ['note shadowed-by-priority GET /example/x'])
  })

  it('finds that only the order of declaration decides', () => {
    const lines = check((routes) => {
      routes.get('/{slug}', [PageController, 'show']).where('slug', '[a-k]+')
      routes.get('/{slug}', [PageController, 'edit']).where('slug', '[g-z]+')
    })

    assert.deepEqual(lines, ['fault ambiguous-routes GET /g'])
  })

  it('says nothing of routes that never meet', () => {
    const lines = check((routes) => {
      routes.get('/{slug}', [PageController, 'show']).where('slug', '[a-c]+')
      routes.get('/{slug}', [PageController, 'edit']).where('slug', '[x-z]+')
      routes.get('/{id}/a', [PageController, 'item'])
      routes.get('/{id}/b', [PageController, 'item'])
      routes.post('/{on}', [PageController, 'flag'])
    })

    assert.deepEqual(lines, [])
  })

  it('tells types apart: a text that is no boolean is no fault', () => {
    const lines = check((routes) => {
      routes.get('/{id}', [PageController, 'item']).where('id', '[0-9]{2}')
      routes.get('/{on}', [PageController, 'flag']).where('on', '[a-z]+')
    })

    assert.deepEqual(lines, [])
  })
})

describe('Inspection.audit() about routes that no URL reaches', () => {
  it('finds a constraint that another route has already', () => {
    const lines = check((routes) => {
      routes.get('/{slug}', [PageController, 'show']).where('slug', '[a-z]+').priority(1)
      routes.get('/{slug}', [PageController, 'edit']).where('slug', '[a-z]+')
    })

    assert.deepEqual(lines, ['fault unreachable-route GET /example'])
  })

  it('finds constraints that overlap, whether or not one includes the other', () => {
    const lines = check((routes) => {
      routes.get('/{slug}', [PageController, 'show']).where('slug', '[a-z]+')
      routes.get('/{slug}', [PageController, 'edit']).where('slug', '[a-zж]+')
    })
    const included = check((routes) => {
      routes.get('/{slug}', [PageController, 'show']).where('slug', String.raw`\p{L}+`)
      routes.get('/{slug}', [PageController, 'edit']).where('slug', '[a-zé]+')
    })

    assert.deepEqual(lines, ['fault ambiguous-routes GET /example', 'note no-url-found GET /example'])
    assert.deepEqual(included, lines)
  })

  it('finds a catch-all of higher priority', () => {
    const lines = check((routes) => {
      routes.get('/{path}', [PageController, 'file']).where('path', '.*').priority(5)
      routes.get('/about', [PageController, 'index'])
      routes.post('/about', [PageController, 'save'])
    })

    assert.deepEqual(lines, ['fault unreachable-route GET /about'])
  })

  it('finds what a mount or a claim takes away', () => {
    const audit = inspect(
      router([
        module('Shop', {
          convention: false,
          steps: [table((routes) => routes.get('/', [PageController, 'index']))],
        }),
        module('News', {
          convention: false,
          mount: 'press',
          steps: [
            claim('/news', (routes) => routes.get('/', [PageController, 'index'])),
            claim('/press', (routes) => routes.get('/', [PageController, 'index'])),
            table((routes) => routes.get('/old', [PageController, 'other'])),
          ],
        }),
        module('Site', {
          mount: '/',
          convention: false,
          steps: [
            table((routes) => {
              routes.get('/shop/about', [PageController, 'other'])
              routes.get('/news', [PageController, 'other'])
              routes.get('/{slug}', [PageController, 'show'])
            }),
          ],
        }),
      ]),
    ).audit()

    assert.deepEqual([...routesOf(audit)].sort(), [
      'fault unreachable-mount GET /press',
      'fault unreachable-route GET /news',
      'fault unreachable-route GET /press/old',
      'fault unreachable-route GET /shop/about',
    ])
  })
})

describe('Inspection.audit() about names, actions and locales', () => {
  it('finds a name that table and claim share', () => {
    const audit = inspect(
      router([
        module('News', {
          convention: false,
          steps: [
            table((routes) => routes.get('/', [PageController, 'index']).name('home')),
            claim('/start', (routes) => routes.get('/', [PageController, 'other']).name('home')),
          ],
        }),
      ]),
    ).audit()

    assert.deepEqual(routesOf(audit), ['fault duplicate-name -'])
  })

  it('finds tables that do not compile, with their code', () => {
    const audit = inspect(site((routes) => routes.get('/{slug', [PageController, 'show']))).audit()

    assert.match(audit.findings[0]?.message ?? '', /\[invalid-pattern\]$/)
  })

  it('finds actions that nothing leads to, and leaves them to resolvers where there are some', () => {
    const parts = { controllers: [PageController], convention: false, steps: [] }
    const none = inspect(router([module('Pages', parts)])).audit()
    const resolved = inspect(
      router([module('Pages', { ...parts, steps: [resolver({ resolve: () => null })] })]),
    ).audit()

    assert.ok(found(none).every((line) => line === 'fault unreachable-action -'))
    assert.equal(none.findings.length, Object.keys(PageController.actions).length)
    assert.ok(found(resolved).every((line) => line === 'note left-to-resolvers -'))
  })

  it('reaches every action by convention, and finds the one that a table hides', () => {
    const free = router([conventional('Pages', [PageController])])
    const hidden = router([
      conventional('Pages', [PageController], {
        steps: [
          table((routes) => routes.get('/page/{slug}', [PageController, 'show']).where('slug', 'other|x')),
        ],
      }),
    ])

    assert.deepEqual(found(inspect(free).audit()), [])
    assert.deepEqual(found(inspect(hidden).audit()), ['fault unreachable-action GET /pages/page/other'])
  })

  it('notes a route without a path in one of the locales, and tries the others', () => {
    const audit = inspect(
      router(
        [
          module('Shop', {
            localized: true,
            convention: false,
            steps: [
              table((routes) =>
                routes.get({ fr: '/produit/{slug}' }, [PageController, 'show']).name('product'),
              ),
            ],
          }),
        ],
        { locales: ['fr', 'en'], localePrefixes: true },
      ),
    ).audit()

    assert.deepEqual(routesOf(audit), ['note missing-locale -'])
    assert.equal(audit.urls, 1)
  })
})
