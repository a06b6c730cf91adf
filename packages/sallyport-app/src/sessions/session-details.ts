import type { Json } from 'sallyport'
import { type Client, type Device, parseDevice, placeOf } from '../clients/index.ts'
import type { Proofs } from './proofs.ts'

/** What a login leaves for the list of sessions. It is kept by the framework, beside the identity, and decides nothing. */
export interface SessionDetails {
  /** What the login came from. */
  readonly device: Device
  /** Network that the login came from; empty when the server knew no address. */
  readonly place: string
  /** What was proven, in this order: the password, a factor, or what stood in for one. */
  readonly proven: readonly string[]
}

/**
 * Describes a login.
 *
 * @param client Where it came from.
 * @param proofs What was proven.
 * @returns Details for `login()`, far below their limit of 2,048 bytes: nothing in them is as long as what the client sent.
 */
export function sessionDetails(client: Client, proofs: Proofs): Readonly<Record<string, Json>> {
  const { password, kind } = proofs
  const proven = [...(password === undefined ? [] : ['password']), ...(kind === undefined ? [] : [kind])]
  return { device: client.device, place: placeOf(client.clientAddress), proven }
}

/**
 * Reads the details of a session.
 *
 * @param details What `login()` was given.
 * @returns What they say; nothing of what is malformed.
 */
export function readSessionDetails(details: Readonly<Record<string, Json>>): SessionDetails {
  const { device, place, proven } = details
  return {
    device: parseDevice(typeof device === 'string' ? device : ''),
    place: typeof place === 'string' ? place : '',
    proven: Array.isArray(proven) ? proven.filter((kind) => typeof kind === 'string') : [],
  }
}
