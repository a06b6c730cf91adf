import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'

import { param, type Router, RoutingException } from 'sallyport/routing'

import { ask, module, PageController, router, site, table } from '../routing/fixture.ts'
import { figure } from './figure.ts'
import { EVIL_CONSTRAINTS } from './paths/evil-constraints.ts'

const KIB = 1024
const LENGTH = 16 * KIB
// Over three doublings, for a list of more than 16,383 items is one that the platform makes in another, slower way: a step
// between two sizes, not a growth.
const [SHORT, LONG] = [8 * KIB, 64 * KIB]
const MOST_AT_DOUBLE_LENGTH = 2.2
const MOST_MILLISECONDS = 2000

/** The time of one run, in milliseconds. */
function timeOf(run: () => unknown): number {
  const start = performance.now()
  run()
  return performance.now() - start
}

/** The least of the times of some runs: other work on the machine only ever adds. */
function fastest(run: () => unknown, turns = 9): number {
  return Math.min(...Array.from({ length: turns }, () => timeOf(run)))
}

interface Measured {
  /** Milliseconds for a path of 16 KiB. */
  readonly time: number
  /** How many times longer a path of twice the length takes. */
  readonly growth: number
}

/** Matches paths of several lengths in turn; what is not linear stays so, however often it is measured. */
function measure(app: Router, pathOf: (length: number) => string): Measured {
  const [short, long] = [pathOf(SHORT), pathOf(LONG)]
  const time = fastest(() => app.match('GET', pathOf(LENGTH)))
  let [least, most, growth] = [Infinity, Infinity, Infinity]
  const end = performance.now() + MOST_MILLISECONDS
  for (let turn = 0; turn < 5 || (growth > MOST_AT_DOUBLE_LENGTH && performance.now() < end); turn++) {
    least = Math.min(
      least,
      timeOf(() => app.match('GET', short)),
    )
    most = Math.min(
      most,
      timeOf(() => app.match('GET', long)),
    )
    // What takes microseconds is lost in the clock.
    growth = Math.cbrt(most / Math.max(least, 0.02))
  }
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
    goal: 'at most 2.2 x',
  })
  assert.ok(growth <= MOST_AT_DOUBLE_LENGTH, `${growth.toFixed(2)} times at double length`)
}

describe('the time of a match', () => {
  it('R-53: is linear in the length of the path, whatever it holds', (t) => {
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

    report(
      t,
      `${shapes.length} paths of 16 KiB`,
      shapes.map((pathOf) => measure(app, pathOf)),
    )
  })

  it('R-53: is linear for 60 constraints that make a backtracking engine explode, or they are refused', (t) => {
    assert.equal(new Set(EVIL_CONSTRAINTS).size, 60)
    let refused = 0
    const measured = EVIL_CONSTRAINTS.flatMap((source) => {
      const app = site((r) => r.get('/{slug}', [PageController, 'show']).where('slug', source))
      try {
        app.match('GET', '/x')
      } catch (error) {
        assert.ok(error instanceof RoutingException && error.code === 'invalid-pattern')
        refused++
        return []
      }
      return ['a', 'ab', '1', 'x', 'aA'].map((unit) =>
        measure(app, (length) => `/${unit.repeat(length / unit.length)}!~`),
      )
    })

    figure(t, 'R-53', { what: 'of 60 evil constraints refused', value: refused, goal: 'the others linear' })
    report(t, `${measured.length} paths of 16 KiB by the others`, measured)
  })

  it('R-53: visits each place of a table once, where every segment has two ways on', (t) => {
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
