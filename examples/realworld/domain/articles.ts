import { randomBytes } from 'node:crypto'
import { Clock, inject } from 'sallyport'
import { Database } from './database.ts'
import type { ArticleChanges, ArticleFields, Filter } from './fields.ts'
import { type Profile, PROFILE, type ProfileRow, toProfile } from './profiles.ts'
import { forbidden, notFound } from './refusal.ts'
import type { User } from './users.ts'

/** What a list shows of an article. */
export type Preview = Omit<ArticleFields, 'body'> & {
  slug: string
  createdAt: string
  updatedAt: string
  favorited: boolean
  favoritesCount: number
  author: Profile
}
export type Article = Preview & { body: string }
type Row = Omit<Preview, 'tagList' | 'favorited' | 'author'> &
  ProfileRow & { tags: string; favorited: number }

const FROM = 'FROM article a JOIN user u ON u.id = a.author_id'
const PREVIEW = `a.slug, a.title, a.description, a.tags, a.created_at AS createdAt, a.updated_at AS updatedAt,
  (SELECT count(*) FROM favorite WHERE article_id = a.id) AS favoritesCount,
  EXISTS (SELECT 1 FROM favorite WHERE article_id = a.id AND user_id = :viewer) AS favorited, ${PROFILE}`
const WHERE = `WHERE (:author IS NULL OR u.username = :author)
  AND (:tag IS NULL OR EXISTS (SELECT 1 FROM json_each(a.tags) WHERE value = :tag))
  AND (:favorited IS NULL OR EXISTS (SELECT 1 FROM favorite f JOIN user r ON r.id = f.user_id
    WHERE f.article_id = a.id AND r.username = :favorited))
  AND (:follower IS NULL OR EXISTS (SELECT 1 FROM follow WHERE follower_id = :follower AND followed_id = u.id))`

export class Articles {
  readonly #database = inject(Database)
  readonly #clock = inject(Clock)

  /** The newest articles first, and how many there are; with a follower, those that this user follows. */
  list({ limit, offset, ...filter }: Filter & { follower?: number }, viewer?: User) {
    const values = { author: null, tag: null, favorited: null, follower: null, ...filter }
    const page = { ...values, limit, offset, viewer: viewer?.id ?? null }
    const order = 'ORDER BY a.created_at DESC, a.id DESC LIMIT :limit OFFSET :offset'
    const rows = this.#database.all<Row>(`SELECT ${PREVIEW} ${FROM} ${WHERE} ${order}`, page)
    const total = this.#database.get<{ count: number }>(`SELECT count(*) AS count ${FROM} ${WHERE}`, values)
    return { articles: rows.map(toPreview), articlesCount: total?.count ?? 0 }
  }

  get(slug: string, viewer?: User): Article {
    const sql = `SELECT ${PREVIEW}, a.body ${FROM} WHERE a.slug = :slug`
    const row = this.#database.get<Row & { body: string }>(sql, { slug, viewer: viewer?.id ?? null })
    if (row === undefined) throw notFound('article')
    return { ...toPreview(row), body: row.body }
  }

  /** The article, for its author alone. */
  getOwn(slug: string, author: User): Article {
    const article = this.get(slug, author)
    if (article.author.username !== author.username) throw forbidden('article')
    return article
  }

  create({ title, description, body, tagList }: ArticleFields, { id }: User): string {
    const slug = slugOf(title)
    const values = { slug, id, title, description, body, tags: toTags(tagList), now: this.#now() }
    const columns = 'slug, author_id, title, description, body, tags, created_at, updated_at'
    const sql = `INSERT INTO article (${columns}) VALUES (:slug, :id, :title, :description, :body, :tags, :now, :now)`
    this.#database.run(sql, values)
    return slug
  }

  /** Changes what is given. A new title gives the article another slug, which is returned. */
  update(slug: string, changes: ArticleChanges, author: User): string {
    const before = this.getOwn(slug, author)
    const { title, description, body, tagList } = { ...before, ...changes }
    const newSlug = title === before.title ? slug : slugOf(title)
    const values = { slug, newSlug, title, description, body, tags: toTags(tagList), now: this.#now() }
    const sql = `UPDATE article SET slug = :newSlug, title = :title, description = :description, body = :body,
      tags = :tags, updated_at = :now WHERE slug = :slug`
    this.#database.run(sql, values)
    return newSlug
  }

  delete(slug: string, author: User): void {
    this.#database.run('DELETE FROM article WHERE slug = :slug', { slug: this.getOwn(slug, author).slug })
  }

  favorite(slug: string, { id }: User): void {
    const sql = 'INSERT OR IGNORE INTO favorite SELECT id, :id FROM article WHERE slug = :slug'
    this.#database.run(sql, { id, slug: this.get(slug).slug })
  }

  unfavorite(slug: string, { id }: User): void {
    const article = '(SELECT id FROM article WHERE slug = :slug)'
    const sql = `DELETE FROM favorite WHERE user_id = :id AND article_id = ${article}`
    this.#database.run(sql, { id, slug: this.get(slug).slug })
  }

  /** The most frequent tags. */
  tags(): string[] {
    const order = 'ORDER BY count(*) DESC, value LIMIT 30'
    const sql = `SELECT value AS tag FROM article, json_each(tags) GROUP BY value ${order}`
    return this.#database.all<{ tag: string }>(sql).map(({ tag }) => tag)
  }

  #now(): string {
    return this.#clock.now().toISOString()
  }
}

/** Titles may repeat, slugs may not. */
function slugOf(title: string): string {
  const words = title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return [...words.slice(0, 12), randomBytes(4).toString('hex')].join('-')
}

function toTags(tagList: readonly string[]): string {
  return JSON.stringify([...new Set(tagList)].toSorted())
}

function toPreview({ tags, favorited, username, bio, image, following, ...article }: Row): Preview {
  const author = toProfile({ username, bio, image, following })
  return { ...article, tagList: JSON.parse(tags) as string[], favorited: favorited === 1, author }
}
