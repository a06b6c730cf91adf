import { Controller, inject } from 'sallyport'
import { type Actions, input, param } from 'sallyport/routing'
import { z } from 'zod'
import { Articles } from '../domain/articles.ts'
import { ArticleChanges, ArticleFields, CommentFields, Filter } from '../domain/fields.ts'
import { userOf, viewerOf } from '../viewer.ts'

export class ArticleController extends Controller {
  static readonly actions = {
    list: [input(Filter)],
    feed: [input(Filter)],
    tags: [],
    show: [param.string('slug')],
    create: [input(z.object({ article: ArticleFields }))],
    update: [param.string('slug'), input(z.object({ article: ArticleChanges }))],
    remove: [param.string('slug')],
    favorite: [param.string('slug')],
    unfavorite: [param.string('slug')],
    comments: [param.string('slug')],
    addComment: [param.string('slug'), input(z.object({ comment: CommentFields }))],
    removeComment: [param.string('slug'), param.int('id')],
  } satisfies Actions<ArticleController>

  readonly #articles = inject(Articles)

  list(filter: Filter) {
    return this.#articles.list(filter, viewerOf(this.context))
  }

  feed(filter: Filter) {
    const user = userOf(this.context)
    return this.#articles.list({ ...filter, follower: user.id }, user)
  }

  tags() {
    return { tags: this.#articles.tags() }
  }

  show(slug: string) {
    return { article: this.#articles.get(slug, viewerOf(this.context)) }
  }

  create({ article }: { article: ArticleFields }) {
    return this.json(this.show(this.#articles.create(article, userOf(this.context))), 201)
  }

  update(slug: string, { article }: { article: ArticleChanges }) {
    return this.show(this.#articles.update(slug, article, userOf(this.context)))
  }

  remove(slug: string) {
    this.#articles.delete(slug, userOf(this.context))
  }

  favorite(slug: string) {
    this.#articles.favorite(slug, userOf(this.context))
    return this.show(slug)
  }

  unfavorite(slug: string) {
    this.#articles.unfavorite(slug, userOf(this.context))
    return this.show(slug)
  }

  comments(slug: string) {
    return { comments: this.#articles.comments(slug, viewerOf(this.context)) }
  }

  addComment(slug: string, { comment }: { comment: { body: string } }) {
    return this.json({ comment: this.#articles.addComment(slug, comment.body, userOf(this.context)) }, 201)
  }

  removeComment(slug: string, id: number) {
    this.#articles.deleteComment(slug, id, userOf(this.context))
  }
}
