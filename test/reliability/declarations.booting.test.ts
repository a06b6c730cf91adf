import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { App, Controller, type Definitions, defineModule } from 'sallyport'
import type { ControllerClass } from '../../src/routing/index.ts'

class Gate {
  process(): Response {
    return new Response('refused', { status: 403 })
  }
}

class PageController extends Controller {
  static readonly actions = { index: [] }
  index(): string {
    return 'open'
  }
}

const nothing = (): undefined => undefined

/** Everything that an application is configured with. */
const DECLARATIONS: Readonly<Record<string, (app: App) => unknown>> = {
  modules: (app) => app.modules(defineModule('Late', nothing)),
  modulesFrom: (app) => app.modulesFrom(new URL('./no-such-folder/', import.meta.url)),
  locales: (app) => app.locales(['fr']),
  routing: (app) => app.routing('add'),
  configure: (app) => app.configure(nothing),
  limits: (app) => app.limits({ fields: 3 }),
  errorView: (app) => app.errorView('error'),
  onTerminate: (app) => app.onTerminate(nothing),
  incoming: (app) => app.middleware().incoming(Gate),
  routed: (app) => app.middleware().routed(Gate),
  outgoing: (app) => app.middleware().outgoing({ process: (response) => response }),
}

function calling(run: () => void): new () => { process(context: unknown, next: () => Response): Response } {
  return class {
    constructor() {
      run()
    }
    process(_context: unknown, next: () => Response): Response {
      return next()
    }
  }
}

/** What a boot runs of the application. */
const PLACES: Readonly<Record<string, (app: App, run: () => void) => unknown>> = {
  'the function of a module': (app, run) => app.modules(defineModule('Shop', () => run())),
  'configure() of a module': (app, run) => app.modules(defineModule('Shop', (m) => m.configure(run))),
  'configure() of the application': (app, run) => app.configure((_definitions: Definitions) => run()),
  'the constructor of a middleware of a module': (app, run) =>
    app.modules(defineModule('Shop', (m) => m.middleware(calling(run) as never))),
  'the constructor of a middleware of a band': (app, run) => app.middleware().incoming(calling(run) as never),
  'the constructor of a resolver': (app, run) =>
    app.modules(
      defineModule('Shop', (m) =>
        m.resolver(
          class {
            constructor() {
              run()
            }
            resolve(): null {
              return null
            }
          },
        ),
      ),
    ),
  'a getter of actions': (app, run) => {
    class Late extends Controller {
      static get actions(): Record<string, never> {
        run()
        return {}
      }
    }
    app.modules(defineModule('Shop', (m) => m.controllers(Late as ControllerClass)))
  },
}

describe('a declaration made during boot', () => {
  for (const [place, put] of Object.entries(PLACES)) {
    for (const [name, declare] of Object.entries(DECLARATIONS)) {
      it(`${name}() in ${place} throws, and names what was called and where [HOLD-35]`, async () => {
        const app = App.create({ debug: false })
        let refused: unknown
        put(app, () => {
          try {
            declare(app)
          } catch (error) {
            refused = error
          }
        })

        await app.boot()

        assert.ok(refused instanceof Error, 'it was accepted')
        assert.match(refused.message, new RegExp(String.raw`${name}\(\).*boot.*booting\.test\.ts:\d+\)$`))
      })
    }
  }

  it('fails the boot when nothing catches it, instead of leaving a gate out silently [HOLD-35]', async () => {
    const guard = defineModule('Guard', (m) => m.claim('/shop/page', nothing))
    const app = App.create()
    app.modules(
      defineModule('Shop', (m) => {
        m.controllers(PageController)
        app.modules(guard)
      }),
    )

    await assert.rejects(app.boot(), /Cannot call modules\(\).*is booting/)
  })

  it('may be a hook for errors or for the end [HOLD-35]', async () => {
    const calls: string[] = []
    const app = App.create()
    app.modules(
      defineModule('Shop', (m) => {
        m.controllers(PageController)
        app.onError(() => void calls.push('error')).onClose(() => void calls.push('closed'))
      }),
    )

    await app.boot()
    await app.close()

    assert.deepEqual(calls, ['closed'])
  })

  it('returns one boot to code that boots again from inside it', async () => {
    let configured = 0
    const inner: Promise<App>[] = []
    const app = App.create().configure(() => {
      configured++
      inner.push(app.boot())
    })

    await app.boot()

    assert.deepEqual(await Promise.all(inner), [app])
    assert.equal(configured, 1)
  })
})
