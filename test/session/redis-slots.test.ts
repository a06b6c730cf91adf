import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createClient } from 'redis'
import { RedisKeys } from '../../src/session/redis-keys.ts'
import { slotOf } from '../../src/session/redis-slots.ts'
import { RedisServer, withoutRedis } from '../services/redis-server.ts'

describe('slotOf()', () => {
  it('is the checksum of the specification, of the hash tag where there is one [ACCT-06]', () => {
    assert.equal(slotOf('123456789'), 0x31c3 % 16_384)
    assert.equal(slotOf('foo{bar}'), slotOf('bar'))
    assert.equal(slotOf('foo{bar}{zap}'), slotOf('bar'))
    assert.equal(slotOf('foo{{bar}}zap'), slotOf('{bar'))
    assert.notEqual(slotOf('foo{}{bar}'), slotOf('bar'))
    assert.equal(slotOf(''), 0)
  })

  it('is what a server says [ACCT-06]', { skip: withoutRedis }, async () => {
    await using server = await RedisServer.startForCluster()
    const client = createClient({ url: server.url })
    await client.connect()
    const keys = [
      '',
      '{',
      '}',
      '{}',
      'a{',
      '{a',
      '}a{b}',
      '{é}x',
      '€',
      new RedisKeys('shop').of('ab'.repeat(23)),
    ]

    for (const key of keys)
      assert.equal(slotOf(key), await client.sendCommand(['CLUSTER', 'KEYSLOT', key]), key)
    await client.close()
  })

  it('spreads the 4,096 groups of a prefix [ACCT-06]', () => {
    const characters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
    for (const prefix of ['sallyport:session', 'a', 'shop-sessions', 'é']) {
      const keys = new RedisKeys(prefix)
      const slots = characters.flatMap((first) =>
        characters.map((second) => slotOf(keys.of(first + second + 'x'.repeat(43)))),
      )

      // Three nodes have a third of the slots each.
      for (const node of [0, 1, 2]) {
        const share = slots.filter((slot) => Math.floor(slot / 5462) === node).length / slots.length
        assert.ok(share > 0.3 && share < 0.37, `${prefix}: ${share}`)
      }
    }
  })
})
