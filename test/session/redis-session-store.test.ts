import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { createClient, createCluster } from 'redis'
import { randomIdentifier } from '../../src/core/internal.ts'
import { SessionStoreException } from '../../src/session/index.ts'
import type { RedisCommands } from '../../src/session/redis-connection.ts'
import { RedisSessionStore } from '../../src/session/redis.ts'
import { FrozenClock, proveSessionStore } from '../../src/testing/index.ts'
import { freePort } from '../services/loopback.ts'
import { RedisServer, withoutRedis } from '../services/redis-server.ts'
import { testSeveralCookies } from '../services/several-cookies.ts'
import { testSeveralProcesses } from '../services/several-processes.ts'

const noChanges = { set: new Map<string, string>(), removed: new Set<string>() }

function lifetime(milliseconds = 60_000): { createdAt: number; expiresAt: number } {
  const now = Date.now()
  return { createdAt: now, expiresAt: now + milliseconds }
}

async function adminOf(
  server: RedisServer,
): Promise<AsyncDisposable & { send(...command: string[]): Promise<unknown> }> {
  const client = createClient({ url: server.url })
  await client.connect()
  return {
    send: (...command) => client.sendCommand(command),
    [Symbol.asyncDispose]: () => client.close(),
  }
}

describe('RedisSessionStore', { skip: withoutRedis }, () => {
  let server: RedisServer
  let store: RedisSessionStore
  before(async () => {
    server = await RedisServer.start()
    store = await RedisSessionStore.connect({ url: server.url })
  })
  after(async () => {
    store.close()
    await server[Symbol.asyncDispose]()
  })

  describe('as a session store', () => {
    proveSessionStore(
      (clock) => RedisSessionStore.connect({ url: server.url, clock }),
      (opened) => opened.close(),
      {
        spoil: async (_, id) => {
          await using admin = await adminOf(server)
          await admin.send('SET', `{sallyport:session:${id.slice(0, 2)}}:${id.slice(2)}`, 'x')
        },
      },
    )
  })

  describe('behind a request with several session cookies', () => {
    testSeveralCookies(async (clock, test) => {
      const opened = await RedisSessionStore.connect({ url: server.url, clock })
      test.after(() => opened.close())
      return opened
    })
  })

  it('keeps what four processes write to one session at once [R-07 R-61]', async () => {
    await testSeveralProcesses(store, ['redis', server.url])
  })

  it('calls the server once for each operation, and reads with a plain GET', async () => {
    await using admin = await adminOf(server)
    const [id, to] = [randomIdentifier(), randomIdentifier()]
    const [warm, warmer] = [randomIdentifier(), randomIdentifier()]
    await store.create(warm, new Map(), lifetime())
    await store.update(warm, noChanges, lifetime())
    await store.rotate(warm, warmer, noChanges, lifetime())
    await store.destroy(warmer)
    await admin.send('CONFIG', 'RESETSTAT')

    await store.create(id, new Map([['a', '1']]), lifetime())
    await store.read(id)
    await store.update(id, noChanges, lifetime())
    await store.rotate(id, to, noChanges, lifetime())
    await store.destroy(to)

    const received = String(await admin.send('INFO', 'commandstats'))
    const calls = (name: string): number =>
      Number(new RegExp(`cmdstat_${name}:calls=(\\d+)`).exec(received)?.[1] ?? 0)
    assert.equal(calls('evalsha'), 3)
    assert.equal(calls('eval'), 0)
    // One by create(), the others by the scripts: update, rotate twice, destroy; each script reads once.
    assert.equal(calls('set'), 5)
    assert.equal(calls('get'), 4)
  })

  it('continues when the server has lost its scripts', async () => {
    await using admin = await adminOf(server)
    const id = randomIdentifier()
    await store.create(id, new Map(), lifetime())
    await admin.send('SCRIPT', 'FLUSH')

    assert.equal(await store.update(id, { set: new Map([['a', '1']]), removed: new Set() }, lifetime()), true)
    assert.equal((await store.read(id))?.data.get('a'), '1')
  })

  it('lets the server delete expired records, whatever its clock says', async () => {
    await using admin = await adminOf(server)
    const clock = new FrozenClock('2001-01-01T00:00:00Z')
    const old = await RedisSessionStore.connect({ url: server.url, clock, prefix: 'ttl' })
    const [id, to] = [randomIdentifier(), randomIdentifier()]
    const hour = { createdAt: clock.milliseconds(), expiresAt: clock.milliseconds() + 3_600_000 }

    await old.create(id, new Map(), hour)
    const created = Number(await admin.send('PTTL', `{ttl:}:${id}`))
    await old.rotate(id, to, noChanges, hour)

    const tombstone = Number(await admin.send('PTTL', `{ttl:}:${id}`))
    const live = Number(await admin.send('PTTL', `{ttl:}:${to}`))
    assert.ok(tombstone > 25_000 && tombstone <= 30_000, `the tombstone goes in ${tombstone} ms`)
    assert.ok(created > 3_590_000 && created <= 3_600_000, `the new session goes in ${created} ms`)
    assert.ok(live > 3_590_000 && live <= 3_600_000, `the session goes in ${live} ms`)
    old.close()
  })

  it('treats no value of other software as a session', async () => {
    await using admin = await adminOf(server)
    const texts = ['', 'hello', '{"a":1}', 'L1 2', 'Lx y\u001e', `L1 ${Date.now() + 60_000}\u001e"a"\u001f1`]
    for (const text of texts) {
      await admin.send('SET', '{sallyport:session:}:foreign', text)
      await assert.rejects(store.read('foreign'), { code: 'ERR_SESSION_STORE_MALFORMED' })
    }
    await admin.send('DEL', '{sallyport:session:}:foreign')
    await admin.send('RPUSH', '{sallyport:session:}:foreign', 'a')
    await assert.rejects(store.read('foreign'), /WRONGTYPE/)
  })

  it('refuses a value that would be read as further entries', async () => {
    const value = '1\u001e"_auth"\u001f"admin"'

    await assert.rejects(store.create(randomIdentifier(), new Map([['a', value]]), lifetime()), TypeError)
  })

  it('accepts an answer that came while this process was busy', async () => {
    const id = randomIdentifier()
    await store.create(id, new Map(), lifetime())

    const reading = store.read(id)
    await nextTurn()
    const end = performance.now() + 700
    while (performance.now() < end);

    assert.equal((await reading)?.ended, false)
  })

  it('leaves a server that has become a replica, and returns to it when it is a master again', async () => {
    await using admin = await adminOf(server)
    const id = randomIdentifier()
    await store.create(id, new Map(), lifetime())
    await admin.send('REPLICAOF', '127.0.0.1', '1')

    await assert.rejects(store.update(id, noChanges, lifetime()), {
      code: 'ERR_SESSION_STORE_UNREACHABLE',
      message: 'Redis cannot be reached at the moment',
    })
    await assert.rejects(store.read(id), { code: 'ERR_SESSION_STORE_UNREACHABLE' })

    await admin.send('REPLICAOF', 'NO', 'ONE')
    await pause(300)
    assert.equal(await store.update(id, noChanges, lifetime()), true)
  })

  it('says why there is no connection', async () => {
    await using own = await RedisServer.start()
    const lost = await RedisSessionStore.connect({ url: own.url })
    await own.stop()

    // First that it was lost, then why there is no other one.
    let cause = ''
    for (let turn = 0; turn < 100 && !cause.includes('ECONNREFUSED'); turn++) {
      await pause(20)
      await assert.rejects(lost.read('id'), (error: Error) => {
        assert.equal(error.message, 'Redis cannot be reached at the moment')
        cause = String(error.cause)
        return true
      })
    }
    assert.match(cause, /ECONNREFUSED/)
    lost.close()
  })

  it('refuses operations after it is closed', async () => {
    const closed = await RedisSessionStore.connect({ url: server.url })
    closed.close()
    closed.close()

    await assert.rejects(closed.read('id'), SessionStoreException)
    await assert.rejects(closed.rotate('id', 'to', noChanges, lifetime()), SessionStoreException)
  })

  it('reports at once that there is no server, or that it refuses', async () => {
    await assert.rejects(
      RedisSessionStore.connect({ url: `redis://127.0.0.1:${await freePort()}` }),
      /ECONNREFUSED/,
    )
    await assert.rejects(
      RedisSessionStore.connect({ url: server.url.replace('//', '//ada:wrong@') }),
      /WRONGPASS/,
    )
  })

  for (const prefix of ['', '{a}', '{a', 'a}', '{']) {
    it(`refuses ${JSON.stringify(prefix)} as a prefix`, async () => {
      await assert.rejects(RedisSessionStore.connect({ url: server.url, prefix }), TypeError)
    })
  }

  for (const timeoutMilliseconds of [0, -1, Number.NaN]) {
    it(`refuses a time limit of ${timeoutMilliseconds}`, async () => {
      await assert.rejects(RedisSessionStore.connect({ url: server.url, timeoutMilliseconds }), RangeError)
    })
  }
})

describe('RedisSessionStore with a client that refuses', () => {
  it('sends a script once, unless the server does not know it', async () => {
    const sent: string[] = []
    const client: RedisCommands = {
      get: () => Promise.resolve(null),
      set: () => Promise.resolve('OK'),
      evalSha() {
        sent.push('evalSha')
        return Promise.reject(new Error('OOM command not allowed when used memory > maxmemory'))
      },
      eval() {
        sent.push('eval')
        return Promise.resolve(1)
      },
    }

    const update = new RedisSessionStore(client).update('id', noChanges, lifetime())

    await assert.rejects(update, /OOM/)
    assert.deepEqual(sent, ['evalSha'])
  })
})

describe('RedisSessionStore with a client of the application', { skip: withoutRedis }, () => {
  it('waits no longer than its time limit, and leaves the client open', async () => {
    await using server = await RedisServer.start()
    const client = createClient({ url: server.url, disableOfflineQueue: true })
    client.on('error', () => undefined)
    await client.connect()
    const store = new RedisSessionStore(client, { timeoutMilliseconds: 200 })
    const id = randomIdentifier()
    await store.create(id, new Map([['a', '1']]), lifetime())

    server.pause()
    await assert.rejects(store.read(id), {
      code: 'ERR_SESSION_STORE_TIMEOUT',
      message: 'Redis did not answer in time',
    })
    server.resume()

    assert.equal((await store.read(id))?.data.get('a'), '1')
    store.close()
    assert.equal(client.isReady, true)
    client.destroy()
  })
})

describe('RedisSessionStore on a cluster', { skip: withoutRedis }, () => {
  let server: RedisServer
  let cluster: ReturnType<typeof createCluster>
  before(async () => {
    server = await RedisServer.startForCluster()
    await using admin = await adminOf(server)
    await admin.send('CLUSTER', 'ADDSLOTSRANGE', '0', '16383')
    while (!String(await admin.send('CLUSTER', 'INFO')).includes('cluster_state:ok')) await pause(20)
    cluster = createCluster({ rootNodes: [{ url: server.url }] })
    await cluster.connect()
  })
  after(async () => {
    await cluster.close()
    await server[Symbol.asyncDispose]()
  })

  proveSessionStore((clock) => new RedisSessionStore(cluster, { clock }))
})
