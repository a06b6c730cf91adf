/** What is known of a client: its network, the device that it says it is, and whether an account was signed in from there before. @module */
export { type Client, clientOf, placeOf } from './client.ts'
export { type Device, deviceOf, parseDevice } from './device.ts'
export {
  type ClientPlace,
  KnownClients,
  type KnownClientTable,
  type KnownClientTables,
  knownClientTables,
} from './known-clients.ts'
export { isLoopback, isOnThisMachine } from './loopback.ts'
export { networkOf, type Prefix } from './network.ts'
