import type { Transaction } from 'kysely'
import { inject } from 'sallyport'
import { type Client, KnownClients as AnyKnownClients, parseDevice } from 'sallyport-app/clients'
import { AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import { deviceMessage, placeMessage } from '../clients/client-messages.ts'
import type { Schema } from '../database/schema.ts'
import { Notices } from '../mail/notices.ts'

// How long a client is remembered after its last sign-in.
const CLIENT_KEPT_DAYS = 400

/** The networks and devices that an account was signed in from. */
export class KnownClients extends AnyKnownClients {
  readonly #audit = inject(AuditTrail)
  readonly #notices = inject(Notices)

  constructor() {
    super(CLIENT_KEPT_DAYS)
  }

  /** Remembers the client of a sign-in, in its transaction. One that is unusual is recorded, and its owner gets a mail. */
  async admit(transaction: Transaction<Schema>, accountId: string, client: Client): Promise<void> {
    const unusual = await this.meet(transaction, accountId, client)
    if (unusual === undefined) return
    await this.#audit.record({ kind: AuditEvent.UnusualSignIn, accountId, ...client }, transaction)
    const { device, network } = unusual
    const values = { device: deviceMessage(parseDevice(device)), place: placeMessage(network) }
    await this.#notices.tell({ kind: 'new-sign-in', accountId, values }, transaction)
  }
}
