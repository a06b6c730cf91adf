import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { handedOut } from '../../src/http/internal.ts'

const MEMBERS = ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text'] as const

describe('handedOut()', () => {
  it('leaves a request unchanged: of the platform, with its body, can be copied and cloned', async () => {
    const request = handedOut(new Request('http://app.test/', { method: 'POST', body: '{"a":1}' }))
    const clone = request.clone()
    const copy = new Request(request.clone())

    assert.ok(request instanceof Request && clone instanceof Request)
    assert.deepEqual(Object.keys(request), Object.keys(new Request('http://app.test/')))
    assert.deepEqual(await request.json(), { a: 1 })
    assert.equal(await clone.clone().text(), '{"a":1}')
    assert.deepEqual(new Uint8Array(await clone.arrayBuffer()), await copy.bytes())
  })

  it('passes the platform’s error to code that awaits it', async () => {
    const request = handedOut(new Request('http://app.test/', { method: 'POST', body: '{' }))

    await assert.rejects(request.json(), SyntaxError)
    await assert.rejects(request.text(), TypeError)
  })

  for (const name of MEMBERS) {
    it(`${name}() of the request and of its clones ends no process when it fails unawaited [HOLD-01]`, async (t) => {
      const unhandled: unknown[] = []
      const listen = (reason: unknown): void => void unhandled.push(reason)
      process.on('unhandledRejection', listen)
      t.after(() => process.off('unhandledRejection', listen))
      const body = new ReadableStream(
        { pull: () => Promise.reject(new Error('reset')) },
        { highWaterMark: 0 },
      )
      const request = handedOut(new Request('http://app.test/', { method: 'POST', body, duplex: 'half' }))

      const readings = [request.clone().clone(), request].map((each) => each[name]())
      await sleep(2)

      assert.deepEqual(unhandled, [])
      for (const reading of readings) await assert.rejects(reading)
    })
  }

  it('allows members of a host’s request to be replaced and restored, as in a test', async () => {
    const request = handedOut(new Request('http://app.test/', { method: 'POST', body: 'a' }))

    for (const name of [...MEMBERS, 'clone'] as const) {
      Object.assign(request, { [name]: () => 'b' })
      assert.equal(request[name](), 'b' as never)
      assert.ok(Reflect.deleteProperty(request, name))
    }

    assert.equal(await request.text(), 'a')
  })
})
