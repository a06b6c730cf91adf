/** An address of this machine, without brackets: 127.0.0.0/8, ::1, and the first ones as IPv6 addresses. */
const LOOPBACK = /^(?:::ffff:)?127(?:\.\d{1,3}){3}$|^::1$/

/** A request, as far as it matters here. */
interface AskedFrom {
  /** Scheme and host that the client asked for. */
  origin(): string
  /** Address of the client. */
  clientAddress(): string
}

/**
 * Says whether an address is one of this machine.
 *
 * @param address An address, without brackets.
 * @returns Whether it is a loopback address.
 */
export function isLoopback(address: string): boolean {
  return LOOPBACK.test(address)
}

/**
 * The name counts as well: a page of anybody can have its own name lead to this machine, and read there what it gets (DNS rebinding).
 *
 * @param request The request, such as its context.
 * @returns Whether it comes from this machine, under a name or an address of this machine.
 */
export function isOnThisMachine(request: AskedFrom): boolean {
  const { hostname } = new URL(request.origin())
  const host = hostname.replace(/^\[|\]$/g, '')
  const isNamed = host === 'localhost' || host.endsWith('.localhost')
  return isLoopback(request.clientAddress()) && (isNamed || isLoopback(host))
}
