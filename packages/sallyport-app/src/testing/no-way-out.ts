/** Importing it keeps the connections of the process on this machine. @module */
import { isIP, Socket } from 'node:net'

const attempts: string[] = []
const connect = Reflect.get(Socket.prototype, 'connect')

// Whatever opens a connection of TCP, a library too, comes through here.
Socket.prototype.connect = function (this: Socket, ...args: unknown[]): Socket {
  const host = hostOf(args)
  if (host === undefined || isLoopback(host)) return Reflect.apply(connect, this, args) as Socket
  attempts.push(host)
  return this.destroy(new Error(`A test may not connect to ${host}`))
}

/**
 * Says what wanted to leave this machine.
 *
 * @returns The hosts that something wanted to connect to since the last call.
 */
export function takeOutgoing(): readonly string[] {
  return attempts.splice(0)
}

// A path of a local socket has no host.
function hostOf(args: readonly unknown[]): string | undefined {
  const [first, second] = Array.isArray(args[0]) ? (args[0] as unknown[]) : args
  if (typeof first === 'object' && first !== null) {
    const { host, path }: { readonly host?: unknown; readonly path?: unknown } = first
    return typeof host === 'string' && (path === undefined || path === null) ? host : undefined
  }
  return typeof second === 'string' ? second : undefined
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}
