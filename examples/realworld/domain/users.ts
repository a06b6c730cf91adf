import { RateLimiterMemory } from 'rate-limiter-flexible'
import { inject } from 'sallyport'
import { PasswordHasher } from 'sallyport/auth'
import { TooManyRequestsException } from 'sallyport/http'
import { Database } from './database.ts'
import type { Credentials, Registration, UserChanges } from './fields.ts'
import { notFound, taken, unauthorized } from './refusal.ts'

const ATTEMPTS = { points: 10, duration: 15 * 60 }

/** Who is signed in. Holds no secret, so that it can be handed to templates. */
export type User = { id: number; username: string; email: string; bio: string | null; image: string | null }

/** What others see of a user. */
export type Profile = { username: string; bio: string | null; image: string | null; following: boolean }

export class Users {
  readonly #database = inject(Database)
  readonly #hasher = inject(PasswordHasher)
  readonly #attempts = new RateLimiterMemory(ATTEMPTS)

  find(id: number): User | undefined {
    return this.#database.get<User>('SELECT id, username, email, bio, image FROM user WHERE id = :id', { id })
  }

  async register({ username, email, password }: Registration): Promise<User> {
    const hash = await this.#hasher.hash(password)
    this.#assertFree({ id: 0, username, email })
    const sql = 'INSERT INTO user (username, email, password_hash) VALUES (:username, :email, :hash)'
    const id = this.#database.run(sql, { username, email, hash })
    return { id, username, email, bio: null, image: null }
  }

  /** The user with these credentials. */
  async verify({ email, password }: Credentials): Promise<User> {
    // Counted before the check, so that simultaneous attempts count too.
    await this.#attempts.consume(email.toLowerCase()).catch(() => {
      throw new TooManyRequestsException(ATTEMPTS.duration)
    })
    const sql = 'SELECT id, password_hash AS hash FROM user WHERE email = :email'
    const row = this.#database.get<{ id: number; hash: string }>(sql, { email })
    // Asked also without a user: the answer then takes as long as for a wrong password.
    const isRight = await this.#hasher.verify(password, row?.hash)
    const user = isRight && row !== undefined ? this.find(row.id) : undefined
    if (user === undefined) throw unauthorized('credentials', 'invalid')
    await this.#attempts.delete(email.toLowerCase())
    return user
  }

  /** Changes what is given. */
  async update(user: User, { password, ...changes }: UserChanges): Promise<User> {
    const hash = password === undefined ? null : await this.#hasher.hash(password)
    const { id, username, email, bio, image } = { ...user, ...changes }
    this.#assertFree({ id, username, email })
    const sql = `UPDATE user SET username = :username, email = :email, bio = :bio, image = :image,
      password_hash = coalesce(:hash, password_hash) WHERE id = :id`
    this.#database.run(sql, { id, username, email, bio, image, hash })
    return { id, username, email, bio, image }
  }

  profile(username: string, viewer?: User): Profile {
    const sql = 'SELECT json FROM seen_profile WHERE viewer = :viewer AND username = :username'
    const [profile] = this.#database.list<Profile>(sql, { username, viewer: viewer?.id ?? 0 })
    if (profile === undefined) throw notFound('profile')
    return profile
  }

  follow(username: string, { id }: User): void {
    const sql = 'INSERT OR IGNORE INTO follow SELECT :id, id FROM user WHERE username = :username'
    this.#database.run(sql, { id, username: this.profile(username).username })
  }

  unfollow(username: string, { id }: User): void {
    const followed = '(SELECT id FROM user WHERE username = :username)'
    const sql = `DELETE FROM follow WHERE follower_id = :id AND followed_id = ${followed}`
    this.#database.run(sql, { id, username: this.profile(username).username })
  }

  // Nothing awaits between this check and the write, so no other request comes between them.
  #assertFree({ id, username, email }: Pick<User, 'id' | 'username' | 'email'>): void {
    const others = 'SELECT 1 FROM user WHERE id <> :id AND'
    if (this.#database.get(`${others} username = :username`, { id, username })) throw taken('username')
    if (this.#database.get(`${others} email = :email`, { id, email })) throw taken('email')
  }
}
