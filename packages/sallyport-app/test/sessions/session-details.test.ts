import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { deviceOf, parseDevice } from 'sallyport-app/clients'
import { readSessionDetails, sessionDetails } from 'sallyport-app/sessions'

const CLIENT = {
  clientAddress: '203.0.113.7',
  device: deviceOf('Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0'),
}

describe('the details of a session', () => {
  it('say from where it came, and what was proven', () => {
    const { device, place, proven } = readSessionDetails(
      sessionDetails(CLIENT, { password: 1, kind: 'totp' }),
    )

    assert.deepEqual(device, parseDevice(CLIENT.device))
    assert.deepEqual([place, proven], ['203.0.113.0/24', ['password', 'totp']])
  })

  it('say nothing where they are malformed', () => {
    const nothing = readSessionDetails({})

    assert.deepEqual([nothing.place, nothing.proven], ['', []])
    assert.deepEqual(readSessionDetails({ device: 7, place: null, proven: [1, {}] }), nothing)
  })
})
