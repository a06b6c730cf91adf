import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, before, describe, it, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createClient, createCluster } from 'redis'
import { RedisSessionStore } from '../../src/session/redis.ts'
import type { OwnedSession } from '../../src/session/index.ts'
import { FrozenClock, Gates } from '../../src/testing/index.ts'
import { idAfter, newId } from '../../src/testing/session-store/run.ts'
import { figure, NONE, sized } from '../reliability/figure.ts'
import { type Client, type Deed, deeds, lifetime, mortal, noChanges } from '../services/mortal-store.ts'
import { RedisClusterServers } from '../services/redis-cluster.ts'
import { RedisServer, withoutRedis } from '../services/redis-server.ts'

const HOUR = 3_600_000
const PATIENT = { timeoutMilliseconds: 10_000 }

let owners = 0
function newOwner(): string {
  return `owner-${++owners}-${newId().slice(0, 12)}`
}

function idsOf(sessions: readonly OwnedSession[]): string[] {
  return sessions.map(({ id }) => id).sort()
}

function keyOf(owner: string): string {
  return `sallyport:session:account:${owner}`
}

async function countOf(
  client: Client,
  work: (store: RedisSessionStore) => Promise<unknown>,
): Promise<number> {
  const counting = mortal(client, Infinity)
  const store = new RedisSessionStore(counting.client, PATIENT)
  // It asks once whether the server is a cluster.
  await store.update(newId(), noChanges, lifetime())
  await store.read(newId())
  const before = counting.sent()
  await work(store)
  return counting.sent() - before
}

function testIndex(open: () => Promise<{ client: Client; close: () => Promise<unknown> }>): void {
  let client: Client
  let close: () => Promise<unknown>
  let store: RedisSessionStore
  before(async () => {
    ;({ client, close } = await open())
    store = new RedisSessionStore(client, PATIENT)
  })
  after(() => close())

  it('lists the live sessions of an owner and nobody else’s [ACCT-01 ACCT-05]', async () => {
    const [ada, eve] = [newOwner(), newOwner()]
    const [one, two, other, visitor] = [newId(), newId(), newId(), newId()]
    await store.create(one, new Map([['a', '1']]), { ...lifetime(), owner: ada })
    await store.create(visitor, new Map(), lifetime())
    await store.create(other, new Map(), { ...lifetime(), owner: eve })
    const signedIn = idAfter(visitor)
    await store.rotate(visitor, signedIn, { ...noChanges, owner: ada }, lifetime())
    await store.create(two, new Map(), { ...lifetime(), owner: ada })
    await store.destroy(two)

    const sessions = await store.sessionsOf(ada)

    assert.deepEqual(idsOf(sessions), [one, signedIn].sort())
    assert.equal(sessions.find(({ id }) => id === one)?.record?.data.get('a'), '1')
    assert.equal((await store.read(one))?.owner, ada)
    assert.deepEqual(idsOf(await store.sessionsOf(eve)), [other])
    assert.deepEqual(await store.sessionsOf(newOwner()), [])
  })

  it('keeps the owner through updates and rotations, until it changes [ACCT-03]', async () => {
    const [ada, eve] = [newOwner(), newOwner()]
    let id = newId()
    await store.create(id, new Map(), { ...lifetime(), owner: ada })
    await store.update(id, { ...noChanges, set: new Map([['b', '1']]) }, lifetime())
    // Known from a read, and not known: two orders of the same writes.
    for (const isRead of [true, false, true]) {
      if (isRead) await store.read(id)
      const next = idAfter(id)
      assert.equal(await store.rotate(id, next, noChanges, lifetime()), true)
      id = next
      assert.deepEqual(idsOf(await store.sessionsOf(ada)), [id])
    }
    assert.equal(await store.update(id, { ...noChanges, owner: eve }, lifetime()), true)
    assert.deepEqual(await store.sessionsOf(ada), [])
    assert.deepEqual(idsOf(await store.sessionsOf(eve)), [id])
    const out = idAfter(id)
    assert.equal(await store.rotate(id, out, { ...noChanges, owner: null }, lifetime()), true)

    assert.deepEqual(await store.sessionsOf(eve), [])
    assert.equal((await store.read(out))?.owner, null)
    assert.equal((await store.read(out))?.ended, false)
  })

  it('writes no owner of which another request has made something else meanwhile [ACCT-03]', async () => {
    const [ada, eve] = [newOwner(), newOwner()]
    const id = newId()
    const next = idAfter(id)
    await store.create(id, new Map(), { ...lifetime(), owner: ada })
    await store.read(id)
    const other = new RedisSessionStore(client, PATIENT)
    await other.update(id, { ...noChanges, owner: eve }, lifetime())

    assert.equal(await store.rotate(id, next, noChanges, lifetime()), true)

    assert.equal((await store.read(next))?.owner, eve)
    assert.deepEqual(idsOf(await store.sessionsOf(eve)), [next])
    assert.deepEqual(await store.sessionsOf(ada), [])
  })

  it('takes one round trip more for a login or a rotation, and none for anything else [ACCT-04]', async () => {
    // Each node gets each script once.
    await Promise.all(
      Array.from({ length: 40 }, async () => {
        const [id, owner] = [newId(), newOwner()]
        await store.create(id, new Map(), { ...lifetime(), owner })
        await store.update(id, noChanges, lifetime())
        await store.rotate(id, idAfter(id), noChanges, lifetime())
        await store.destroy(id)
      }),
    )
    const owner = newOwner()
    const counts = new Map<string, number>()
    const count = async (name: string, work: (own: RedisSessionStore) => Promise<unknown>): Promise<void> => {
      counts.set(name, await countOf(client, work))
    }
    const [visitor, direct] = [newId(), newId()]
    const [signedIn, rotated] = [idAfter(visitor), idAfter(visitor)]
    await count('first value', (own) => own.create(visitor, new Map(), lifetime()))
    await count('login', (own) => own.rotate(visitor, signedIn, { ...noChanges, owner }, lifetime()))
    await count('login without a session', (own) => own.create(direct, new Map(), { ...lifetime(), owner }))
    await count('read', (own) => own.read(signedIn))
    await count('write', (own) => own.update(signedIn, noChanges, lifetime()))
    await count('read and rotation', async (own) => {
      await own.read(signedIn)
      await own.rotate(signedIn, rotated, noChanges, lifetime())
    })
    await count('logout', (own) =>
      own.rotate(rotated, idAfter(rotated), { ...noChanges, owner: null }, lifetime()),
    )
    await count('end', (own) => own.destroy(direct))

    assert.deepEqual(Object.fromEntries(counts), {
      'first value': 1,
      login: 2,
      'login without a session': 2,
      read: 1,
      write: 1,
      // A read, a name and a rotation.
      'read and rotation': 3,
      logout: 1,
      end: 1,
    })
  })

  it('names a session longer than it lives, however far its end moves [ACCT-03]', async () => {
    const owner = newOwner()
    const id = newId()
    await store.create(id, new Map(), { ...lifetime(), owner })
    const first = await client.pTTL(keyOf(owner))
    assert.ok(first > HOUR && first <= 13 * HOUR, `the index goes in ${first} ms`)
    const before = await client.zRange(keyOf(owner), 0, -1)

    await store.update(id, noChanges, lifetime(12 * HOUR))
    assert.deepEqual(await client.zRange(keyOf(owner), 0, -1), before)
    assert.equal((await client.pTTL(keyOf(owner))) > 12 * HOUR - 60_000, true)
    await store.update(id, noChanges, lifetime(400 * HOUR))

    assert.ok((await client.pTTL(keyOf(owner))) > 400 * HOUR)
    assert.deepEqual(idsOf(await store.sessionsOf(owner)), [id])
  })

  it('drops what has ended when it is read, and nothing that may just be written [ACCT-03]', async () => {
    const owner = newOwner()
    const [live, ended, gone, rotated] = [newId(), newId(), newId(), newId()]
    const next = idAfter(rotated)
    for (const id of [live, ended, rotated]) await store.create(id, new Map(), { ...lifetime(), owner })
    await store.destroy(ended)
    await store.rotate(rotated, next, noChanges, lifetime())
    const long = Math.floor(Date.now() / 1000) - 61
    const score = Date.now() + HOUR
    for (const id of [live, ended, gone, rotated])
      await client.zAdd(keyOf(owner), { score, value: `${id} ${long}` })
    // A process was killed before it wrote this one, a moment ago; and another one long ago, of which time is over.
    const fresh = `${newId()} ${Math.floor(Date.now() / 1000)}`
    await client.zAdd(keyOf(owner), { score, value: fresh })
    await client.zAdd(keyOf(owner), { score: Date.now() - 1, value: `${newId()} ${long}` })

    const sessions = await store.sessionsOf(owner)
    const left = await client.zRange(keyOf(owner), 0, -1)
    await store.create(newId(), new Map(), { ...lifetime(), owner })
    const later = await client.zRange(keyOf(owner), 0, -1)

    assert.deepEqual(idsOf(sessions), [live, next].sort())
    assert.ok(left.includes(`${live} ${long}`) && left.includes(fresh))
    assert.ok(!left.includes(`${gone} ${long}`))
    // What has a tombstone is kept until that is gone.
    for (const id of [ended, rotated]) assert.ok(left.includes(`${id} ${long}`))
    assert.equal(later.length, left.length + 1)
  })

  it('lists an index of many members in parts, also if most of them have one score [ACCT-03]', async () => {
    const owner = newOwner()
    const score = Date.now() + 10 * HOUR
    const written = Math.floor(Date.now() / 1000)
    const live = Array.from({ length: 20 }, newId)
    for (const id of live) await store.create(id, new Map(), { ...lifetime(), owner })
    const names = (count: number): string[] => Array.from({ length: count }, () => `${newId()} ${written}`)
    for (const value of [...names(1500), ...live.slice(10).map((id) => `${id} ${written - 1}`)])
      await client.zAdd(keyOf(owner), { score, value })
    for (const [n, value] of names(1200).entries())
      await client.zAdd(keyOf(owner), { score: score + n, value })

    assert.deepEqual(idsOf(await store.sessionsOf(owner)), live.sort())
  })

  it('misses no session that is rotated, and dropped by another list, between two parts [ACCT-03]', async () => {
    const owner = newOwner()
    const [id, written] = [newId(), Math.floor(Date.now() / 1000)]
    await store.create(id, new Map(), { ...lifetime(), owner })
    await client.del(keyOf(owner))
    // Its name is in the second part, and that of its successor will be in the first.
    const later = Date.now() + 100 * HOUR
    await client.zAdd(keyOf(owner), { score: later + 5000, value: `${id} ${written - 100}` })
    for (let n = 0; n < 1500; n++)
      await client.zAdd(keyOf(owner), { score: later + n, value: `${newId()} ${written}` })
    const gates = new Gates<Client>(client)
    const slow = new RedisSessionStore(gates.target, PATIENT)
    const gate = gates.hold('evalSha', { skip: 1 })

    const listing = slow.sessionsOf(owner)
    await gate.reached()
    const next = idAfter(id)
    assert.equal(await store.rotate(id, next, noChanges, lifetime()), true)
    assert.deepEqual(idsOf(await store.sessionsOf(owner)), [next])
    gate.release()

    assert.deepEqual(idsOf(await listing), [next])
  })

  it('does not drop a login that has named its session and not written it yet [ACCT-03]', async () => {
    const owner = newOwner()
    const id = newId()
    const next = idAfter(id)
    await store.create(id, new Map(), lifetime())
    const gates = new Gates<Client>(client)
    const slow = new RedisSessionStore(gates.target, PATIENT)
    await slow.update(id, noChanges, lifetime())
    await slow.rotate(id, next, { ...noChanges, owner }, lifetime())
    const after = idAfter(next)
    const gate = gates.hold('evalSha', { skip: 1 })

    const login = slow.rotate(next, after, { ...noChanges, owner }, lifetime())
    await gate.reached()
    assert.deepEqual(idsOf(await store.sessionsOf(owner)), [next])
    gate.release()

    assert.equal(await login, true)
    assert.deepEqual(idsOf(await store.sessionsOf(owner)), [after])
  })

  it('finds a session that is rotated while the list is read [ACCT-03]', async () => {
    const owner = newOwner()
    const id = newId()
    const next = idAfter(id)
    await store.create(id, new Map(), { ...lifetime(), owner })
    const gates = new Gates<Client>(client)
    const slow = new RedisSessionStore(gates.target, PATIENT)
    await slow.sessionsOf(owner)
    const gate = gates.hold('get')

    const listing = slow.sessionsOf(owner)
    await gate.reached()
    assert.equal(await store.rotate(id, next, noChanges, lifetime()), true)
    gate.release()

    assert.deepEqual(idsOf(await listing), [next])
  })

  it('keeps what the clock calls expired, for it may be set back [ACCT-03]', async () => {
    const clock = new FrozenClock(new Date())
    const own = new RedisSessionStore(client, { ...PATIENT, clock })
    const owner = newOwner()
    const id = newId()
    await own.create(id, new Map(), { ...lifetime(), owner })
    const long = Math.floor(Date.now() / 1000) - 61
    await client.del(keyOf(owner))
    await client.zAdd(keyOf(owner), { score: Date.now() + HOUR, value: `${id} ${long}` })

    clock.advance(2 * 3600)
    assert.deepEqual(await own.sessionsOf(owner), [])
    clock.advance(-2 * 3600)

    assert.deepEqual(idsOf(await own.sessionsOf(owner)), [id])
  })

  it('lists a malformed session as one that nobody can read [HOLD-25]', async () => {
    const owner = newOwner()
    const id = newId()
    await store.create(id, new Map(), { ...lifetime(), owner })
    const key = `{sallyport:session:${id.slice(0, 2)}}:${id.slice(2)}`
    await client.set(key, 'hello', { expiration: { type: 'PX', value: HOUR } })

    assert.deepEqual(await store.sessionsOf(owner), [{ id, record: null }])
    await store.destroy(id)
    assert.deepEqual(await store.sessionsOf(owner), [])
  })

  it('refuses an owner that would be read as something else [HOLD-25]', async () => {
    for (const owner of ['', 'a b', 'a\u001eb'])
      await assert.rejects(store.create(newId(), new Map(), { ...lifetime(), owner }), TypeError)
  })

  it('misses no live session when a process is killed between two writes [ACCT-03]', async (t) => {
    await testCutOffs(t, { client, store })
  })

  it('misses no live session whatever happens at once [ACCT-03]', async (t) => {
    await testRounds(t, store)
  })
}

async function testCutOffs(
  t: TestContext,
  { client, store }: { client: Client; store: RedisSessionStore },
): Promise<void> {
  let places = 0
  for (const [name, deed] of Object.entries(deeds)) {
    for (let lives = 0, isWhole = false; !isWhole; lives++, places++) {
      const what = `${name}, killed after ${lives} commands`
      const rounds = Array.from({ length: 50 }, () => testCutOff(deed, { client, store, lives, what }))
      isWhole = (await Promise.all(rounds)).every(Boolean)
    }
  }
  assert.ok(places > 10, `${places} places`)
  const what = `live sessions missing after a process ended at each of ${places} places, 50 times each`
  figure(t, 'ACCT-03', { what, value: NONE, goal: '0' })
}

/** Whether the process has lived to the end. */
async function testCutOff(
  { isSignedIn, run }: Deed,
  { client, store, lives, what }: { client: Client; store: RedisSessionStore; lives: number; what: string },
): Promise<boolean> {
  const [id, owner] = [newId(), newOwner()]
  const next = idAfter(id)
  await store.create(id, new Map(), { ...lifetime(), owner: isSignedIn ? owner : null })
  const killed = mortal(client, lives)
  const own = new RedisSessionStore(killed.client, PATIENT)
  const done = run({ own, owner, id, next }).then(() => true)
  const isWhole = await Promise.race([done, killed.stopped.then(() => false)])

  const listed = idsOf(await store.sessionsOf(owner))
  for (const known of [id, next]) {
    const record = await store.read(known)
    const isLive = record !== null && !record.ended && record.owner === owner
    assert.equal(listed.includes(known), isLive, what)
  }
  return isWhole
}

/** Three operations at once and a list; then the list must be what a look at every session says. */
async function testRounds(t: TestContext, store: RedisSessionStore): Promise<void> {
  const rounds = sized(300, 20_000)
  let seed = 1
  const random = (limit: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * limit)
  }
  const accounts = [newOwner(), newOwner()]
  let known: string[] = []
  for (let round = 0; round < rounds; round++) {
    const owner = accounts[random(2)] ?? ''
    const made: string[] = []
    const act = async (): Promise<void> => {
      const id = known[random(known.length)] ?? newId()
      const next = idAfter(id)
      made.push(id, next)
      const change = { ...noChanges, ...[{}, { owner }, { owner: null }][random(3)] }
      switch (random(6)) {
        case 0:
          return store.create(next, new Map(), { ...lifetime(), owner })
        case 1:
          await store.read(id)
          await store.rotate(id, next, change, lifetime())
          return
        case 2:
          await store.rotate(id, next, change, lifetime())
          return
        case 3:
          await store.update(id, change, lifetime(random(40) * HOUR + 60_000))
          return
        case 4:
          return store.destroy(id)
        default:
          await store.sessionsOf(owner)
      }
    }
    await Promise.all([act(), act(), act()])
    known = [...new Set([...known, ...made])].slice(-24)

    const records = await Promise.all(known.map(async (id) => ({ id, record: await store.read(id) })))
    const live = records.filter(({ record }) => record?.ended === false)
    for (const account of accounts) {
      const listed = idsOf(await store.sessionsOf(account))
      const own = live.filter(({ record }) => record?.owner === account).map(({ id }) => id)
      assert.deepEqual(
        own.filter((id) => !listed.includes(id)),
        [],
        `round ${round}`,
      )
      const others = live.filter(({ record }) => record?.owner !== account).map(({ id }) => id)
      assert.deepEqual(
        listed.filter((id) => others.includes(id)),
        [],
        `round ${round}`,
      )
    }
  }
  const what = `live sessions missing, and ended ones listed, in ${rounds} rounds of three operations at once`
  figure(t, 'ACCT-03', { what, value: NONE, goal: '0' })
}

/** Kills a process of its own with SIGKILL, at each place. */
async function testKills(
  t: TestContext,
  address: readonly string[],
  store: RedisSessionStore,
): Promise<void> {
  const rounds = sized(1, 50)
  let kills = 0
  for (const name of Object.keys(deeds)) {
    for (let lives = 0, isWhole = false; !isWhole; lives++) {
      for (let round = 0; round < rounds; round++) {
        const [id, owner] = [newId(), newOwner()]
        const next = idAfter(id)
        const isSignedIn = deeds[name]?.isSignedIn === true
        await store.create(id, new Map(), { ...lifetime(), owner: isSignedIn ? owner : null })
        const main = fileURLToPath(new URL('../services/doomed-process.ts', import.meta.url))
        const args = ['--conditions=sallyport-source', main, name, String(lives), owner, id, next, ...address]
        const { NODE_TEST_CONTEXT: _, ...env } = process.env
        const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'], env })
        const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
        assert.ok(code === 0 || signal === 'SIGKILL', `${name}: ${code}, ${signal}`)
        isWhole = code === 0
        if (!isWhole) kills++

        const listed = idsOf(await store.sessionsOf(owner))
        for (const known of [id, next]) {
          const record = await store.read(known)
          const isLive = record !== null && !record.ended && record.owner === owner
          assert.equal(listed.includes(known), isLive, `${name}, killed after ${lives} commands`)
        }
      }
    }
  }
  const what = `live sessions missing after ${kills} processes were killed between two commands`
  figure(t, 'ACCT-03', { what, value: NONE, goal: '0' })
}

describe('the index of an account on one server', { skip: withoutRedis }, () => {
  let server: RedisServer
  before(async () => {
    server = await RedisServer.start()
  })
  it('misses no live session of a process that is killed [ACCT-03]', async (t) => {
    const store = await RedisSessionStore.connect({ url: server.url, ...PATIENT })
    t.after(() => store.close())
    await testKills(t, [server.url], store)
  })
  testIndex(async () => {
    const client = createClient({ url: server.url })
    await client.connect()
    return { client, close: () => client.close() }
  })
  after(() => server[Symbol.asyncDispose]())
})

describe('the index of an account on a cluster', { skip: withoutRedis }, () => {
  let servers: RedisClusterServers
  before(async () => {
    servers = await RedisClusterServers.start(3)
  })
  testIndex(async () => {
    const cluster = createCluster({ rootNodes: servers.urls.map((url) => ({ url })) })
    await cluster.connect()
    return { client: cluster, close: () => cluster.close() }
  })
  after(() => servers[Symbol.asyncDispose]())
})
