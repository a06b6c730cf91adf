import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { App, binding, Controller, defineModule, HttpContext, inject, type Module } from 'sallyport'
import { TestClient } from 'sallyport/testing'

let built = 0

class Visitors {
  readonly place: string
  constructor(place: string) {
    this.place = place
  }
}
class Counting {
  readonly visitors = inject(Visitors)
}
class Shared {
  readonly context = inject(HttpContext)
}
class Clean {
  readonly count = ++built
}

class Page extends Controller {
  static readonly actions = { index: [] }
  index(): string {
    return 'page'
  }
}
class VisitorController extends Page {
  readonly visitors = inject(Visitors)
}
class DeepController extends Page {
  readonly counting = inject(Counting)
}
class SharedController extends Page {
  readonly shared = inject(Shared)
}
class SoundController extends Page {
  readonly clean = inject(Clean)
  readonly page = inject(binding<{ title: string }>('page'))
  readonly locale = this.context.locale()
  readonly session = this.context.session()
}
class ThrowingController extends Page {
  readonly title = inject(binding<{ parts: string[] }>('page')).parts[0]
}

async function booted(define: (module: Module) => unknown, configure = (app: App): App => app): Promise<App> {
  const app = configure(App.create().modules(defineModule('Shop', (module) => void define(module))))
  await app.boot()
  return app
}

async function faultsOf(app: App): Promise<readonly string[]> {
  const inspection = await app.inspection()
  const { findings } = inspection.audit()
  assert.deepEqual((await inspection.auditWithResolvers()).findings, findings)
  return findings.map(({ severity, code, message }) => `${severity} ${code} ${message}`)
}

describe('Inspection.audit() about controllers', () => {
  it('finds a service that no request can build, with its controller and what to do [HOLD-35]', async () => {
    const app = await booted((module) => module.controllers(VisitorController))

    const [fault = '', ...more] = await faultsOf(app)

    assert.match(
      fault,
      /^fault does-not-compile .*VisitorController of .*Shop.*definitions\.set\(Visitors, …\)/,
    )
    assert.deepEqual(more, [])
    assert.equal((await new TestClient(app).get('/shop/visitor')).status, 500)
  })

  it('finds it behind another service, and a value of the request in a shared one [HOLD-35]', async () => {
    const app = await booted((module) => module.controllers(DeepController, SharedController))

    const [deep = '', shared = ''] = await faultsOf(app)

    assert.match(deep, /DeepController.*Cannot build Visitors for Counting/)
    assert.match(shared, /SharedController.*Cannot inject HttpContext into the shared service Shared/)
  })

  it('finds the controller of a route that no module lists, once [HOLD-35]', async () => {
    const app = await booted((module) =>
      module.routes((routes) => {
        routes.get('/a', [VisitorController, 'index'])
        routes.get('/b', [VisitorController, 'index'])
      }),
    )

    assert.equal((await faultsOf(app)).length, 1)
  })

  it('finds nothing where the service is registered, or a constructor of the application throws', async () => {
    const app = await booted(
      (module) => module.controllers(VisitorController, SoundController, ThrowingController),
      (made) => made.configure((definitions) => definitions.set(Visitors, new Visitors('gate'))),
    )

    assert.deepEqual(await faultsOf(app), [])
  })

  it('builds a shared service once, and the next request gets it', async () => {
    const app = await booted((module) => module.controllers(SoundController))
    const before = built

    await faultsOf(app)

    assert.equal(built, before + 1)
    assert.equal(app.get(Clean).count, built)
  })
})
