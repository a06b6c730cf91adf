import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { configureSync, resetSync } from '@logtape/logtape'
import { everyHour } from '../../core/operations/every-hour.ts'

const HOUR = 60 * 60 * 1000

/** Lets what was begun go on to its next wait. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
}

function clockOf(test: TestContext): TestContext['mock']['timers'] {
  test.mock.timers.enable({ apis: ['setInterval'] })
  return test.mock.timers
}

describe('the hourly tasks', () => {
  it('run at the start and every hour, in their order, until they are ended', async (test) => {
    const timers = clockOf(test)
    const done: string[] = []
    const task = (name: string): { readonly name: string; readonly run: () => Promise<unknown> } => ({
      name,
      run: async () => done.push(name),
    })
    const end = everyHour([task('one'), task('two')])
    await settle()
    assert.deepEqual(done, ['one', 'two'])

    timers.tick(HOUR - 1)
    await settle()
    assert.equal(done.length, 2)
    timers.tick(1)
    await settle()
    assert.deepEqual(done, ['one', 'two', 'one', 'two'])

    await end()
    timers.tick(5 * HOUR)
    await settle()
    assert.equal(done.length, 4)
  })

  it('go on after one that fails, and log it', async (test) => {
    const timers = clockOf(test)
    const errors: unknown[] = []
    configureSync({
      sinks: { errors: ({ properties }) => void errors.push(properties['name']) },
      loggers: [
        { category: ['starter', 'hourly'], lowestLevel: 'error', sinks: ['errors'] },
        { category: ['logtape', 'meta'], lowestLevel: 'fatal', sinks: [] },
      ],
    })
    test.after(() => resetSync())
    let count = 0
    const end = everyHour([
      { name: 'broken', run: () => Promise.reject(new Error('no database')) },
      { name: 'sound', run: async () => (count += 1) },
    ])

    await settle()
    timers.tick(HOUR)
    await settle()

    assert.deepEqual([errors, count], [['broken', 'broken'], 2])
    await end()
  })

  it('do not overlap, and the end waits for the one that runs', async (test) => {
    const timers = clockOf(test)
    const { promise, resolve } = Promise.withResolvers<undefined>()
    let [begun, ended] = [0, false]
    const end = everyHour([
      { name: 'slow', run: () => ((begun += 1), promise) },
      { name: 'next', run: async () => (begun += 100) },
    ])
    await settle()
    timers.tick(3 * HOUR)
    await settle()
    assert.equal(begun, 1)

    const over = end().then(() => (ended = true))
    await settle()
    assert.equal(ended, false)
    resolve(undefined)
    await over

    assert.equal(begun, 1)
  })
})
