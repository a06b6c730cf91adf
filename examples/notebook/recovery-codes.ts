import { hash, randomInt } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { inject } from 'sallyport'
import type { Account } from './accounts.ts'

const COUNT = 8
const DIGITS = 20

export class RecoveryCodes {
  readonly #database = inject(DatabaseSync)

  /** Replaces the codes of an account. Show them once: only their digests are stored. Call it in a transaction. */
  replace(account: Account): string[] {
    this.remove(account)
    const codes = Array.from({ length: COUNT }, newCode)
    const insert = this.#database.prepare('INSERT INTO recovery_code (account_id, digest) VALUES (?, ?)')
    for (const code of codes) insert.run(account.id, hash('sha256', code))
    return codes.map((code) => code.replaceAll(/\d{5}(?=\d)/g, '$&-'))
  }

  /** Uses a code up: the deleted row decides, so that a code counts once. */
  use(account: Account, digits: string): boolean {
    const query = 'DELETE FROM recovery_code WHERE account_id = ? AND digest = ?'
    return this.#database.prepare(query).run(account.id, hash('sha256', digits)).changes === 1
  }

  left(account: Account): number {
    const query = 'SELECT count(*) AS codes FROM recovery_code WHERE account_id = ?'
    return Number(this.#database.prepare(query).get(account.id)?.codes)
  }

  remove(account: Account): void {
    this.#database.prepare('DELETE FROM recovery_code WHERE account_id = ?').run(account.id)
  }
}

// Digits, because phones show their keys for the code of the app in the same field.
function newCode(): string {
  return Array.from({ length: DIGITS }, () => randomInt(10)).join('')
}
