import { DatabaseSync } from 'node:sqlite'
import { inject } from 'sallyport'
import { PasswordHasher } from 'sallyport/auth'

/** The signed-in account. It has no secrets, so it can be passed to templates. */
export class Account {
  readonly id: number
  readonly email: string
  readonly hasFactor: boolean

  constructor(id: number, email: string, hasFactor: boolean) {
    this.id = id
    this.email = email
    this.hasFactor = hasFactor
  }
}

type Row = { id: number; email: string; password_hash: string; factor_secret: string | null }

export class Accounts {
  readonly #database = inject(DatabaseSync)
  readonly #hasher = inject(PasswordHasher)

  /** Adds an account. Returns false if the address has one already. */
  async add(email: string, password: string): Promise<boolean> {
    const hash = await this.#hasher.hash(password)
    const query = 'INSERT INTO account (email, password_hash) VALUES (?, ?) ON CONFLICT (email) DO NOTHING'
    return this.#database.prepare(query).run(email, hash).changes === 1
  }

  list(): Account[] {
    const rows = this.#database.prepare('SELECT * FROM account ORDER BY email').all()
    return rows.map((row) => toAccount(row as Row))
  }

  find(identifier: string): Account | undefined {
    const row = this.#database.prepare('SELECT * FROM account WHERE id = ?').get(Number(identifier))
    return row === undefined ? undefined : toAccount(row as Row)
  }

  /** Returns the account of that address if the password is right. */
  async verify(email: string, password: string): Promise<Account | undefined> {
    const row = this.#database.prepare('SELECT * FROM account WHERE email = ?').get(email) as Row | undefined
    const isRight = await this.#hasher.verify(password, row?.password_hash)
    return isRight && row !== undefined ? toAccount(row) : undefined
  }

  permissions(account: Account): string[] {
    const rows = this.#database.prepare('SELECT name FROM permission WHERE account_id = ?').all(account.id)
    return rows.map(({ name }) => String(name))
  }

  /** Grants a permission. Returns false if there is no account of that address, or it has the permission. */
  grant(email: string, permission: string): boolean {
    const query = 'INSERT OR IGNORE INTO permission SELECT id, ? FROM account WHERE email = ?'
    return this.#database.prepare(query).run(permission, email).changes === 1
  }
}

function toAccount(row: Row): Account {
  return new Account(row.id, row.email, row.factor_secret !== null)
}
