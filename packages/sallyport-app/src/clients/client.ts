import type { HttpContext } from 'sallyport'
import { deviceOf } from './device.ts'
import { networkOf, type Prefix } from './network.ts'

// Wide enough that a telephone that is given another address at home stays in its place.
const PLACE_PREFIX: Prefix = { bytes: 3, groups: 3 }

/** The client of a request, as events and sessions remember it. */
export interface Client {
  /** Its address; empty when the server does not know it. */
  readonly clientAddress: string
  /** Its browser and system, as `deviceOf()` names them. */
  readonly device: string
}

/**
 * Describes the client of a request.
 *
 * @param context The context of the request.
 * @returns Its address, and what it says of itself.
 */
export function clientOf(context: HttpContext): Client {
  return { clientAddress: context.clientAddress(), device: deviceOf(context.header('user-agent')) }
}

/**
 * Names the network of a client, in place of a location: no database of places is asked.
 *
 * @param clientAddress Its address; empty for an unknown one.
 * @returns Its network, such as `192.0.2.0/24`; empty for an unknown address.
 */
export function placeOf(clientAddress: string): string {
  return clientAddress === '' ? '' : networkOf(clientAddress, PLACE_PREFIX)
}
