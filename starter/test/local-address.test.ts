import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { byName } from '../core/boot/local-address.ts'

describe('byName()', () => {
  const cases: readonly (readonly [
    title: string,
    url: string,
    addresses: readonly string[],
    shown: string,
  ])[] = [
    ['both', 'http://127.0.0.1:3000', ['::1', '127.0.0.1'], 'http://localhost:3000'],
    ['IPv4', 'http://127.0.0.1:3000', ['127.0.0.1'], 'http://localhost:3000'],
    ['IPv6, where the server listens', 'http://[::1]:3000', ['::1'], 'http://localhost:3000'],
    ['IPv6, where the server does not listen', 'http://127.0.0.1:3000', ['::1'], 'http://127.0.0.1:3000'],
    ['nothing, which browsers know better', 'http://127.0.0.1:3000', [], 'http://localhost:3000'],
    ['another address of the machine', 'http://127.0.0.2:3000', ['127.0.0.1'], 'http://127.0.0.2:3000'],
    ['what is not asked for a network', 'http://10.0.0.7:3000', ['127.0.0.1'], 'http://10.0.0.7:3000'],
  ]
  for (const [title, url, addresses, shown] of cases)
    it(`shows ${shown} for ${url} where localhost is ${title} [RA-1201]`, async () => {
      assert.equal(await byName(url, () => Promise.resolve(addresses)), shown)
    })
})
