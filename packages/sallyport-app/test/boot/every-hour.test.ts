import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { configureSync, resetSync } from '@logtape/logtape'
import { everyHour } from 'sallyport-app/boot'

const HOUR = 60 * 60 * 1000

/** Lets what was begun go on to its next wait. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
}

/** Lets time go by, and what it begins. */
function clockOf(test: TestContext): (milliseconds: number) => Promise<void> {
  test.mock.timers.enable({ apis: ['setInterval'] })
  return (milliseconds) => {
    test.mock.timers.tick(milliseconds)
    return settle()
  }
}

describe('the hourly tasks', () => {
  it('run at the start and every hour, in their order, until they are ended; one that fails is logged', async (test) => {
    const pass = clockOf(test)
    const errors: unknown[] = []
    configureSync({
      sinks: { errors: ({ properties }) => void errors.push(properties['name']) },
      loggers: [
        { category: ['app'], lowestLevel: 'error', sinks: ['errors'] },
        { category: ['logtape', 'meta'], lowestLevel: 'fatal', sinks: [] },
      ],
    })
    test.after(() => resetSync())
    const done: string[] = []
    const end = everyHour([
      { name: 'one', run: async () => done.push('one') },
      { name: 'broken', run: () => Promise.reject(new Error('no database')) },
      { name: 'two', run: async () => done.push('two') },
    ])
    await settle()
    assert.deepEqual(done, ['one', 'two'])

    await pass(HOUR - 1)
    assert.equal(done.length, 2)
    await pass(1)
    assert.deepEqual(done, ['one', 'two', 'one', 'two'])

    await end()
    await pass(5 * HOUR)
    assert.deepEqual([done.length, errors], [4, ['broken', 'broken']])
  })

  it('do not overlap, and the end waits for the one that runs', async (test) => {
    const pass = clockOf(test)
    const { promise, resolve } = Promise.withResolvers<undefined>()
    let [begun, ended] = [0, false]
    const end = everyHour([
      { name: 'slow', run: () => ((begun += 1), promise) },
      { name: 'next', run: async () => (begun += 100) },
    ])
    await settle()
    await pass(3 * HOUR)
    assert.equal(begun, 1)

    const over = end().then(() => (ended = true))
    await settle()
    assert.equal(ended, false)
    resolve(undefined)
    await over

    assert.equal(begun, 1)
  })
})
