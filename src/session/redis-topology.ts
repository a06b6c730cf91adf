import { SLOTS } from './redis-slots.ts'

/** Where the cluster says that an operation belongs. */
export interface Redirection {
  /** `moved`: the slot belongs to that node now. `ask`: this once, because the slot is on its way there. */
  readonly kind: 'moved' | 'ask'
  /** `host:port` of the node. */
  readonly address: string
}

/**
 * @param error What a node answered.
 * @param asked Address of that node: a node may leave out the host when it is the same.
 * @returns Where to go instead; null when it is no redirection.
 */
export function parseRedirection(error: unknown, asked: string): Redirection | null {
  const parts = error instanceof Error ? /^(MOVED|ASK) \d+ (\S*):(\d+)$/.exec(error.message) : null
  if (parts === null) return null
  const [, word, host = '', port = ''] = parts
  return { kind: word === 'ASK' ? 'ask' : 'moved', address: addressOf(host, port, asked) }
}

/**
 * @param answer Answer to `CLUSTER SLOTS`: for each range its first and last slot, its master and its replicas.
 * @param asked Address of the node that answered.
 * @returns Address of the master by slot.
 * @throws {TypeError} If it is not such an answer.
 */
export function parseOwners(answer: unknown, asked: string): string[] {
  const owners: string[] = []
  for (const range of listOf(answer)) {
    const [first, last, master] = listOf(range)
    const [host, port] = listOf(master)
    const [from, to] = [Number(first), Number(last)]
    if (!(from >= 0 && to < SLOTS)) throw new TypeError('Cannot read the slots of a Redis cluster')
    const address = addressOf(typeof host === 'string' ? host : '', String(port), asked)
    for (let slot = from; slot <= to; slot++) owners[slot] = address
  }
  return owners
}

/**
 * @param url Address of a node, as the application gives it.
 * @returns Its `host:port`.
 */
export function addressIn(url: string): string {
  const { hostname, port } = new URL(url)
  return `${hostname}:${port === '' ? '6379' : port}`
}

/**
 * @param url Address of a node, as the application gives it.
 * @param address `host:port` of another node.
 * @returns The URL of the other node, with the same scheme, user and password.
 */
export function urlOf(url: string, address: string): string {
  const other = new URL(url)
  const end = address.lastIndexOf(':')
  const host = address.slice(0, end).replace(/^\[|\]$/g, '')
  other.hostname = host.includes(':') ? `[${host}]` : host
  other.port = address.slice(end + 1)
  return other.href
}

function addressOf(host: string, port: string, asked: string): string {
  const isUnknown = host === '' || host === '?'
  return `${isUnknown ? asked.slice(0, asked.lastIndexOf(':')) : host}:${port}`
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new TypeError('Cannot read the slots of a Redis cluster')
  return value
}
