/** What is known of a client: its network, and the device that it says it is. @module */
export { type Client, clientOf, placeOf } from './client.ts'
export { type Device, deviceOf, parseDevice } from './device.ts'
export { isLoopback, isOnThisMachine } from './loopback.ts'
export { networkOf, type Prefix } from './network.ts'
