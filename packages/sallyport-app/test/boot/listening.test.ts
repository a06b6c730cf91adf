import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { byName } from 'sallyport-app/boot'

describe('byName()', () => {
  for (const [host, addresses, shown] of [
    ['127.0.0.1', ['::1', '127.0.0.1'], 'http://localhost:3000'],
    ['::1', ['::1'], 'http://localhost:3000'],
    ['127.0.0.1', ['::1'], 'http://127.0.0.1:3000'],
    ['::1', ['127.0.0.1'], 'http://[::1]:3000'],
    ['127.0.0.1', [], 'http://localhost:3000'],
    ['10.0.0.7', ['127.0.0.1'], 'http://10.0.0.7:3000'],
    ['0.0.0.0', ['127.0.0.1'], 'http://localhost:3000'],
  ] as const)
    it(`shows ${shown} for ${host} where localhost is ${addresses.join(' and ') || 'unknown'} [RA-1201]`, async () => {
      assert.equal(await byName({ host, port: 3000 }, () => Promise.resolve(addresses)), shown)
    })
})
