import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { handedOut } from '../../src/http/index.ts'

describe('handedOut()', () => {
  it('leaves a request what it is: of the platform, with its body, to be copied and cloned', async () => {
    const request = handedOut(new Request('http://app.test/', { method: 'POST', body: '{"a":1}' }))
    const clone = request.clone()
    const copy = new Request(request.clone())

    assert.ok(request instanceof Request && clone instanceof Request)
    assert.deepEqual(Object.keys(request), Object.keys(new Request('http://app.test/')))
    assert.deepEqual(await request.json(), { a: 1 })
    assert.equal(await clone.clone().text(), '{"a":1}')
    assert.deepEqual(new Uint8Array(await clone.arrayBuffer()), await copy.bytes())
  })

  it('gives the error of the platform to whoever waits', async () => {
    const request = handedOut(new Request('http://app.test/', { method: 'POST', body: '{' }))

    await assert.rejects(request.json(), SyntaxError)
    await assert.rejects(request.text(), TypeError)
  })
})
