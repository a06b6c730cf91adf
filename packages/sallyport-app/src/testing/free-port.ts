/**
 * Ports for servers that must know theirs before they listen.
 *
 * @module
 */
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

// Below the ports that systems give to outgoing connections, which would otherwise take one before its server does.
const PORTS = { lowest: 12_000, end: 32_000 }
const given = new Set<number>()

/**
 * Looks for a port of the loopback interface that nobody listens on. None is given twice to the same process: servers that
 * start at the same time would otherwise now and then get the same one, and a client that reaches the wrong server waits.
 *
 * @returns The port.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.lowest, PORTS.end)
    if (given.has(port)) continue
    given.add(port)
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
