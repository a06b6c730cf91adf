import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { RedisKeys } from '../../src/session/redis-keys.ts'
import { slotOf } from '../../src/session/redis-slots.ts'
import { RedisSessionStore } from '../../src/session/redis.ts'
import { FrozenClock, proveSessionStore } from '../../src/testing/index.ts'
import { idAfter, newId } from '../../src/testing/session-store/run.ts'
import { figure, NONE, sized } from '../reliability/figure.ts'
import {
  assertExplained,
  DEEDS,
  type Deed,
  outcomeOf,
  request,
  signedIn,
} from '../reliability/races/trial.ts'
import { ClusterLoad } from '../services/cluster-load.ts'
import { type ClusterNode, RedisClusterServers } from '../services/redis-cluster.ts'
import { redis, RedisServer, valkey, withoutRedis } from '../services/redis-server.ts'

const noChanges = { set: new Map<string, string>(), removed: new Set<string>() }
const keys = new RedisKeys('sallyport:session')
const COUNTED = ['get', 'set', 'evalsha', 'eval', 'mget', 'exists'] as const

function lifetime(): { createdAt: number; expiresAt: number } {
  const now = Date.now()
  return { createdAt: now, expiresAt: now + 3_600_000 }
}

async function callsOf(nodes: readonly ClusterNode[]): Promise<Record<string, number>> {
  const calls: Record<string, number> = {}
  for (const node of nodes) {
    const said = String(await node.send('INFO', 'commandstats'))
    for (const name of COUNTED)
      calls[name] =
        (calls[name] ?? 0) + Number(new RegExp(`cmdstat_${name}:calls=(\\d+)`).exec(said)?.[1] ?? 0)
  }
  return calls
}

function testCluster(program: string): void {
  let servers: RedisClusterServers
  let store: RedisSessionStore
  before(async () => {
    servers = await RedisClusterServers.start(3, 0, program)
    // Patient: the machine may be busy, and how long an operation takes is not what is tested here.
    store = await RedisSessionStore.connect({ cluster: servers.urls, timeoutMilliseconds: 5000 })
  })
  after(async () => {
    store.close()
    await servers[Symbol.asyncDispose]()
  })

  it('has between 25 and 42 % of 3,000 sessions on each node [ACCT-06]', async (t) => {
    for (const node of servers.masters) await node.send('FLUSHALL')
    const ids = Array.from({ length: 3000 }, () => newId())
    await Promise.all(ids.map((id) => store.create(id, new Map(), lifetime())))

    const sizes = await Promise.all(servers.masters.map((node) => node.size()))

    assert.equal(
      sizes.reduce((sum, size) => sum + size),
      3000,
    )
    for (const size of sizes) assert.ok(size > 750 && size < 1260, `one node has ${size} of 3,000`)
    figure(t, 'ACCT-06', {
      what: 'sessions of 3,000 on each of 3 nodes',
      value: sizes.join(', '),
      goal: '750 to 1,260',
    })
  })

  it('takes one round trip for each operation on a session [ACCT-06]', async () => {
    const warm = newId()
    for (const node of servers.masters) {
      const id = Array.from({ length: 1000 }, newId).find((each) => slotIsOf(servers, each, node)) ?? warm
      const to = idAfter(id)
      await store.create(id, new Map(), lifetime())
      await store.update(id, noChanges, lifetime())
      await store.update(id, { ...noChanges, expected: new Map() }, lifetime())
      await store.rotate(id, to, noChanges, lifetime())
      await store.destroy(to)
    }
    for (const node of servers.masters) await node.send('CONFIG', 'RESETSTAT')

    const id = newId()
    const to = idAfter(id)
    await store.create(id, new Map([['a', '1']]), lifetime())
    await store.read(id)
    await store.update(id, noChanges, lifetime())
    await store.rotate(id, to, noChanges, lifetime())
    await store.read(id)
    await store.destroy(to)

    // Each of the three scripts reads once, and they write 1, 2 and 1.
    const calls = await callsOf(servers.masters)
    assert.deepEqual(calls, { get: 5, set: 5, evalsha: 3, eval: 0, mget: 0, exists: 0 })
  })

  it('goes on when every node has lost its scripts [ACCT-06]', async () => {
    const ids = Array.from({ length: 60 }, () => newId())
    await Promise.all(ids.map((id) => store.create(id, new Map(), lifetime())))
    for (const node of servers.masters) await node.send('SCRIPT', 'FLUSH')

    const moved = await Promise.all(
      ids.map(async (id) => {
        const to = idAfter(id)
        const isMoved = await store.rotate(id, to, noChanges, lifetime())
        return isMoved && (await store.update(to, noChanges, lifetime()))
      }),
    )

    assert.ok(moved.every(Boolean))
  })

  it('loses nothing that was confirmed while slots move [ACCT-06]', async (t) => {
    const load = await ClusterLoad.create(store, 200)
    load.begin()
    const slots = [...new Set(load.ids.map((id) => slotOf(keys.of(id))))]
    const count = sized(60, 180)
    let moved = 0
    for (const slot of slots.slice(0, count)) {
      const from = await nodeOf(servers, slot)
      const to = servers.masters[(servers.masters.indexOf(from) + 1) % 3] ?? from
      moved += await servers.moveSlot(slot, from, to)
    }
    const seen = await load.end()

    await load.assertConfirmed()
    assert.deepEqual([...seen.errors], [])
    assert.ok(seen.confirmed > 500 && moved > count, `${seen.confirmed} writes, ${moved} keys moved`)
    const what = `writes lost of ${seen.confirmed} while ${moved} keys in ${count} slots moved (${seen.refused} refused)`
    figure(t, 'ACCT-06', { what, value: NONE, goal: '0' })
  })

  it('asks for both sides of a slot that stays on its way, and rotates in it later [ACCT-06]', async () => {
    const id = newId()
    const slot = slotOf(keys.of(id))
    const from = await nodeOf(servers, slot)
    const to = servers.masters[(servers.masters.indexOf(from) + 1) % 3] ?? from
    const here = idAfter(id)
    await store.create(id, new Map([['a', '1']]), lifetime())
    await to.send('CLUSTER', 'SETSLOT', String(slot), 'IMPORTING', from.id)
    await from.send('CLUSTER', 'SETSLOT', String(slot), 'MIGRATING', to.id)

    // A new session of this slot is made on the node to which it goes, with scripts that this one may not know.
    await to.send('SCRIPT', 'FLUSH')
    await store.create(here, new Map([['b', '1']]), lifetime())
    assert.equal(await store.update(here, { ...noChanges, set: new Map([['c', '1']]) }, lifetime()), true)
    assert.equal((await store.read(here))?.data.size, 2)
    assert.equal((await store.read(id))?.data.size, 1)
    assert.equal(await store.update(id, noChanges, lifetime()), true)
    const next = idAfter(id)
    const rotating = store.rotate(id, next, noChanges, lifetime())
    await pause(100)
    await servers.moveSlot(slot, from, to)

    assert.equal(await rotating, true)
    assert.equal((await store.read(next))?.data.get('a'), '1')
    assert.equal((await store.read(id))?.successor, next)
  })

  it('requests at once come out as some order of them does [ACCT-06 R-05]', async (t) => {
    const ground = { clock: new FrozenClock(new Date()), store }
    const count = sized(300, 3000)
    let next = 0
    const worker = async (): Promise<void> => {
      while (next < count) {
        const trial = next++
        const deeds: Deed[] = [0, 1, 2].map((place) => DEEDS[Math.floor(trial / 7 ** place) % 7] ?? 'read')
        const cookie = await signedIn(ground)
        const changes = await Promise.all(deeds.map((deed, index) => request(ground, cookie, deed, index)))
        assertExplained(deeds, await outcomeOf(ground, cookie, changes), `trial ${trial}`)
      }
    }
    await Promise.all(Array.from({ length: 8 }, worker))
    figure(t, 'ACCT-06', {
      what: `outcomes of ${count} trials of 3 requests that no order explains`,
      value: NONE,
      goal: '0',
    })
  })

  describe('as a session store', () => {
    proveSessionStore(
      (clock) => RedisSessionStore.connect({ cluster: servers.urls, clock, timeoutMilliseconds: 5000 }),
      (opened) => opened.close(),
      {
        spoil: async (_, id) => {
          const node = await nodeOf(servers, slotOf(keys.of(id)))
          await node.send('SET', keys.of(id), 'x')
        },
      },
    )
  })

  it('finds the cluster through any of its nodes, and says when it finds none [ACCT-06]', async () => {
    const [first = ''] = servers.urls
    const through = await RedisSessionStore.connect({ cluster: ['redis://127.0.0.1:1', first] })
    const id = newId()
    await through.create(id, new Map(), lifetime())
    assert.equal((await store.read(id))?.ended, false)
    through.close()
    await assert.rejects(through.read(id), { code: 'ERR_SESSION_STORE_UNREACHABLE' })
    await assert.rejects(RedisSessionStore.connect({ cluster: ['redis://127.0.0.1:1'] }), /ECONNREFUSED/)
    await using single = await RedisServer.start()
    await assert.rejects(RedisSessionStore.connect({ cluster: [single.url] }), /cluster support disabled/)
  })
}

describe('RedisSessionStore on a cluster of three nodes', { skip: withoutRedis }, () => testCluster(redis))

describe(
  'RedisSessionStore on a cluster of three nodes of Valkey',
  { skip: valkey === '' && 'no Valkey: SALLYPORT_VALKEY names its server' },
  () => testCluster(valkey),
)

function slotIsOf(servers: RedisClusterServers, id: string, node: ClusterNode): boolean {
  return Math.floor(slotOf(keys.of(id)) / 5462) === servers.masters.indexOf(node)
}

async function nodeOf(servers: RedisClusterServers, slot: number): Promise<ClusterNode> {
  for (const node of servers.masters) {
    const ranges = (await node.send('CLUSTER', 'SLOTS')) as [number, number, [string, number]][]
    const range = ranges.find(([first, last]) => first <= slot && slot <= last)
    const owner = servers.nodes.find(({ server }) => server.port === range?.[2][1])
    if (owner !== undefined) return owner
  }
  throw new Error(`Nobody serves slot ${slot}`)
}
