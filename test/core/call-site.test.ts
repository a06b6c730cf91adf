import assert from 'node:assert/strict'
import { performance } from 'node:perf_hooks'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'
import { callSite, placeOf } from '../../src/core/call-site.ts'

/** Calls a function from a file that is no module. */
function callFrom(filename: string, called: () => unknown): unknown {
  const run: unknown = new Script('\n(called) => called()', { filename }).runInThisContext()
  assert.ok(isCaller(run))
  return run(called)
}

function isCaller(value: unknown): value is (called: () => unknown) => unknown {
  return typeof value === 'function'
}

describe('callSite()', () => {
  it('is file and line of the caller, as a path', () => {
    const [file, line] = (callSite() ?? '').split(/:(?=\d+$)/)

    assert.equal(file, fileURLToPath(import.meta.url))
    assert.match(line ?? '', /^\d+$/)
  })

  it('skips internal frames of the platform', () => {
    const [place] = [0].map(callSite)

    assert.match(place ?? '', /\/call-site\.test\.ts:\d+$/)
  })

  it('skips internal frames of other runtimes', () => {
    const error = new Error('x')
    error.stack =
      'Error: x\n    at map (native:1:11)\n    at next (ext:core/01_core.js:2:3)\n    at a (/app/a.ts:4:5)'

    assert.equal(placeOf(error), '/app/a.ts:4')
  })

  it('is also known for a file that is not a module', () => {
    assert.equal(callFrom('/app/routes.cjs', callSite), '/app/routes.cjs:2')
  })

  it('skips every folder of the framework', () => {
    const inside = fileURLToPath(new URL('../../src/routing/inside.cjs', import.meta.url))

    assert.match(String(callFrom(inside, callSite)), /\/call-site\.test\.ts:\d+$/)
  })

  it('leaves the stack depth unchanged', () => {
    const before = Error.stackTraceLimit
    Error.stackTraceLimit = 3
    callSite()

    assert.equal(Error.stackTraceLimit, 3)
    Error.stackTraceLimit = before
  })
})

describe('placeOf()', () => {
  it('does not search a long message for a place', () => {
    const error = new Error(`x\n${'x'.repeat(500_000)}`)
    const started = performance.now()

    assert.match(placeOf(error) ?? '', /\/call-site\.test\.ts:\d+$/)
    // It took minutes.
    assert.ok(performance.now() - started < 10_000)
  })
})
