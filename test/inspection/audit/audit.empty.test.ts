/** Groups, claims and tables that declare no routes: no fault, and a note of a check. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { Routes } from 'sallyport/routing'

import { inspect, ask, claim, module, PageController, router, table } from '../../routing/fixture.ts'

class Gate {
  process(): Response {
    return new Response()
  }
}

function notes(steps: Parameters<typeof module>[1]): readonly string[] {
  return inspect(router([module('Shop', steps)]))
    .audit()
    .findings.filter(({ code }) => code === 'declares-nothing')
    .map(
      ({ severity, module: name, message }) =>
        `${severity} ${name} ${message.replace(/ \(\S+:\d+\)/g, ' (…)')}`,
    )
}

const one = (routes: Routes): void => void routes.get('/one', [PageController, 'index'])

describe('Inspection.audit() about what declares nothing', () => {
  it('notes a claim without routes, below which nothing is found [CLAIM-07]', () => {
    const modules = [
      module('Site', {
        mount: '/',
        steps: [table((r) => void r.get('/{path}/x', [PageController, 'file']))],
      }),
      module('Shop', { steps: [claim('/news', () => undefined)] }),
    ]
    const app = router(modules)

    assert.equal(ask(app, '/other/x'), 'Site PageController.file("other")')
    assert.equal(ask(app, '/news/x'), '404')
    assert.deepEqual(notes({ steps: [claim('/news', () => undefined)] }), [
      'note Shop claim "/news" of module "Shop" declares no routes',
    ])
  })

  it('notes a table without routes', () => {
    assert.deepEqual(notes({ steps: [table(() => undefined)] }), [
      'note Shop routes() of module "Shop" declares no routes',
    ])
    assert.deepEqual(notes({ steps: [table(() => undefined), table(one)] }), [])
    assert.deepEqual(notes({}), [])
  })

  it('notes a group without routes by what it was given and where, and serves the others [TABLE-07]', () => {
    const steps = [
      table((routes) => {
        one(routes)
        routes
          .prefix('/admin')
          .middleware(Gate)
          .group(() => undefined)
        routes.prefix('/full').group(one)
        routes.prefix('/outer').group((outer) => {
          one(outer)
          outer.prefix('/inner').group(() => undefined)
        })
      }),
    ]

    assert.equal(ask(router([module('Shop', { steps })]), '/shop/one'), 'Shop PageController.index()')
    assert.deepEqual(notes({ steps }), [
      'note Shop the group by "/admin", class Gate (…) of module "Shop" declares no routes',
      'note Shop the group by "/outer/inner" (…) of module "Shop" declares no routes',
    ])
  })

  it('notes the groups of a table that has nothing else, and not the table too', () => {
    const steps = [table((routes) => routes.prefix('/admin').group(() => undefined))]

    assert.deepEqual(notes({ steps }), [
      'note Shop the group by "/admin" (…) of module "Shop" declares no routes',
    ])
  })
})
