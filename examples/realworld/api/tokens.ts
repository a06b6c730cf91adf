import { hash, randomBytes } from 'node:crypto'
import { Clock, type HttpContext, inject } from 'sallyport'
import type { Middleware, Next } from 'sallyport/http'
import { Database } from '../domain/database.ts'
import { unauthorized } from '../domain/refusal.ts'
import type { User } from '../domain/users.ts'

const LIFETIME_SECONDS = 30 * 24 * 60 * 60

/** The database holds digests of the tokens, so a copy of it opens no account. */
export class Tokens {
  readonly #database = inject(Database)
  readonly #clock = inject(Clock)

  create({ id }: User): string {
    const token = `conduit_${randomBytes(32).toString('base64url')}`
    const now = this.#clock.timestamp()
    this.#database.run('DELETE FROM token WHERE expires <= :now', { now })
    const values = { digest: hash('sha256', token), id, expires: now + LIFETIME_SECONDS }
    this.#database.run('INSERT INTO token VALUES (:digest, :id, :expires)', values)
    return token
  }

  find(token: string): User | undefined {
    const sql = `SELECT u.id, username, email, bio, image FROM token JOIN user u ON u.id = user_id
      WHERE digest = :digest AND expires > :now`
    return this.#database.get(sql, { digest: hash('sha256', token), now: this.#clock.timestamp() })
  }

  /** Ends the tokens of a user who has a new password, but for the one in use. */
  endOthers({ id }: User, token = ''): void {
    const sql = 'DELETE FROM token WHERE user_id = :id AND digest <> :digest'
    this.#database.run(sql, { id, digest: hash('sha256', token) })
  }
}

/** The token of the header `Authorization: Token …`; undefined if there is none. */
export function presentedToken(context: HttpContext): string | undefined {
  return /^Token (\S+)$/i.exec(context.header('authorization') ?? '')?.[1]
}

/** Identifies the user of the token, and nobody without one. A wrong token is refused. */
export class IdentifyToken implements Middleware {
  readonly #tokens = inject(Tokens)

  process(context: HttpContext, next: Next): Promise<Response> {
    const token = presentedToken(context)
    const user = token === undefined ? undefined : this.#tokens.find(token)
    if (user !== undefined) context.auth().authenticate(user)
    else if (token !== undefined) throw unauthorized('token', 'is invalid')
    return next()
  }
}

export class RequireToken implements Middleware {
  process(context: HttpContext, next: Next): Promise<Response> {
    if (!context.auth().isAuthenticated()) throw unauthorized('token', 'is missing')
    return next()
  }
}
