import { SealedColumn } from 'sallyport-app/keys'

/** What the key ring binds such a secret to, beside its account. */
export const FACTOR_SECRET = 'totp'

/** The sealed secrets of second factors, each bound to its account. */
export class FactorVault extends SealedColumn {
  constructor() {
    const column = { table: 'factor', column: 'secret', owner: 'account_id', purpose: FACTOR_SECRET }
    super({ ...column, things: 'factors' })
  }
}
