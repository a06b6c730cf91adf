import { RateLimiterMemory } from 'rate-limiter-flexible'
import { inject } from 'sallyport'
import { PasswordHasher } from 'sallyport/auth'
import { TooManyRequestsException } from 'sallyport/http'
import { Database } from './database.ts'
import type { Credentials, Registration, UserChanges } from './fields.ts'
import { taken } from './refusal.ts'

type Row = {
  id: number
  username: string
  email: string
  bio: string | null
  image: string | null
  hash: string
}

const COLUMNS = 'id, username, email, bio, image, password_hash AS hash'
const ATTEMPTS = { points: 10, duration: 15 * 60 }

/** Who is signed in. Holds no secret, so that it can be handed to templates. */
export class User {
  readonly id: number
  readonly username: string
  readonly email: string
  readonly bio: string | null
  readonly image: string | null

  constructor({ id, username, email, bio, image }: Omit<Row, 'hash'>) {
    this.id = id
    this.username = username
    this.email = email
    this.bio = bio
    this.image = image
  }
}

export class Users {
  readonly #database = inject(Database)
  readonly #hasher = inject(PasswordHasher)
  readonly #attempts = new RateLimiterMemory(ATTEMPTS)

  find(id: number): User | undefined {
    const row = this.#database.get<Row>(`SELECT ${COLUMNS} FROM user WHERE id = :id`, { id })
    return row && new User(row)
  }

  async register({ username, email, password }: Registration): Promise<User> {
    const hash = await this.#hasher.hash(password)
    this.#assertFree(username, email)
    const sql = `INSERT INTO user (username, email, password_hash) VALUES (:username, :email, :hash) RETURNING id`
    const row = this.#database.get<{ id: number }>(sql, { username, email, hash })
    return new User({ id: row?.id ?? 0, username, email, bio: null, image: null })
  }

  /** Gives the user of that address if the password is right. */
  async verify({ email, password }: Credentials): Promise<User | undefined> {
    // Counted before the check, so that simultaneous attempts count too.
    await this.#attempts.consume(email.toLowerCase()).catch(() => {
      throw new TooManyRequestsException(ATTEMPTS.duration)
    })
    const row = this.#database.get<Row>(`SELECT ${COLUMNS} FROM user WHERE email = :email`, { email })
    // Asked also without a user: the answer then takes as long as for a wrong password.
    const isRight = await this.#hasher.verify(password, row?.hash)
    if (!isRight || row === undefined) return undefined
    await this.#attempts.delete(email.toLowerCase())
    return new User(row)
  }

  /** Changes what is given. */
  async update(user: User, { password, ...changes }: UserChanges): Promise<User> {
    const hash = password === undefined ? null : await this.#hasher.hash(password)
    const { id, username, email, bio, image } = Object.assign({}, user, changes)
    this.#assertFree(username, email, id)
    const sql = `UPDATE user SET username = :username, email = :email, bio = :bio, image = :image,
      password_hash = coalesce(:hash, password_hash) WHERE id = :id`
    this.#database.run(sql, { id, username, email, bio, image, hash })
    return new User({ id, username, email, bio, image })
  }

  // Nothing awaits between this check and the write, so no other request comes between them.
  #assertFree(username: string, email: string, self = 0): void {
    const others = 'SELECT 1 FROM user WHERE id <> :self AND'
    if (this.#database.get(`${others} username = :username`, { self, username })) throw taken('username')
    if (this.#database.get(`${others} email = :email`, { self, email })) throw taken('email')
  }
}
