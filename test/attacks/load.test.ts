import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Controller, defineModule } from 'sallyport'
import type { Middleware, Next } from 'sallyport/http'
import { type Actions, param } from 'sallyport/routing'
import { sendRaw } from './fixture/raw.ts'
import { World } from './fixture/world.ts'

const NIGHTLY = process.env['NIGHTLY'] === '1'

/** Fails at every moment at which a handler can. */
class FaultController extends Controller {
  static readonly actions: Actions<FaultController> = { at: [param.string('moment')] }

  at(moment: string): Response | string | Promise<string> {
    const fault = new Error(`canary-fault ${moment}`)
    if (moment === 'before') throw fault
    if (moment === 'later') return pause(1).then(() => Promise.reject(fault))
    if (moment === 'stream')
      return new Response(failingStream(fault), { headers: { 'content-type': 'text/plain' } })
    if (moment === 'after')
      void pause(1)
        .then(() => this.context.session().set('late', 1))
        .catch(() => undefined)
    return 'fine'
  }
}

/** Fails on the way in, or on the way out. */
class Broken implements Middleware {
  async process(context: { path(): string }, next: Next): Promise<Response> {
    if (context.path().endsWith('/in')) throw new Error('canary-fault in')
    const response = await next()
    if (context.path().endsWith('/out')) throw new Error('canary-fault out')
    return response
  }
}

function failingStream(fault: Error): ReadableStream<Uint8Array> {
  let sent = false
  return new ReadableStream({
    async pull(controller) {
      await pause(1)
      if (sent) throw fault
      sent = true
      controller.enqueue(Buffer.from('begun'))
    },
  })
}

describe('abuse by load', () => {
  it('no moment of a failure ends the process or is logged twice [A-128]', async (test) => {
    const fault = defineModule('Fault', (module) =>
      module
        .withoutConventionRouting()
        .middleware(Broken)
        .routes((routes) => void routes.get('/{moment}', [FaultController, 'at'])),
    )
    const world = await World.create(test, { modules: [fault] })
    const { port } = await world.server()
    const rejections: unknown[] = []
    const onRejection = (reason: unknown): void => void rejections.push(reason)
    process.on('unhandledRejection', onRejection)
    test.after(() => process.off('unhandledRejection', onRejection))
    const rounds = NIGHTLY ? 1000 : 40
    for (const moment of ['in', 'before', 'later', 'out', 'after']) {
      world.fixture.log.length = 0
      for (let i = 0; i < rounds; i++) {
        const { status, body } = await sendRaw(port, { target: `/fault/${moment}` })
        assert.equal(status, moment === 'after' ? 200 : 500, moment)
        assert.ok(!body.includes('canary-fault'), moment)
      }
      assert.equal(world.fixture.log.length, moment === 'after' ? 0 : rounds, `${moment}: once each`)
    }
    world.fixture.log.length = 0
    // The head is out by then, so such a fault goes to the standard error output.
    const written = test.mock.method(process.stderr, 'write', () => true)
    for (let i = 0; i < rounds; i++) {
      const answer = await sendRaw(port, { target: '/fault/stream' })
      assert.equal(answer.status, 200)
      assert.equal(answer.body, 'begun', 'the connection is cut, not ended as if all was there')
    }
    written.mock.restore()
    const reported = written.mock.calls.filter((call) =>
      String(call.arguments[0]).includes('canary-fault stream'),
    ).length
    assert.equal(world.fixture.log.length + reported, rounds, 'stream: once each')
    assert.deepEqual(rejections, [])
    assert.equal((await world.raw({ target: '/' })).status, 200)
    world.fixture.log.length = 0
  })
})
