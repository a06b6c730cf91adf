import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { App } from 'sallyport'
import { serve } from 'sallyport/node'

import { site } from './fixture.ts'
import { unhandledRejections } from './unhandled-rejections.ts'

const never = (): Promise<never> => new Promise(() => undefined)

async function failureOf(closing: Promise<void>): Promise<AggregateError> {
  const error: unknown = await closing.then(
    () => assert.fail('closed'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof AggregateError)
  return error
}

describe('App.close()', () => {
  const unhandled = unhandledRejections()

  it('closes what was opened, in reverse order, once, with one promise for all callers [HOLD-52]', async () => {
    const closed: string[] = []
    const app = App.create()
      .onClose(() => void closed.push('database'))
      .onClose(async () => {
        await sleep(5)
        closed.push('queue')
      })

    const [one, two] = [app.close(), app.close()]

    assert.equal(one, two)
    await one
    assert.equal(app.close(), one)
    assert.deepEqual(closed, ['queue', 'database'])
  })

  it('runs every hook even if others fail, in each way, and names those [HOLD-52]', async () => {
    const closed: string[] = []
    const fault = new Error('the pool is busy')
    const app = App.create()
      .onClose(() => void closed.push('first'))
      .onClose(function closeDatabase() {
        throw fault
      })
      .onClose(() => void closed.push('third'))
      .onClose(async () => {
        throw undefined as unknown as Error
      })
      .onClose(() => ({ then: (_: unknown, reject: (reason: unknown) => void) => reject(fault) }) as never)
      .onClose(() => void closed.push('last'))

    const error = await failureOf(app.close())

    assert.deepEqual(closed, ['last', 'third', 'first'])
    assert.equal(error.errors.length, 3)
    assert.match(error.message, /closeDatabase \(.*close-hooks\.test\.ts:\d+\): the pool is busy/)
    assert.deepEqual(
      error.errors.map((each: Error) => each.cause),
      [fault, undefined, fault],
    )
    assert.equal(await failureOf(app.close()), error)
  })

  it('continues after a hook that hangs, when its time is over [HOLD-52]', async () => {
    const closed: string[] = []
    const app = App.create()
      .onClose(() => void closed.push('database'))
      .onClose(
        function flush() {
          return never()
        },
        { milliseconds: 20 },
      )
      .onClose(() => void closed.push('queue'))

    const error = await failureOf(app.close())

    assert.deepEqual(closed, ['queue', 'database'])
    assert.match(error.message, /flush \(.*\): it did not end within 20 ms/)
  })

  it('leaves no unhandled rejection of a hook that fails after its time [HOLD-52]', async () => {
    const app = App.create().onClose(
      async () => {
        await sleep(20)
        throw new Error('late')
      },
      { milliseconds: 5 },
    )

    await failureOf(app.close())
    await sleep(30)

    assert.deepEqual(unhandled, [])
  })

  it('gives a hook five seconds by default [HOLD-52]', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const app = App.create().onClose(never)
    const closing = failureOf(app.close())
    await Promise.resolve()
    await Promise.resolve()

    t.mock.timers.tick(4999)
    assert.equal(await Promise.race([closing, Promise.resolve('open')]), 'open')
    t.mock.timers.tick(1)

    assert.match((await closing).message, /5000 ms/)
  })

  it('refuses an invalid time and an invalid hook [HOLD-52]', () => {
    for (const milliseconds of [0, -1, NaN])
      assert.throws(() => App.create().onClose(() => undefined, { milliseconds }), RangeError)
    assert.throws(() => App.create().onClose('close' as never), TypeError)
  })

  it('accepts Infinity and long times, which do not end early [HOLD-52]', async () => {
    for (const milliseconds of [Infinity, 2 ** 40]) {
      let isClosed = false
      const app = App.create().onClose(
        async () => {
          await sleep(10)
          isClosed = true
        },
        { milliseconds },
      )
      await app.close()
      assert.equal(isClosed, true)
    }
  })

  it('runs a hook that another one adds, and refuses a later one [HOLD-52]', async () => {
    const closed: string[] = []
    const app = App.create()
    app.onClose(() => {
      closed.push('outer')
      app.onClose(() => void closed.push('inner'))
    })

    await app.close()

    assert.deepEqual(closed, ['outer', 'inner'])
    assert.throws(() => app.onClose(() => undefined), /has been closed/)
  })

  it('before the boot: runs the hooks, and nothing boots after that [HOLD-52]', async () => {
    const closed: string[] = []
    const app = site({ 'GET /': () => 'hi' }).onClose(() => void closed.push('database'))

    await app.close()

    assert.deepEqual(closed, ['database'])
    await assert.rejects(app.boot(), /has been closed/)
    assert.equal((await app.fetch(new Request('http://app.test/'))).status, 500)
  })

  it('during the boot: waits for it, because it may open more [HOLD-52]', async () => {
    const closed: string[] = []
    const app = site({ 'GET /': () => 'hi' })
    app.onClose(() => void closed.push('early'))
    app.configure(() => app.onClose(() => void closed.push('opened at boot')))

    const booting = app.boot()
    await app.close()

    assert.equal(await booting, app)
    assert.deepEqual(closed, ['opened at boot', 'early'])
  })

  it('after a boot that failed: runs the hooks, and does not report the boot again [HOLD-52]', async () => {
    const closed: string[] = []
    const app = site({ 'GET /': () => 'hi' }).onClose(() => void closed.push('database'))
    app.configure(() => {
      throw new Error('boot')
    })

    const booting = app.boot()
    const closing = app.close()

    await assert.rejects(booting, /boot/)
    await closing
    assert.deepEqual(closed, ['database'])
  })

  it('fails with the server that closes it, after every hook [HOLD-52]', async () => {
    const closed: string[] = []
    const app = site({ 'GET /': () => 'hi' })
      .onClose(() => void closed.push('database'))
      .onClose(() => {
        throw new Error('flush')
      })
    const server = await serve(app, { port: 0, signals: [] })

    const error = await failureOf(server.close())

    assert.match(error.message, /flush/)
    assert.deepEqual(closed, ['database'])
  })
})
