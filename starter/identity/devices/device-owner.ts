import type { Client } from '../clients/client.ts'

/** Whose browser it is: the account, the version of its credentials now, and the client of the request. */
export interface DeviceOwner extends Client {
  /** Account reference; of a proven password or a session, never from what the client sent. */
  readonly accountId: string
  /** Version of the credentials that were proven. */
  readonly credentialVersion: number
}

/** Who removes trusted browsers. */
export type DeviceRemover = Omit<DeviceOwner, 'credentialVersion'>
