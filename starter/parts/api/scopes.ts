import { inject } from 'sallyport'
import { Parts } from '../../core/part.ts'

/** What tokens may be made for. */
export class Scopes {
  readonly #all = inject(Parts).all.flatMap(({ scopes = [] }) => scopes)

  /** @returns What it may allow a token: its own data, and of its permissions those that the API has requests for. */
  grantable(permissions: readonly string[]): readonly string[] {
    const allowed = this.#all.filter(({ name, isOwn = false }) => isOwn || permissions.includes(name))
    return allowed.map(({ name }) => name)
  }

  /** @returns What the token may do now: never more than its account. */
  effective(scopes: readonly string[], permissions: readonly string[]): readonly string[] {
    const grantable = this.grantable(permissions)
    return scopes.filter((scope) => grantable.includes(scope))
  }
}
