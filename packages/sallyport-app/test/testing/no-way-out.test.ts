import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { takeOutgoing } from '../../src/testing/no-way-out.ts'

describe('no way out', () => {
  it('lets nothing connect to another machine, and names what wanted to [MEND-02]', async () => {
    await assert.rejects(fetch('http://crl.example.test/list'))
    await assert.rejects(fetch('http://192.0.2.1:8080/'))

    assert.deepEqual(takeOutgoing(), ['crl.example.test', '192.0.2.1'])
  })
})
