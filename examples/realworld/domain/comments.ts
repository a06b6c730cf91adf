import { Clock, inject } from 'sallyport'
import { Articles } from './articles.ts'
import { Database } from './database.ts'
import { type Profile, PROFILE, type ProfileRow, toProfile } from './profiles.ts'
import { forbidden, notFound } from './refusal.ts'
import type { User } from './users.ts'

export type Comment = { id: number; createdAt: string; updatedAt: string; body: string; author: Profile }
type Row = Omit<Comment, 'updatedAt' | 'author'> & ProfileRow

const FROM = 'FROM comment c JOIN user u ON u.id = c.author_id JOIN article a ON a.id = c.article_id'
const SELECT = `SELECT c.id, c.body, c.created_at AS createdAt, ${PROFILE} ${FROM} WHERE a.slug = :slug`

export class Comments {
  readonly #database = inject(Database)
  readonly #articles = inject(Articles)
  readonly #clock = inject(Clock)

  list(slug: string, viewer?: User): Comment[] {
    const values = { slug: this.#articles.get(slug).slug, viewer: viewer?.id ?? null }
    return this.#database.all<Row>(`${SELECT} ORDER BY c.id`, values).map(toComment)
  }

  add(slug: string, body: string, author: User): Comment {
    const sql = `INSERT INTO comment (article_id, author_id, body, created_at)
      SELECT id, :author, :body, :now FROM article WHERE slug = :slug RETURNING id`
    const values = { slug, author: author.id, body, now: this.#clock.now().toISOString() }
    const row = this.#database.get<{ id: number }>(sql, values)
    if (row === undefined) throw notFound('article')
    return this.#get(slug, row.id)
  }

  delete(slug: string, id: number, author: User): void {
    this.#articles.get(slug)
    if (this.#get(slug, id).author.username !== author.username) throw forbidden('comment')
    this.#database.run('DELETE FROM comment WHERE id = :id', { id })
  }

  #get(slug: string, id: number): Comment {
    const row = this.#database.get<Row>(`${SELECT} AND c.id = :id`, { slug, id, viewer: null })
    if (row === undefined) throw notFound('comment')
    return toComment(row)
  }
}

/** Nobody edits a comment, so it was last changed when it was written. */
function toComment({ id, createdAt, body, ...author }: Row): Comment {
  return { id, createdAt, updatedAt: createdAt, body, author: toProfile(author) }
}
