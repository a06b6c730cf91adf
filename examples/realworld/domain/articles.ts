import { randomBytes } from 'node:crypto'
import { Clock, inject } from 'sallyport'
import { Database } from './database.ts'
import type { ArticleChanges, ArticleFields, Filter } from './fields.ts'
import { forbidden, notFound } from './refusal.ts'
import type { Profile, User } from './users.ts'

type Dates = { createdAt: string; updatedAt: string }
type Favorites = { favorited: boolean; favoritesCount: number }
export type Article = ArticleFields & Dates & Favorites & { slug: string; author: Profile }
/** What a list shows of an article. */
export type Preview = Omit<Article, 'body'>
export type Comment = Dates & { id: number; body: string; author: Profile }

const WHERE = `WHERE viewer = :viewer AND (:author IS NULL OR author = :author)
  AND (:tag IS NULL OR EXISTS (SELECT 1 FROM json_each(tags) WHERE value = :tag))
  AND (:favorited IS NULL OR id IN
    (SELECT article_id FROM favorite f JOIN user u ON u.id = f.user_id WHERE u.username = :favorited))
  AND (:follower IS NULL OR author_id IN (SELECT followed_id FROM follow WHERE follower_id = :follower))`
const COMMENTS = 'SELECT json FROM seen_comment WHERE viewer = :viewer AND slug = :slug'

export class Articles {
  readonly #database = inject(Database)
  readonly #clock = inject(Clock)

  /** The newest articles first, and how many there are; with a follower, those of the authors they follow. */
  list(filter: Filter & { follower?: number }, viewer?: User) {
    const { limit, offset, author = null, tag = null, favorited = null, follower = null } = filter
    const values = { author, tag, favorited, follower, viewer: viewer?.id ?? 0 }
    const sql = `SELECT json FROM seen_article ${WHERE} ORDER BY created_at DESC, id DESC LIMIT :limit OFFSET :offset`
    const articles = this.#database.list<Preview>(sql, { ...values, limit, offset })
    const total = this.#database.get<{ n: number }>(`SELECT count(*) AS n FROM seen_article ${WHERE}`, values)
    return { articles, articlesCount: total?.n ?? 0 }
  }

  get(slug: string, viewer?: User): Article {
    const json = "json_set(json, '$.body', body) AS json"
    const sql = `SELECT ${json} FROM seen_article WHERE viewer = :viewer AND slug = :slug`
    const [article] = this.#database.list<Article>(sql, { slug, viewer: viewer?.id ?? 0 })
    if (article === undefined) throw notFound('article')
    return article
  }

  /** The article, for its author alone. */
  getOwn(slug: string, author: User): Article {
    const article = this.get(slug, author)
    if (article.author.username !== author.username) throw forbidden('article')
    return article
  }

  /** Returns the slug of the new article. */
  create({ title, description, body, tagList }: ArticleFields, { id }: User): string {
    const slug = slugOf(title)
    const values = { slug, id, title, description, body, tags: JSON.stringify(tagList), now: this.#now() }
    const sql =
      'INSERT INTO article VALUES (NULL, :slug, :id, :title, :description, :body, :tags, :now, :now)'
    this.#database.run(sql, values)
    return slug
  }

  /** Changes what is given. A new title gives the article another slug, which is returned. */
  update(slug: string, changes: ArticleChanges, author: User): string {
    const before = this.getOwn(slug, author)
    const { title, description, body, tagList } = { ...before, ...changes }
    const newSlug = title === before.title ? slug : slugOf(title)
    const tags = JSON.stringify(tagList)
    const sql = `UPDATE article SET slug = :newSlug, title = :title, description = :description, body = :body,
      tags = :tags, updated_at = :now WHERE slug = :slug`
    this.#database.run(sql, { slug, newSlug, title, description, body, tags, now: this.#now() })
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

  comments(slug: string, viewer?: User): Comment[] {
    const values = { slug: this.get(slug).slug, viewer: viewer?.id ?? 0 }
    return this.#database.list(`${COMMENTS} ORDER BY id`, values)
  }

  addComment(slug: string, body: string, author: User): Comment {
    const values = { slug: this.get(slug).slug, author: author.id, body, now: this.#now() }
    const sql = 'INSERT INTO comment SELECT NULL, id, :author, :body, :now FROM article WHERE slug = :slug'
    return this.#comment(slug, this.#database.run(sql, values))
  }

  deleteComment(slug: string, id: number, author: User): void {
    if (this.#comment(slug, id).author.username !== author.username) throw forbidden('comment')
    this.#database.run('DELETE FROM comment WHERE id = :id', { id })
  }

  tags(): string[] {
    return this.#database.list<string[]>('SELECT json_group_array(name) AS json FROM popular_tag')[0] ?? []
  }

  #now(): string {
    return this.#clock.now().toISOString()
  }

  #comment(slug: string, id: number): Comment {
    const values = { slug: this.get(slug).slug, id, viewer: 0 }
    const [comment] = this.#database.list<Comment>(`${COMMENTS} AND id = :id`, values)
    if (comment === undefined) throw notFound('comment')
    return comment
  }
}

/** Titles may repeat, slugs may not. */
function slugOf(title: string): string {
  const words = title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return [...words.slice(0, 12), randomBytes(4).toString('hex')].join('-')
}
