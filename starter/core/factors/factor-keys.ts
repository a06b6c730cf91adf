import { SealedColumn } from 'sallyport-app/keys'
import { FACTOR_SECRET } from './factor-vault.ts'

/** The sealed secrets of all factors. */
export class FactorKeys extends SealedColumn {
  constructor() {
    const column = { table: 'factor', column: 'secret', owner: 'account_id', purpose: FACTOR_SECRET }
    super({ ...column, things: 'factors' })
  }
}
