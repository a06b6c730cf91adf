import { DatabaseSync } from 'node:sqlite'
import { generateSecret, generateURI, verify } from 'otplib/functional'
import { Clock, inject } from 'sallyport'
import type { Account } from './accounts.ts'
import { inTransaction } from './database.ts'
import { FactorVault } from './factor-vault.ts'
import { RecoveryCodes } from './recovery-codes.ts'

export class SecondFactor {
  readonly #database = inject(DatabaseSync)
  readonly #clock = inject(Clock)
  readonly #vault = inject(FactorVault)
  readonly #recoveryCodes = inject(RecoveryCodes)

  /** A new secret, sealed: neither the session nor the database holds it as it is. */
  newSecret(account: Account): string {
    return this.#vault.seal(account.id, generateSecret())
  }

  /** What an authenticator app needs: the key, and the URI that it reads from the QR code. */
  show(account: Account, sealed: string): { secret: string; uri: string } {
    const secret = this.#vault.open(account.id, sealed)
    return { secret, uri: generateURI({ issuer: 'Notebook', label: account.email, secret }) }
  }

  /** Switches the factor on if the code is right. Returns the recovery codes. */
  async enable(account: Account, sealed: string, code: string): Promise<string[] | undefined> {
    const step = await this.#stepOf(account, sealed, digitsOf(code))
    if (step === undefined) return undefined
    const query =
      'UPDATE account SET factor_secret = ?, factor_step = ? WHERE id = ? AND factor_secret IS NULL'
    return inTransaction(this.#database, () => {
      const isOn = this.#database.prepare(query).run(sealed, step, account.id).changes === 1
      return isOn ? this.#recoveryCodes.replace(account) : undefined
    })
  }

  /** Whether the code of the app, or a recovery code, is right. Each works only once. */
  async use(account: Account, code: string): Promise<boolean> {
    const digits = digitsOf(code)
    if (isRecoveryCode(code)) return this.#recoveryCodes.use(account, digits)
    const row = this.#database.prepare('SELECT factor_secret FROM account WHERE id = ?').get(account.id)
    if (typeof row?.factor_secret !== 'string') return false
    const step = await this.#stepOf(account, row.factor_secret, digits)
    if (step === undefined) return false
    // Moving the step forward makes each code work only once.
    const query = 'UPDATE account SET factor_step = ? WHERE id = ? AND factor_step < ?'
    return this.#database.prepare(query).run(step, account.id, step).changes === 1
  }

  newRecoveryCodes(account: Account): string[] {
    return inTransaction(this.#database, () => this.#recoveryCodes.replace(account))
  }

  disable(account: Account): void {
    inTransaction(this.#database, () => {
      const query = 'UPDATE account SET factor_secret = NULL, factor_step = NULL WHERE id = ?'
      this.#database.prepare(query).run(account.id)
      this.#recoveryCodes.remove(account)
    })
  }

  async #stepOf(account: Account, sealed: string, token: string): Promise<number | undefined> {
    if (!/^\d{6}$/.test(token)) return undefined
    const secret = this.#vault.open(account.id, sealed)
    const epoch = this.#clock.timestamp()
    // The code of the last period counts too: people need time to type.
    const result = await verify({ secret, token, epoch, epochTolerance: [29, 0] })
    return result.valid && 'timeStep' in result ? result.timeStep : undefined
  }
}

/** Whether it is as long as a recovery code, and not as a code of the app. */
export function isRecoveryCode(code: string): boolean {
  return digitsOf(code).length > 6
}

function digitsOf(code: string): string {
  return code.replaceAll(/[\s-]/g, '')
}
