import { inject } from 'sallyport'
import { Database } from './database.ts'
import { notFound } from './refusal.ts'
import type { User } from './users.ts'

/** What others see of a user. */
export type Profile = { username: string; bio: string | null; image: string | null; following: boolean }
export type ProfileRow = Omit<Profile, 'following'> & { following: number }

/** The columns of the user `u`, as `:viewer` sees them. */
export const PROFILE = `u.username, u.bio, u.image,
  EXISTS (SELECT 1 FROM follow WHERE follower_id = :viewer AND followed_id = u.id) AS following`

export class Profiles {
  readonly #database = inject(Database)

  get(username: string, viewer?: User): Profile {
    const sql = `SELECT ${PROFILE} FROM user u WHERE u.username = :username`
    const row = this.#database.get<ProfileRow>(sql, { username, viewer: viewer?.id ?? null })
    if (row === undefined) throw notFound('profile')
    return toProfile(row)
  }

  follow(username: string, { id }: User): void {
    const sql = 'INSERT OR IGNORE INTO follow SELECT :id, id FROM user WHERE username = :username'
    this.#database.run(sql, { id, username: this.get(username).username })
  }

  unfollow(username: string, { id }: User): void {
    const followed = '(SELECT id FROM user WHERE username = :username)'
    const sql = `DELETE FROM follow WHERE follower_id = :id AND followed_id = ${followed}`
    this.#database.run(sql, { id, username: this.get(username).username })
  }
}

export function toProfile({ username, bio, image, following }: ProfileRow): Profile {
  return { username, bio, image, following: following === 1 }
}
