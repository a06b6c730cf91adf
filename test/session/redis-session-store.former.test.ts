import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, describe, it, type TestContext } from 'node:test'
import { createClient, createCluster } from 'redis'
import { randomIdentifier } from '../../src/core/internal.ts'
import { RequestSession } from '../../src/session/internal.ts'
import { SessionPolicy } from '../../src/session/index.ts'
import type { RedisCommands } from '../../src/session/redis-connection.ts'
import { RedisSessionStore } from '../../src/session/redis.ts'
import { FrozenClock, Gates } from '../../src/testing/index.ts'
import { figure, NONE, sized } from '../reliability/figure.ts'
import {
  assertExplained,
  DEEDS,
  type Deed,
  type Ground,
  outcomeOf,
  request,
  signedIn,
} from '../reliability/races/trial.ts'
import { RedisClusterServers } from '../services/redis-cluster.ts'
import { RedisServer, withoutRedis } from '../services/redis-server.ts'

const noChanges = { set: new Map<string, string>(), removed: new Set<string>() }

interface Client extends RedisCommands {
  del(key: string): Promise<number>
  pTTL(key: string): Promise<number>
}

/** A session as the version before has stored it: without the group, all of them under one hash tag. */
interface Former {
  readonly cookie: string
  readonly id: string
  readonly key: string
  readonly formerKey: string
}

function named(cookie: string): Former {
  const digest = hash('sha256', cookie, 'base64url')
  const group = cookie.slice(0, 2)
  return {
    cookie,
    id: group + digest,
    key: `{sallyport:session:${group}}:${digest}`,
    formerKey: `{sallyport:session}:${digest}`,
  }
}

function lifetime(): { createdAt: number; expiresAt: number } {
  const now = Date.now()
  return { createdAt: now, expiresAt: now + 3_600_000 }
}

async function storeFormer(client: Client, text: string, cookie = randomIdentifier()): Promise<Former> {
  const former = named(cookie)
  await client.set(former.formerKey, text, { expiration: { type: 'PX', value: 3_600_000 } })
  return former
}

function live(entries: string, { createdAt, expiresAt } = lifetime()): string {
  return `L${createdAt} ${expiresAt}\u001e${entries}`
}

function tombstone(successor: string): string {
  return `E${Date.now()} ${Date.now() + 30_000}\u001e${successor}`
}

/** Has the version before have stored what this one has stored. */
async function makeFormer(client: Client, cookie: string): Promise<void> {
  const { key, formerKey } = named(cookie)
  const text = await client.get(key)
  assert.ok(text !== null)
  await client.set(formerKey, text, { expiration: { type: 'PX', value: 3_600_000 } })
  await client.del(key)
}

const ONE = '"a"\u001f1\u001e'

function testFormer(open: () => Promise<{ client: Client; close: () => Promise<unknown> }>): void {
  let client: Client
  let close: () => Promise<unknown>
  let store: RedisSessionStore
  before(async () => {
    ;({ client, close } = await open())
    store = new RedisSessionStore(client, { timeoutMilliseconds: 10_000 })
  })
  after(() => close())

  it('reads a session, and its tombstone, that the version before has stored [ACCT-07]', async () => {
    const { id } = await storeFormer(client, live(ONE))
    const ended = await storeFormer(client, tombstone(''))
    const rotated = await storeFormer(client, tombstone('x'.repeat(43)))

    assert.deepEqual([...((await store.read(id))?.data ?? [])], [['a', '1']])
    assert.equal((await store.read(ended.id))?.successor, null)
    assert.equal((await store.read(rotated.id))?.successor, 'x'.repeat(43))
    assert.equal(await store.read(named(randomIdentifier()).id), null)
  })

  it('goes on with it: an update, a rotation and an end [ACCT-07]', async () => {
    const { id } = await storeFormer(client, live(ONE))
    const next = named(id.slice(0, 2) + randomIdentifier().slice(2)).id

    assert.equal(await store.update(id, { ...noChanges, set: new Map([['b', '2']]) }, lifetime()), true)
    assert.equal((await store.read(id))?.data.size, 2)
    assert.equal(await store.rotate(id, next, noChanges, lifetime()), true)
    assert.equal((await store.read(id))?.successor, next)
    assert.equal((await store.read(next))?.data.size, 2)
    await store.destroy(next)
    assert.equal((await store.read(next))?.ended, true)
    assert.equal(await store.update(id, noChanges, lifetime()), false)
    assert.equal(await store.update(next, noChanges, lifetime()), false)
  })

  it('rotates it and ends it with the first write, and repeats a rotation that was made [ACCT-07]', async () => {
    const [one, two] = [await storeFormer(client, live(ONE)), await storeFormer(client, live(ONE))]
    const next = named(one.cookie.slice(0, 2) + randomIdentifier().slice(2)).id

    assert.equal(await store.rotate(one.id, next, noChanges, lifetime()), true)
    assert.equal(await store.rotate(one.id, next, noChanges, lifetime()), true)
    await store.destroy(two.id)

    assert.equal((await store.read(one.id))?.successor, next)
    assert.equal((await store.read(next))?.data.get('a'), '1')
    assert.equal((await store.read(two.id))?.ended, true)
    assert.equal((await store.read(two.id))?.successor, null)
  })

  it('ends what is malformed there, and what has expired stays so [ACCT-07]', async () => {
    const malformed = await storeFormer(client, 'hello')
    const expired = await storeFormer(client, live(ONE, { createdAt: 1, expiresAt: 2 }))

    await assert.rejects(store.read(malformed.id), { code: 'ERR_SESSION_STORE_MALFORMED' })
    await store.destroy(malformed.id)

    assert.equal((await store.read(malformed.id))?.ended, true)
    assert.equal(await store.read(expired.id), null)
    assert.equal(await store.update(expired.id, noChanges, lifetime()), false)
    assert.equal(await store.read(expired.id), null)
  })

  it('loses no write of a hundred at once, and shows the session all the while [ACCT-07]', async () => {
    const { id } = await storeFormer(client, live(ONE))
    const numbers = Array.from({ length: 100 }, (_, i) => i)

    const outcomes = await Promise.all(
      numbers.map((i) =>
        Promise.all([
          store.update(id, { ...noChanges, set: new Map([[`k${i}`, '1']]) }, lifetime()),
          store.read(id),
        ]),
      ),
    )

    for (const [isWritten, seen] of outcomes) {
      assert.equal(isWritten, true)
      assert.equal(seen?.data.get('a'), '1')
    }
    assert.equal((await store.read(id))?.data.size, 101)
  })

  it('a logout reaches what a tombstone of the version before leads to, moved or not [ACCT-07]', async () => {
    for (const isMoved of [false, true]) {
      const policy = new SessionPolicy()
      const now = { clock: new FrozenClock(new Date()), policy, store }
      const current = await storeFormer(client, live('"_auth"\u001f"ada"\u001e'))
      const { cookie } = await storeFormer(client, tombstone(current.id.slice(2)))
      if (isMoved) assert.equal(await store.update(current.id, noChanges, lifetime()), true)

      const late = new RequestSession(now, cookie)
      await late.remove('_auth')
      assert.equal(await late.commit(), null)

      assert.equal((await store.read(current.id))?.data.has('_auth'), false, `moved: ${isMoved}`)
    }
  })

  for (const deed of ['update', 'rotate', 'destroy'] as const) {
    it(`a read that is between two keys finds what ${deed}() of another request left [ACCT-07]`, async () => {
      const { id, cookie } = await storeFormer(client, live(ONE))
      const next = named(cookie.slice(0, 2) + randomIdentifier().slice(2)).id
      await store.read(id)
      const gates = new Gates<Client>(client)
      const slow = new RedisSessionStore(gates.target, { timeoutMilliseconds: 10_000 })
      await slow.read(id)
      const first = gates.hold('get', { side: 'after' })

      const reading = slow.read(id)
      await first.reached()
      if (deed === 'update') assert.equal(await store.update(id, noChanges, lifetime()), true)
      if (deed === 'rotate') assert.equal(await store.rotate(id, next, noChanges, lifetime()), true)
      if (deed === 'destroy') await store.destroy(id)
      first.release()

      const record = await reading
      assert.equal(record?.ended, deed !== 'update')
      assert.equal(record?.successor ?? null, deed === 'rotate' ? next : null)
      assert.equal(record?.data.get('a'), deed === 'update' ? '1' : undefined)
    })

    it(`a write that is on its way takes effect or not at all when ${deed}() comes first [ACCT-07]`, async () => {
      for (const side of ['before', 'after'] as const) {
        const { id, cookie } = await storeFormer(client, live(ONE))
        const next = named(cookie.slice(0, 2) + randomIdentifier().slice(2)).id
        const gates = new Gates<Client>(client)
        const slow = new RedisSessionStore(gates.target, { timeoutMilliseconds: 10_000 })
        await slow.update(id.slice(0, 2) + randomIdentifier(), noChanges, lifetime())
        const gate = gates.hold('evalSha', { side })

        const writing = slow.update(id, { ...noChanges, set: new Map([['late', '1']]) }, lifetime())
        await gate.reached()
        if (deed === 'update') assert.equal(await store.update(id, noChanges, lifetime()), true)
        if (deed === 'rotate') assert.equal(await store.rotate(id, next, noChanges, lifetime()), true)
        if (deed === 'destroy') await store.destroy(id)
        gate.release()

        const isWritten = await writing
        const [old, moved] = [await store.read(id), await store.read(next)]
        const current = deed === 'rotate' ? moved : old
        assert.equal(current?.data.has('late') ?? false, isWritten && deed !== 'destroy', `${deed}, ${side}`)
        assert.equal(old?.ended, deed !== 'update')
      }
    })
  }

  it('three requests at once on such a session come out as some order of them does [ACCT-07]', async (t) => {
    await testTrials(t, { client, store })
  })
}

async function testTrials(
  t: TestContext,
  { client, store }: { client: Client; store: RedisSessionStore },
): Promise<void> {
  const ground: Ground = { clock: new FrozenClock(new Date()), store }
  const count = sized(300, 3000)
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < count) {
      const trial = next++
      const deeds: Deed[] = [0, 1, 2].map((place) => DEEDS[Math.floor(trial / 7 ** place) % 7] ?? 'read')
      const cookie = await signedIn(ground)
      await makeFormer(client, cookie)
      const changes = await Promise.all(deeds.map((deed, index) => request(ground, cookie, deed, index)))
      assertExplained(deeds, await outcomeOf(ground, cookie, changes), `trial ${trial}`)
    }
  }
  await Promise.all(Array.from({ length: 8 }, worker))
  const what = `outcomes of ${count} trials of 3 requests on a session of the version before that no order explains`
  figure(t, 'ACCT-07', { what, value: NONE, goal: '0' })
}

describe('sessions of the version before on one server', { skip: withoutRedis }, () => {
  let server: RedisServer
  before(async () => {
    server = await RedisServer.start()
  })
  const open = async (): Promise<{ client: Client; close: () => Promise<unknown> }> => {
    const client = createClient({ url: server.url })
    await client.connect()
    return { client, close: () => client.close() }
  }

  testFormer(open)
  after(() => server[Symbol.asyncDispose]())

  it('are moved by their next write, in one round trip [ACCT-07]', async () => {
    const { client, close } = await open()
    const store = new RedisSessionStore(client)
    const { id, key, formerKey } = await storeFormer(client, live(ONE))
    await store.read(id)
    assert.equal(await client.get(key), null)

    await store.update(id, noChanges, lifetime())

    assert.match((await client.get(key)) ?? '', /^L/)
    assert.match((await client.get(formerKey)) ?? '', /^E/)
    const left = await client.pTTL(formerKey)
    assert.ok(left > 25_000 && left <= 30_000, `the former key goes in ${left} ms`)
    await client.del(key)
    assert.equal(await store.read(id), null)
    await close()
  })
})

describe('sessions of the version before on a cluster', { skip: withoutRedis }, () => {
  let servers: RedisClusterServers
  before(async () => {
    servers = await RedisClusterServers.start()
  })
  const open = async (): Promise<{ client: Client; close: () => Promise<unknown> }> => {
    const cluster = createCluster({ rootNodes: servers.urls.map((url) => ({ url })) })
    await cluster.connect()
    return { client: cluster, close: () => cluster.close() }
  }

  testFormer(open)
  after(() => servers[Symbol.asyncDispose]())

  it('stay where they are until they end, so that no write spans two slots [ACCT-07]', async () => {
    const { client, close } = await open()
    const store = new RedisSessionStore(client)
    const { id, cookie, key, formerKey } = await storeFormer(client, live(ONE))
    const next = named(cookie.slice(0, 2) + randomIdentifier().slice(2))

    await store.update(id, noChanges, lifetime())
    assert.equal(await client.get(key), null)
    await store.rotate(id, next.id, noChanges, lifetime())

    assert.match((await client.get(formerKey)) ?? '', /^E/)
    assert.match((await client.get(next.formerKey)) ?? '', /^L/)
    assert.equal(await client.get(next.key), null)
    await close()
  })
})
