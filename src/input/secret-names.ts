import { assertOptions, declarationError, sentence, shown } from '../core/internal.ts'

// Words that are secret, alone or in a compound such as "newpassword". In "postcode" and "secretary" the others are not.
const SECRET_WORD = /password|passwd|passcode|passphrase|token|^(?:code|secret)s?$/

/** Options of `form()`. */
export interface FormOptions {
  /**
   * Fields that are secret in addition to those whose name says so: `password`, `code`, `token` and compounds such as
   * `new_password` and `backupCode`. Default: none.
   */
  readonly secret?: readonly string[]
  /** Fields that are no secret although their name has such a word: `zip_code`. Default: none. */
  readonly shown?: readonly string[]
}

/** Which fields of a form are secret, so that a page never shows them again. */
export class SecretNames {
  readonly #secret: ReadonlySet<string>
  readonly #shown: ReadonlySet<string>

  /**
   * @param options The declaration.
   * @throws {TypeError} If an option is unknown, or not a list of names.
   */
  constructor(options: FormOptions) {
    assertOptions(options, ['secret', 'shown'], 'a form()')
    this.#secret = namesOf(options.secret, 'secret')
    this.#shown = namesOf(options.shown, 'shown')
  }

  /**
   * @param name Name of a field, or of a part of one: `user[password]`.
   * @returns Whether its value is secret.
   */
  has(name: string): boolean {
    if (this.#secret.has(name)) return true
    const parts = name.split(/[.[\]]+/)
    if (parts.some((part) => this.#secret.has(part))) return true
    return !this.#shown.has(name) && parts.some((part) => !this.#shown.has(part) && saysSecret(part))
  }
}

function saysSecret(name: string): boolean {
  const words = name.replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2').toLowerCase()
  return words.split(/[^\p{L}]+/u).some((word) => SECRET_WORD.test(word))
}

function namesOf(given: unknown, option: string): ReadonlySet<string> {
  if (given === undefined) return new Set()
  if (Array.isArray(given) && given.every((name) => typeof name === 'string')) return new Set<string>(given)
  throw declarationError(
    sentence`Cannot use ${shown(given)} as the option ${option} of form(): pass a list of names such as ["pin"]`,
  )
}
