import { micromark } from 'micromark'
import { Controller, inject, SafeHtml } from 'sallyport'
import { blankForm, type ShownForm, type Submitted } from 'sallyport/input'
import { type Actions, form, input, param } from 'sallyport/routing'
import { Articles } from '../domain/articles.ts'
import { Choice, CommentFields, Draft, type Filter, partOf } from '../domain/fields.ts'
import { Users } from '../domain/users.ts'
import { userOf, viewerOf } from '../viewer.ts'

export class ArticleController extends Controller {
  static readonly actions = {
    home: [input(Choice)],
    show: [param.string('slug')],
    favorite: [param.string('slug')],
    unfavorite: [param.string('slug')],
    comment: [param.string('slug'), form(CommentFields)],
    removeComment: [param.string('slug'), param.int('id')],
    write: [],
    submitWrite: [form(Draft)],
    edit: [param.string('slug')],
    submitEdit: [param.string('slug'), form(Draft)],
    remove: [param.string('slug')],
    profile: [param.string('username'), input(Choice)],
    favorites: [param.string('username'), input(Choice)],
    follow: [param.string('username')],
    unfollow: [param.string('username')],
  } satisfies Actions<ArticleController>

  readonly #articles = inject(Articles)
  readonly #users = inject(Users)

  home(choice: Choice) {
    const user = viewerOf(this.context)
    const follower = choice.feed === 'yours' ? user?.id : undefined
    const list = this.#articles.list({ tag: choice.tag, follower, ...partOf(choice) }, user)
    return this.view('home', { ...choice, ...list, tags: this.#articles.tags() })
  }

  show(slug: string) {
    return this.#page(slug, blankForm())
  }

  favorite(slug: string) {
    this.#articles.favorite(slug, userOf(this.context))
    return this.redirectToRoute('article', { slug })
  }

  unfavorite(slug: string) {
    this.#articles.unfavorite(slug, userOf(this.context))
    return this.redirectToRoute('article', { slug })
  }

  comment(slug: string, submitted: Submitted<typeof CommentFields>) {
    if (!submitted.ok) return this.#page(slug, submitted, 422)
    this.#articles.addComment(slug, submitted.value.body, userOf(this.context))
    return this.redirectToRoute('article', { slug })
  }

  removeComment(slug: string, id: number) {
    this.#articles.deleteComment(slug, id, userOf(this.context))
    return this.redirectToRoute('article', { slug })
  }

  write() {
    return this.view('editor', { form: blankForm() })
  }

  submitWrite(submitted: Submitted<typeof Draft>) {
    if (!submitted.ok) return this.view('editor', { form: submitted }, { status: 422 })
    const slug = this.#articles.create(submitted.value, userOf(this.context))
    return this.redirectToRoute('article', { slug })
  }

  edit(slug: string) {
    const article = this.#articles.getOwn(slug, userOf(this.context))
    return this.view('editor', { slug, form: blankForm({ ...article, tagList: article.tagList.join(', ') }) })
  }

  submitEdit(slug: string, submitted: Submitted<typeof Draft>) {
    if (!submitted.ok) return this.view('editor', { slug, form: submitted }, { status: 422 })
    const newSlug = this.#articles.update(slug, submitted.value, userOf(this.context))
    return this.redirectToRoute('article', { slug: newSlug })
  }

  remove(slug: string) {
    this.#articles.delete(slug, userOf(this.context))
    return this.redirectToRoute('home')
  }

  profile(username: string, choice: Choice) {
    return this.#profile(username, choice, { author: username })
  }

  favorites(username: string, choice: Choice) {
    return this.#profile(username, choice, { favorited: username })
  }

  follow(username: string) {
    this.#users.follow(username, userOf(this.context))
    return this.redirectToRoute('profile', { username })
  }

  unfollow(username: string) {
    this.#users.unfollow(username, userOf(this.context))
    return this.redirectToRoute('profile', { username })
  }

  #page(slug: string, form: ShownForm, status = 200) {
    const user = viewerOf(this.context)
    const article = this.#articles.get(slug, user)
    const comments = this.#articles.comments(slug, user)
    // micromark writes no markup of the author and no unsafe address. The h1 of the page is its title.
    const body = new SafeHtml(micromark(article.body).replaceAll('h1>', 'h2>'))
    return this.view('article', { article, body, comments, form }, { status })
  }

  #profile(username: string, choice: Choice, filter: Partial<Filter>) {
    const user = viewerOf(this.context)
    const list = this.#articles.list({ ...filter, ...partOf(choice) }, user)
    const profile = this.#users.profile(username, user)
    return this.view('profile', { ...choice, ...list, profile, route: this.context.route().name })
  }
}
