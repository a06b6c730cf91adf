/** What an application hands over to be called at once, and a promise that it answers instead. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { App, Controller, defineModule, type Module } from 'sallyport'
import { param, parameterType } from 'sallyport/routing'
import type { ParameterTypeParts } from '../../src/routing/declaration/own-type.ts'

type Kind = 'a promise that fails' | 'a promise' | 'a promise of another library' | 'a thrown promise'

/** Answers in place of a value: its type says nothing of a promise, as one of JavaScript or one that is cast. */
type Late = () => never

const KINDS: Readonly<Record<Kind, () => unknown>> = {
  'a promise': () => Promise.resolve('late'),
  'a promise that fails': () => Promise.reject(new Error('late')),
  'a promise of another library': () => ({
    // oxlint-disable-next-line unicorn/no-thenable
    then: (resolve: unknown, reject: unknown) =>
      Promise.reject(new Error('late')).then(resolve as undefined, reject as undefined),
  }),
  'a thrown promise': () => {
    // oxlint-disable-next-line typescript/only-throw-error
    throw Promise.reject(new Error('late'))
  },
}

class NoteController extends Controller {
  static readonly actions = { show: [param.of(noteType({}), 'note')], list: [] }

  show(): string {
    return 'a note'
  }
  list(): string {
    return 'notes'
  }
}

/** Adds a callback to an application. */
type Add = (app: App, late: Late) => void

function noteType(parts: Partial<ParameterTypeParts<unknown>>) {
  return parameterType<unknown>({ name: 'note', pattern: '[0-9]+', parse: (text) => text, ...parts })
}

function withModule(configure: (module: Module, late: Late) => unknown): Add {
  return (app, late) => {
    app.modules(defineModule('Site', (module) => configure(module.controllers(NoteController), late)))
  }
}

function withType(parts: (late: Late) => Partial<ParameterTypeParts<unknown>>): Add {
  return withModule((module, late) => {
    class TypedController extends Controller {
      static readonly actions = {
        show: [param.of(noteType(parts(late)), 'note')],
        two: [param.of(noteType(parts(late)), 'note'), param.int('n')],
      }
      show(): string {
        return 'a note'
      }
      two(): string {
        return 'two'
      }
    }
    module
      .controllers(TypedController)
      .routes((routes) => void routes.get('/table/{note}', [TypedController, 'show']).name('table'))
  })
}

/** What is called at boot or for a request, and the URL that has it called; null: the boot refuses. */
const CALLBACKS: readonly (readonly [what: string, url: string | null, add: Add])[] = [
  ['parse of a parameter type, in a table', '/site/table/1', withType((late) => ({ parse: late }))],
  ['parse of a parameter type, by convention', '/site/typed/two/1/2', withType((late) => ({ parse: late }))],
  [
    'parse of a parameter type, for a candidate that loses',
    '/site/typed/two/1/x',
    withType((late) => ({ parse: late })),
  ],
  [
    'when of a middleware',
    '/site/note/list',
    (app, late) => {
      withModule(() => undefined)(app, late)
      app.middleware().incoming({ process: (_context, next) => next() }, { when: late })
    },
  ],
  [
    'when of an outgoing middleware',
    '/site/note/list',
    (app, late) => {
      withModule(() => undefined)(app, late)
      app.middleware().outgoing({ process: (response) => response }, { when: late })
    },
  ],
  ['the function of a module', null, withModule((_module, late) => late())],
  ['configure() of a module', null, withModule((module, late) => module.configure(late))],
  ['routes() of a module', null, withModule((module, late) => module.routes(late))],
  ['claim() of a module', null, withModule((module, late) => module.claim('/news', late))],
  [
    'group() of routes',
    null,
    withModule((module, late) => module.routes((routes) => routes.prefix('/a').group(late))),
  ],
  ['configure() of an application', null, (app, late) => void app.configure(late)],
]

describe('A callback that is not awaited', () => {
  for (const [what, url, add] of CALLBACKS) {
    for (const kind of Object.keys(KINDS) as Kind[]) {
      // It refuses a boot whatever it is.
      if (url === null && kind === 'a thrown promise') continue
      it(`${what} that returns ${kind} is refused by name and ends no process [HOLD-35]`, async () => {
        const faults: string[] = []
        const app = App.create({ debug: false }).onError((error) => void faults.push(String(error)))

        let status: number | null = null
        try {
          add(app, KINDS[kind] as Late)
          await app.boot()
          if (url === null) (await app.inspection()).routes()
          else status = (await app.fetch(new Request(`http://h.test${url}`))).status
        } catch (error) {
          faults.push(String(error))
        }
        // Whoever ends the process does so when the queue is empty; the runner fails the test for it.
        await new Promise((resolve) => setImmediate(resolve))

        if (kind === 'a thrown promise') return
        assert.equal(status, url === null ? null : 500)
        assert.equal(faults.length, 1)
        assert.match(faults[0] ?? '', /(?:TypeError|RoutingException).* promise.*synchronous/)
      })
    }
  }

  for (const kind of Object.keys(KINDS) as Kind[]) {
    it(`format of a parameter type that returns ${kind} is refused by name and ends no process [HOLD-35]`, async () => {
      const app = App.create()
      withType((late) => ({ format: late }))(app, KINDS[kind] as Late)
      await app.boot()

      const url = (): string => app.router().url('site:table', { note: 7 })

      assert.throws(
        url,
        kind === 'a thrown promise' ? /does not fit/ : /RoutingException.* promise.*synchronous/,
      )
      await new Promise((resolve) => setImmediate(resolve))
    })

    it(`an example of a parameter type whose parse returns ${kind} is refused where it is declared [HOLD-35]`, async () => {
      const declare = (): unknown => noteType({ parse: KINDS[kind] as Late, examples: ['1'] })

      assert.throws(
        declare,
        kind === 'a thrown promise' ? /is not an example/ : /TypeError.* promise.*synchronous/,
      )
      await new Promise((resolve) => setImmediate(resolve))
    })

    it(`a resolver that returns ${kind} is awaited, and its failure ends no process [HOLD-35]`, async () => {
      const faults: string[] = []
      const app = App.create({ debug: false }).onError((error) => void faults.push(String(error)))
      withModule((module) => module.resolver({ resolve: KINDS[kind] as Late }))(app, KINDS[kind] as Late)

      const response = await app.fetch(new Request('http://h.test/site/unknown'))
      await new Promise((resolve) => setImmediate(resolve))

      assert.equal(response.status, 500)
      assert.match(faults.join(), kind === 'a promise' ? /answer of a resolver/ : /late|promise/)
    })

    it(`a hook that returns ${kind} ends no process, and the response stays [HOLD-35]`, async () => {
      const app = App.create({ debug: false }).onError(KINDS[kind]).onTerminate(KINDS[kind])
      withModule(() => undefined)(app, KINDS[kind] as Late)

      const response = await app.fetch(new Request('http://h.test/site/note/list'))
      await new Promise((resolve) => setImmediate(resolve))

      assert.equal(response.status, 200)
    })
  }
})
