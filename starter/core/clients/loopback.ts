/** An address of this machine, without brackets: 127.0.0.0/8, ::1, and the first ones as IPv6 addresses. */
const LOOPBACK = /^(?:::ffff:)?127(?:\.\d{1,3}){3}$|^::1$/

/** A request, as far as it matters here. */
interface Request {
  origin(): string
  clientAddress(): string
}

/** @returns Whether the client is on this machine. */
export function isLoopback(address: string): boolean {
  return LOOPBACK.test(address)
}

/**
 * The name counts as well: a page of anybody can have its own name lead to this machine, and read there what it gets (DNS rebinding).
 *
 * @returns Whether it comes from this machine, under a name or an address of this machine.
 */
export function isOnThisMachine(request: Request): boolean {
  const { hostname } = new URL(request.origin())
  const host = hostname.replace(/^\[|\]$/g, '')
  const isNamed = host === 'localhost' || host.endsWith('.localhost')
  return isLoopback(request.clientAddress()) && (isNamed || isLoopback(host))
}
