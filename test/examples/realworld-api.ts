/**
 * A client of the RealWorld API, and the shapes that its specification gives.
 *
 * @see https://docs.realworld.show, "Endpoints" and "API response format".
 * @module
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'

/** What an endpoint answered. */
export interface Answer {
  readonly status: number
  /** The JSON; undefined when there was no body. */
  readonly body: Record<string, unknown> | undefined
}

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** A user of the API, or somebody without a token. */
export class ApiClient {
  readonly #url: string
  readonly #token: string | undefined
  readonly username: string

  constructor(url: string, user?: { readonly token: string; readonly username: string }) {
    this.#url = url
    this.#token = user?.token
    this.username = user?.username ?? ''
  }

  async send(method: string, path: string, json?: object): Promise<Answer> {
    const response = await fetch(`${this.#url}/api${path}`, {
      method,
      headers: {
        ...(this.#token === undefined ? {} : { authorization: `Token ${this.#token}` }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      body: text === '' ? undefined : (JSON.parse(text) as Record<string, unknown>),
    }
  }

  /** What a request answered that must have this status. */
  async expect(status: number, method: string, ...[path, json]: [string, object?]): Promise<unknown> {
    const answer = await this.send(method, path, json)
    assert.equal(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }

  /** Somebody with an account of their own. */
  register(prefix = 'user'): Promise<ApiClient> {
    return this.registerAs(`${prefix}_${randomBytes(4).toString('hex')}`)
  }

  /** Somebody with an account of this name. */
  async registerAs(username: string): Promise<ApiClient> {
    const user = { username, email: `${username}@example.com`, password: 'correct horse' }
    const { user: registered } = asUser(await this.expect(201, 'POST', '/users', { user }))
    return new ApiClient(this.#url, { token: registered.token, username })
  }

  /** An article of this user; its slug. */
  async write(fields: object = {}): Promise<string> {
    const article = { title: 'Keeping bees', description: 'In a town', body: 'Begin in spring.', ...fields }
    return asArticle(await this.expect(201, 'POST', '/articles', { article })).article.slug
  }
}

/** A user with the token. */
export interface UserShape {
  readonly user: {
    readonly email: string
    readonly token: string
    readonly username: string
    readonly bio: string | null
    readonly image: string | null
  }
}

/** An account as others see it. */
export interface ProfileShape {
  readonly username: string
  readonly bio: string | null
  readonly image: string | null
  readonly following: boolean
}

/** An article of a list. */
export interface PreviewShape {
  readonly slug: string
  readonly title: string
  readonly description: string
  readonly tagList: readonly string[]
  readonly createdAt: string
  readonly updatedAt: string
  readonly favorited: boolean
  readonly favoritesCount: number
  readonly author: ProfileShape
}

/** A comment. */
export interface CommentShape {
  readonly id: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly body: string
  readonly author: ProfileShape
}

const keysOf = (value: object): string[] => Object.keys(value).toSorted()

function assertProfile(profile: ProfileShape): void {
  assert.deepEqual(keysOf(profile), ['bio', 'following', 'image', 'username'])
  assert.equal(typeof profile.following, 'boolean')
}

function assertPreview(article: PreviewShape, ...more: string[]): void {
  const keys = ['author', 'createdAt', 'description', 'favorited', 'favoritesCount', 'slug']
  assert.deepEqual(keysOf(article), [...keys, 'tagList', 'title', 'updatedAt', ...more].toSorted())
  assert.match(article.createdAt, TIMESTAMP)
  assert.match(article.updatedAt, TIMESTAMP)
  assert.ok(Number.isInteger(article.favoritesCount))
  assert.equal(typeof article.favorited, 'boolean')
  assert.ok(article.tagList.every((tag) => typeof tag === 'string'))
  assertProfile(article.author)
}

/** Checks that an answer is a user. */
export function asUser(body: unknown): UserShape {
  const { user } = body as UserShape
  assert.deepEqual(keysOf(body as object), ['user'])
  assert.deepEqual(keysOf(user), ['bio', 'email', 'image', 'token', 'username'])
  assert.ok(user.token.length > 0)
  return { user }
}

/** Checks that an answer is a profile. */
export function asProfile(body: unknown): ProfileShape {
  const { profile } = body as { readonly profile: ProfileShape }
  assert.deepEqual(keysOf(body as object), ['profile'])
  assertProfile(profile)
  return profile
}

/** Checks that an answer is one article, with its body. */
export function asArticle(body: unknown): { readonly article: PreviewShape & { readonly body: string } } {
  const { article } = body as { readonly article: PreviewShape & { readonly body: string } }
  assert.deepEqual(keysOf(body as object), ['article'])
  assertPreview(article, 'body')
  return { article }
}

/** Checks that an answer is a list of articles, without their bodies. */
export function asArticles(body: unknown): {
  readonly articles: readonly PreviewShape[]
  readonly articlesCount: number
} {
  const list = body as { readonly articles: readonly PreviewShape[]; readonly articlesCount: number }
  assert.deepEqual(keysOf(list), ['articles', 'articlesCount'])
  assert.ok(Number.isInteger(list.articlesCount))
  for (const article of list.articles) assertPreview(article)
  return list
}

function assertComment(comment: CommentShape): void {
  assert.deepEqual(keysOf(comment), ['author', 'body', 'createdAt', 'id', 'updatedAt'])
  assert.ok(Number.isInteger(comment.id))
  assert.match(comment.createdAt, TIMESTAMP)
  assert.match(comment.updatedAt, TIMESTAMP)
  assertProfile(comment.author)
}

/** Checks that an answer is one comment. */
export function asComment(body: unknown): CommentShape {
  const { comment } = body as { readonly comment: CommentShape }
  assert.deepEqual(keysOf(body as object), ['comment'])
  assertComment(comment)
  return comment
}

/** Checks that an answer is a list of comments. */
export function asComments(body: unknown): readonly CommentShape[] {
  const { comments } = body as { readonly comments: readonly CommentShape[] }
  assert.deepEqual(keysOf(body as object), ['comments'])
  for (const comment of comments) assertComment(comment)
  return comments
}
