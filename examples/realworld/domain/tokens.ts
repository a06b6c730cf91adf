import { hash, randomBytes } from 'node:crypto'
import { Clock, inject } from 'sallyport'
import { Database } from './database.ts'
import { type User, Users } from './users.ts'

const LIFETIME_SECONDS = 30 * 24 * 60 * 60

/** Tokens of the API. The database holds their digests, so a copy of it opens no account. */
export class Tokens {
  readonly #database = inject(Database)
  readonly #clock = inject(Clock)
  readonly #users = inject(Users)

  create({ id }: User): string {
    const token = `conduit_${randomBytes(32).toString('base64url')}`
    const now = this.#clock.timestamp()
    this.#database.run('DELETE FROM token WHERE expires <= :now', { now })
    const values = { digest: hash('sha256', token), id, expires: now + LIFETIME_SECONDS }
    this.#database.run('INSERT INTO token VALUES (:digest, :id, :expires)', values)
    return token
  }

  find(token: string): User | undefined {
    const sql = 'SELECT user_id AS id FROM token WHERE digest = :digest AND expires > :now'
    const values = { digest: hash('sha256', token), now: this.#clock.timestamp() }
    const row = this.#database.get<{ id: number }>(sql, values)
    return row && this.#users.find(row.id)
  }

  /** Ends the tokens of a user who has a new password, but for the one in use. */
  endOthers({ id }: User, token = ''): void {
    const sql = 'DELETE FROM token WHERE user_id = :id AND digest <> :digest'
    this.#database.run(sql, { id, digest: hash('sha256', token) })
  }
}
