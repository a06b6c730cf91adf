import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { describe, it } from 'node:test'

import { departureOf } from '../../src/node/departure.ts'

/** A response of a connection, as far as it says whether it was sent and whether it closed. */
class Outgoing extends EventEmitter {
  writableFinished = false
  destroyed = false

  signal(): AbortSignal {
    return departureOf(this as unknown as ServerResponse)
  }
}

describe('departureOf()', () => {
  it('aborts when the connection closes before the response was sent, not before [HOLD-15]', () => {
    const outgoing = new Outgoing()
    const signal = outgoing.signal()
    assert.equal(signal.aborted, false)

    outgoing.emit('close')

    assert.equal(signal.aborted, true)
  })

  it('does not abort when the response was sent [HOLD-15]', () => {
    const outgoing = new Outgoing()
    const signal = outgoing.signal()

    outgoing.writableFinished = true
    outgoing.emit('close')

    assert.equal(signal.aborted, false)
  })

  it('is aborted at once if the client has disconnected before [HOLD-15]', () => {
    const gone = new Outgoing()
    gone.destroyed = true
    const sent = new Outgoing()
    Object.assign(sent, { destroyed: true, writableFinished: true })

    assert.equal(gone.signal().aborted, true)
    assert.equal(sent.signal().aborted, false)
  })
})
