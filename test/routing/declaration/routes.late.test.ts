/** Declarations that come after the routes have been read. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { RouteDeclaration, RouteGroup, Router, Routes } from 'sallyport/routing'

import { module, PageController, router, table } from '../fixture.ts'

interface Kept {
  readonly routes: Routes
  readonly route: RouteDeclaration
  readonly group: RouteGroup
  readonly inner: Routes
}

function read(): Kept {
  const kept: Partial<Record<keyof Kept, unknown>> = {}
  const app: Router = router([
    module('Shop', {
      steps: [
        table((routes) => {
          kept.routes = routes
          kept.route = routes.get('/{slug}', [PageController, 'show'])
          const group = routes.prefix('/deep')
          kept.group = group
          group.group((inner) => {
            kept.inner = inner
            inner.get('/', [PageController, 'index'])
          })
        }),
      ],
    }),
  ])
  app.match('GET', '/shop/a')
  return kept as Kept
}

const ACTION = [PageController, 'index'] as const

describe('A declaration that comes too late', () => {
  for (const [call, declare] of [
    ['get()', ({ routes }) => routes.get('/x', ACTION)],
    ['get()', ({ inner }) => inner.get('/x', ACTION)],
    ['post()', ({ routes }) => routes.post('/x', ACTION)],
    ['put()', ({ routes }) => routes.put('/x', ACTION)],
    ['patch()', ({ routes }) => routes.patch('/x', ACTION)],
    ['delete()', ({ routes }) => routes.delete('/x', ACTION)],
    ['head()', ({ routes }) => routes.head('/x', ACTION)],
    ['options()', ({ routes }) => routes.options('/x', ACTION)],
    ['map()', ({ routes }) => routes.map(['PURGE'], '/x', ACTION)],
    ['prefix()', ({ routes }) => routes.prefix('/x')],
    ['middleware()', ({ routes }) => routes.middleware()],
    ['prefix() of a group', ({ group }) => group.prefix('/x')],
    ['middleware() of a group', ({ group }) => group.middleware()],
    ['group()', ({ group }) => group.group(() => undefined)],
    ['name() of GET /{slug}', ({ route }) => route.name('late')],
    ['where() of GET /{slug}', ({ route }) => route.where('slug', 'a')],
    ['middleware() of GET /{slug}', ({ route }) => route.middleware()],
    ['default() of GET /{slug}', ({ route }) => route.default('slug', 'a')],
    ['priority() of GET /{slug}', ({ route }) => route.priority(1)],
  ] satisfies readonly (readonly [string, (kept: Kept) => unknown])[]) {
    it(`is refused by the name of what was called, ${call} [HOLD-35]`, () => {
      const kept = read()

      assert.throws(
        () => declare(kept),
        (error: unknown) =>
          error instanceof Error &&
          error.message.startsWith(
            `Cannot call ${call} among the routes of module "Shop": they have been read`,
          ) &&
          /routes\.late\.test\.ts:\d+\)$/.test(error.message),
      )
    })
  }
})
