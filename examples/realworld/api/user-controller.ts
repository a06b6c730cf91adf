import { Controller, inject } from 'sallyport'
import { type Actions, input, param } from 'sallyport/routing'
import { z } from 'zod'
import { Credentials, Registration, UserChanges } from '../domain/fields.ts'
import { type User, Users } from '../domain/users.ts'
import { userOf, viewerOf } from '../viewer.ts'
import { presentedToken, Tokens } from './tokens.ts'

export class UserController extends Controller {
  static readonly actions = {
    register: [input(z.object({ user: Registration }))],
    login: [input(z.object({ user: Credentials }))],
    show: [],
    update: [input(z.object({ user: UserChanges }))],
    profile: [param.string('username')],
    follow: [param.string('username')],
    unfollow: [param.string('username')],
  } satisfies Actions<UserController>

  readonly #users = inject(Users)
  readonly #tokens = inject(Tokens)

  async register({ user }: { user: Registration }) {
    return this.json(this.#present(await this.#users.register(user)), 201)
  }

  async login({ user }: { user: Credentials }) {
    return this.#present(await this.#users.verify(user))
  }

  show() {
    return this.#present(userOf(this.context), presentedToken(this.context))
  }

  async update({ user }: { user: UserChanges }) {
    const token = presentedToken(this.context)
    const updated = await this.#users.update(userOf(this.context), user)
    if (user.password !== undefined) this.#tokens.endOthers(updated, token)
    return this.#present(updated, token)
  }

  profile(username: string) {
    return { profile: this.#users.profile(username, viewerOf(this.context)) }
  }

  follow(username: string) {
    this.#users.follow(username, userOf(this.context))
    return this.profile(username)
  }

  unfollow(username: string) {
    this.#users.unfollow(username, userOf(this.context))
    return this.profile(username)
  }

  #present(user: User, token = this.#tokens.create(user)) {
    const { email, username, bio, image } = user
    return { user: { email, username, bio, image, token } }
  }
}
