import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { createClient } from 'redis'
import { RedisSessionStore } from '../../src/session/redis.ts'
import { newId } from '../../src/testing/session-store/run.ts'
import { CERTIFICATE, KEY } from '../node/fixture/certificate.ts'
import { endProcess, freePort, startListener } from '../services/loopback.ts'
import { redis, withoutRedis } from '../services/redis-server.ts'

const NODES = 3
const PASSWORD = 'only for the test'
const SLOTS_EACH = Math.ceil(16_384 / NODES)

interface TlsNode {
  readonly port: number
  readonly bus: number
  readonly url: string
  send(...command: string[]): Promise<unknown>
  end(): Promise<void>
}

/** A node that takes TLS only, also from the other nodes, and wants a password. */
async function startNode(folder: string): Promise<TlsNode> {
  const [port, bus] = [await freePort(), await freePort()]
  const certificate = join(folder, 'certificate.pem')
  const settings = {
    port: '0',
    'tls-port': String(port),
    bind: '127.0.0.1',
    'tls-cert-file': certificate,
    'tls-key-file': join(folder, 'key.pem'),
    'tls-ca-cert-file': certificate,
    'tls-auth-clients': 'no',
    'tls-cluster': 'yes',
    'cluster-enabled': 'yes',
    'cluster-port': String(bus),
    'cluster-config-file': join(folder, `nodes-${port}.conf`),
    requirepass: PASSWORD,
    save: '',
    dir: folder,
  }
  const server = await startListener(
    [redis, ...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])],
    port,
  )
  const url = `rediss://:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`
  const client = createClient({ url })
  client.on('error', () => undefined)
  await client.connect()
  return {
    port,
    bus,
    url,
    send: (...command) => client.sendCommand(command),
    end: async () => {
      client.destroy()
      await endProcess(server, 'SIGKILL')
    },
  }
}

describe('RedisSessionStore on a cluster that takes TLS only', { skip: withoutRedis }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-redis-tls-'))
  const authorities = getCACertificates('default')
  let nodes: readonly TlsNode[] = []
  before(async () => {
    writeFileSync(join(folder, 'certificate.pem'), CERTIFICATE)
    writeFileSync(join(folder, 'key.pem'), KEY)
    setDefaultCACertificates([...authorities, CERTIFICATE])
    nodes = await Promise.all(Array.from({ length: NODES }, () => startNode(folder)))
    const [first] = nodes
    for (const [index, node] of nodes.entries()) {
      const last = Math.min((index + 1) * SLOTS_EACH, 16_384) - 1
      await node.send('CLUSTER', 'ADDSLOTSRANGE', String(index * SLOTS_EACH), String(last))
      await node.send('CLUSTER', 'SET-CONFIG-EPOCH', String(index + 1))
      if (node !== first)
        await node.send('CLUSTER', 'MEET', '127.0.0.1', String(first?.port), String(first?.bus))
    }
    for (const node of nodes)
      while (!String(await node.send('CLUSTER', 'INFO')).includes('cluster_state:ok')) await pause(50)
  })
  after(async () => {
    await Promise.all(nodes.map((node) => node.end()))
    setDefaultCACertificates(authorities)
    rmSync(folder, { recursive: true, force: true })
  })

  it('finds the other nodes through one, with its TLS and its password [ACCT-06]', async (t) => {
    const store = await RedisSessionStore.connect({ cluster: [nodes[0]?.url ?? ''] })
    t.after(() => store.close())
    const now = Date.now()
    const lifetime = { createdAt: now, expiresAt: now + 60_000 }
    const ids = Array.from({ length: 60 }, () => newId())
    await Promise.all(ids.map((id) => store.create(id, new Map([['a', '1']]), { ...lifetime, owner: 'ada' })))

    for (const node of nodes) assert.ok(Number(await node.send('DBSIZE')) > 0)
    for (const id of ids) assert.equal((await store.read(id))?.data.get('a'), '1')
    assert.equal((await store.sessionsOf('ada')).length, ids.length)
  })

  it('says what is wrong when the authority is not known, or the password is missing', async () => {
    const [url = ''] = nodes.map((node) => node.url)
    await assert.rejects(RedisSessionStore.connect({ cluster: [url.replace(/:[^/]*@/, '')] }), /NOAUTH/)
    setDefaultCACertificates(authorities)
    try {
      await assert.rejects(RedisSessionStore.connect({ cluster: [url] }), /self-signed certificate/)
    } finally {
      setDefaultCACertificates([...authorities, CERTIFICATE])
    }
  })
})
