import { inject } from 'sallyport'
import { Parts } from '../part.ts'

/** The permissions that this application knows: those of its parts. */
export class Permissions {
  readonly #parts = inject(Parts).all
  /** Every permission that can be granted. */
  readonly all: readonly string[] = this.#parts.flatMap(({ permissions = [] }) => permissions)
  readonly #named: ReadonlySet<string> = new Set([
    ...this.all,
    ...this.#parts.flatMap(({ scopes = [] }) => scopes.map(({ name }) => name)),
  ])

  /** @returns What the pages show of it. */
  lineOf(name: string): PermissionLine {
    return { name, about: this.#named.has(name) ? `permission.${name.replaceAll('.', '-')}` : undefined }
  }
}

/** A permission of an account or a scope of a token, as the pages show it. */
export interface PermissionLine {
  /** Its name. */
  readonly name: string
  /** Message that says what it allows; undefined for one that this version does not know. */
  readonly about: string | undefined
}
