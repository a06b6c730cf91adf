/**
 * A cluster of Redis or Valkey servers of the test's own, on loopback ports.
 *
 * @module
 */
import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from 'redis'
import { within } from '../node/raw.ts'
import { freePort } from './loopback.ts'
import { redis, RedisServer } from './redis-server.ts'
import { onThisMachine } from '../../packages/sallyport-app/src/testing/on-this-machine.ts'

const SLOTS = 16_384
const PATIENCE_MILLISECONDS = onThisMachine(20_000)

type Client = ReturnType<typeof clientOf>

/** A server of a cluster, with a connection that sends commands to it alone. */
export class ClusterNode {
  readonly server: RedisServer
  readonly id: string
  readonly #client: Client

  private constructor(server: RedisServer, client: Client, id: string) {
    this.server = server
    this.#client = client
    this.id = id
  }

  /** Starts a server that belongs to no cluster yet. */
  static async start(program: string = redis): Promise<ClusterNode> {
    // The usual port of the bus is 10,000 above, where the system may have no port left.
    const bus = String(await freePort())
    // A node that fails counts as failed soon, and takes only its own slots away.
    const failing = ['--cluster-require-full-coverage', 'no', '--cluster-node-timeout', '1000']
    const joining = ['--cluster-enabled', 'yes', '--cluster-port', bus, '--repl-diskless-sync-delay', '0']
    const server = await RedisServer.startProgram(program, ...joining, ...failing)
    const client = clientOf(server.url)
    client.on('error', () => undefined)
    await using started = new AsyncDisposableStack()
    started.use(server)
    started.defer(() => client.destroy())
    // Without a limit it would go on for ever with a server that is not one of Redis.
    await within(PATIENCE_MILLISECONDS, client.connect())
    const id = await client.sendCommand<string>(['CLUSTER', 'MYID'])
    const node = new ClusterNode(server, client, id)
    node.bus = bus
    started.move()
    return node
  }

  /** Port of the cluster bus. */
  bus = ''

  /** Sends a command to this node, whatever the slots are. */
  send(...command: string[]): Promise<unknown> {
    return this.#client.sendCommand(command)
  }

  /** Number of its keys. */
  async size(): Promise<number> {
    return Number(await this.send('DBSIZE'))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#client.destroy()
    await this.server[Symbol.asyncDispose]()
  }
}

/** Masters that share the slots evenly, each with as many replicas. */
export class RedisClusterServers {
  readonly masters: readonly ClusterNode[]
  readonly replicas: readonly ClusterNode[]

  private constructor(masters: readonly ClusterNode[], replicas: readonly ClusterNode[]) {
    this.masters = masters
    this.replicas = replicas
  }

  /** Starts a cluster, and waits until every node knows every other and all slots are served. */
  static async start(masters = 3, replicasOfEach = 0, program: string = redis): Promise<RedisClusterServers> {
    const count = masters * (1 + replicasOfEach)
    const attempts = await Promise.allSettled(Array.from({ length: count }, () => ClusterNode.start(program)))
    await using started = new AsyncDisposableStack()
    const nodes = attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : []))
    for (const node of nodes) started.use(node)
    for (const attempt of attempts) if (attempt.status === 'rejected') throw attempt.reason
    const cluster = new RedisClusterServers(nodes.slice(0, masters), nodes.slice(masters))
    await cluster.#join()
    started.move()
    return cluster
  }

  /** Addresses of the masters. */
  get urls(): string[] {
    return this.masters.map(({ server }) => server.url)
  }

  /** All nodes. */
  get nodes(): readonly ClusterNode[] {
    return [...this.masters, ...this.replicas]
  }

  /** The node that serves a key. */
  async ownerOf(key: string): Promise<ClusterNode> {
    const slot = Number(await this.masters[0]?.send('CLUSTER', 'KEYSLOT', key))
    const owner = Math.min(Math.floor(slot / this.#share), this.masters.length - 1)
    return this.#master(owner)
  }

  /**
   * Moves a slot with its keys, a few at a time as `redis-cli --cluster reshard` does. Begins once all nodes agree about the
   * move before: while the epoch of one is not known to the others, two may name each other as the owner of a slot for good.
   *
   * @returns How many keys were moved.
   */
  async moveSlot(slot: number, from: ClusterNode, to: ClusterNode): Promise<number> {
    await this.#untilAgreed()
    const name = String(slot)
    await to.send('CLUSTER', 'SETSLOT', name, 'IMPORTING', from.id)
    await from.send('CLUSTER', 'SETSLOT', name, 'MIGRATING', to.id)
    let moved = 0
    for (;;) {
      const keys = (await from.send('CLUSTER', 'GETKEYSINSLOT', name, '10')) as string[]
      if (keys.length === 0) break
      const target = ['127.0.0.1', String(to.server.port), '', '0', '5000', 'KEYS']
      await from.send('MIGRATE', ...target, ...keys)
      moved += keys.length
    }
    for (const node of [to, from]) await node.send('CLUSTER', 'SETSLOT', name, 'NODE', to.id)
    const others = this.masters.filter((node) => node !== to && node !== from)
    for (const node of others) await node.send('CLUSTER', 'SETSLOT', name, 'NODE', to.id)
    return moved
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.nodes.map((node) => node[Symbol.asyncDispose]()))
  }

  get #share(): number {
    return Math.ceil(SLOTS / this.masters.length)
  }

  #master(index: number): ClusterNode {
    const node = this.masters[index]
    if (node === undefined) throw new Error(`The cluster has no master ${index}`)
    return node
  }

  async #join(): Promise<void> {
    const first = this.#master(0)
    for (const [index, node] of this.masters.entries()) {
      const end = Math.min((index + 1) * this.#share, SLOTS) - 1
      await node.send('CLUSTER', 'ADDSLOTSRANGE', String(index * this.#share), String(end))
      await node.send('CLUSTER', 'SET-CONFIG-EPOCH', String(index + 1))
    }
    for (const node of this.nodes.slice(1))
      await node.send('CLUSTER', 'MEET', '127.0.0.1', String(first.server.port), first.bus)
    await this.#until((info) => info.includes(`cluster_known_nodes:${this.nodes.length}`))
    for (const [index, node] of this.replicas.entries())
      await node.send('CLUSTER', 'REPLICATE', this.#master(index % this.masters.length).id)
    await this.#until((info) => info.includes('cluster_state:ok'))
    for (const node of this.replicas) await untilReplicated(node)
  }

  async #untilAgreed(): Promise<void> {
    await until(async () => {
      const views = await Promise.all(this.nodes.map(mastersKnownTo))
      const epochs = new Set(views[0]?.map(({ epoch }) => epoch))
      return (
        new Set(views.map((view) => JSON.stringify(view))).size === 1 && epochs.size === this.masters.length
      )
    })
  }

  async #until(isDone: (info: string) => boolean): Promise<void> {
    await until(async () => {
      const infos = await Promise.all(this.nodes.map((node) => node.send('CLUSTER', 'INFO')))
      return infos.every((info) => isDone(String(info)))
    })
  }
}

/** Waits until something is so. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + PATIENCE_MILLISECONDS
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error('The cluster has not come to what the test waits for')
    await pause(20)
  }
}

/** The masters in the view of a node: their epochs and slots, without those on their way. */
async function mastersKnownTo(node: ClusterNode): Promise<{ id: string; epoch: string; slots: string }[]> {
  const lines = String(await node.send('CLUSTER', 'NODES'))
    .trim()
    .split('\n')
  return lines
    .map((line) => line.split(' '))
    .filter(([, , flags = '']) => flags.includes('master'))
    .map(([id = '', , , , , , epoch = '', , ...slots]) => ({
      id,
      epoch,
      slots: slots.filter((range) => !range.startsWith('[')).join(),
    }))
    .sort((one, other) => (one.id < other.id ? -1 : 1))
}

async function untilReplicated(node: ClusterNode): Promise<void> {
  await until(async () => String(await node.send('INFO', 'replication')).includes('master_link_status:up'))
}

function clientOf(url: string) {
  return createClient({ url, disableOfflineQueue: true })
}
