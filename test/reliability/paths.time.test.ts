import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'

import { param, type Router, RoutingException } from 'sallyport/routing'

import { ask, module, PageController, router, site, table } from '../routing/fixture.ts'
import { figure } from './figure.ts'
import { GOAL_AT_DOUBLE_SIZE, growthAtDouble, MAX_AT_DOUBLE_SIZE } from './growth.ts'
import { EVIL_CONSTRAINTS } from './paths/evil-constraints.ts'

const KIB = 1024
const LENGTH = 16 * KIB
const SHORT = 8 * KIB

/** The least of the times of some runs, in milliseconds: other work on the machine only ever adds. */
function fastest(run: () => unknown, turns = 9): number {
  let least = Infinity
  for (let turn = 0; turn < turns; turn++) {
    const start = performance.now()
    run()
    least = Math.min(least, performance.now() - start)
  }
  return least
}

interface Measured {
  /** Milliseconds for a path of 16 KiB. */
  readonly time: number
  /** How many times longer a path of twice the length takes. */
  readonly growth: number
}

async function measure(app: Router, pathOf: (length: number) => string): Promise<Measured> {
  const [path, short, long] = [pathOf(LENGTH), pathOf(SHORT), pathOf(8 * SHORT)]
  const time = fastest(() => app.match('GET', path))
  const growth = await growthAtDouble({
    short: () => app.match('GET', short),
    long: () => app.match('GET', long),
  })
  return { time, growth }
}

function report(t: TestContext, what: string, measured: readonly Measured[]): void {
  const time = Math.max(...measured.map((each) => each.time))
  const growth = Math.max(...measured.map((each) => each.growth))
  figure(t, 'R-53', {
    what: `slowest match of ${what}`,
    value: `${time.toFixed(2)} ms`,
    goal: 'at most 5 ms',
  })
  figure(t, 'R-53', {
    what: 'at double length, from 8 to 64 KiB',
    value: `${growth.toFixed(2)} x`,
    goal: `at most ${GOAL_AT_DOUBLE_SIZE} x`,
  })
  assert.ok(growth <= MAX_AT_DOUBLE_SIZE, `${growth.toFixed(2)} times at double length`)
}

describe('the time of a match', () => {
  it('is linear in the length of the path, whatever it holds [R-53]', async (t) => {
    const app = site((r) => {
      r.get('/{slug}', [PageController, 'show'])
      r.get('/{slug}/x', [PageController, 'edit']).where('slug', '([a-z]+)*')
      r.get('/f/{path}', [PageController, 'files']).where('path', '.*')
      r.get('/{a}/{b}', [PageController, 'pair'])
    })
    const pieces = ['a', 'a/', '%61', '%2F', 'f/', '/', 'é', '%C3%A9', '%', '%25', '../', './', ';', '\\']
    const shapes = pieces.flatMap((piece) => [
      (length: number) => `/${piece.repeat(length / piece.length)}`,
      (length: number) => `/f/${piece.repeat(length / piece.length)}`,
      (length: number) => `/${piece.repeat(length / piece.length)}!/x`,
    ])

    const measured: Measured[] = []
    for (const pathOf of shapes) measured.push(await measure(app, pathOf))

    report(t, `${shapes.length} paths of 16 KiB`, measured)
  })

  it('is linear for 60 constraints that make a backtracking engine explode, or they are refused [R-53]', async (t) => {
    assert.equal(new Set(EVIL_CONSTRAINTS).size, 60)
    let refused = 0
    const measured: Measured[] = []
    for (const source of EVIL_CONSTRAINTS) {
      const app = site((r) => r.get('/{slug}', [PageController, 'show']).where('slug', source))
      try {
        app.match('GET', '/x')
      } catch (error) {
        assert.ok(error instanceof RoutingException && error.code === 'invalid-pattern')
        refused++
        continue
      }
      for (const unit of ['a', 'ab', '1', 'x', 'aA'])
        measured.push(await measure(app, (length) => `/${unit.repeat(length / unit.length)}!~`))
    }

    figure(t, 'R-53', { what: 'of 60 evil constraints refused', value: refused, goal: 'the others linear' })
    report(t, `${measured.length} paths of 16 KiB by the others`, measured)
  })

  it('visits each place of a table once, where every segment has two ways on [R-53]', (t) => {
    const depth = 10
    const names = Array.from({ length: depth }, (_, index) => `p${index}`)
    class BranchController {
      static readonly actions = { any: names.map((name) => param.string(name).optional()) }
      any(): void {}
    }
    const app = site((r) => {
      for (let route = 0; route < 2 ** depth; route++) {
        const parts = names.map((name, at) => (((route >> at) & 1) === 1 ? 'a' : `{${name}}`))
        r.get(`/${parts.join('/')}/end`, [BranchController, 'any'])
      }
    })
    const missed = `/${'a/'.repeat(depth)}nothing`
    assert.equal(ask(app, `/${'a/'.repeat(depth)}end`).startsWith('Site BranchController.any('), true)
    assert.equal(ask(app, missed), '404')

    const time = fastest(() => app.match('GET', missed))
    const what = 'a miss that has to try all of 1,024 routes'
    figure(t, 'R-53', { what, value: `${time.toFixed(2)} ms`, goal: 'at most 5 ms' })
  })

  it('builds a thousand routes and answers', (t) => {
    const modules = Array.from({ length: 50 }, (_, index) => {
      return module(`M${index}`, {
        convention: false,
        steps: [
          table((r) =>
            Array.from({ length: 20 }, (__, route) => r.get(`/r${route}/{slug}`, [PageController, 'show'])),
          ),
        ],
      })
    })

    const time = fastest(() => assert.equal(ask(router(modules), '/m7/r3/x'), 'M7 PageController.show("x")'))
    figure(t, 'issue 3', {
      what: '1,000 routes built and answered',
      value: `${time.toFixed(1)} ms`,
      goal: '4 ms',
    })
  })
})
