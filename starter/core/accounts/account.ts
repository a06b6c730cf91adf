import { type Language, LANGUAGES } from '../messages/language.ts'

/** The principal of this application. Loaded for each request, never stored in the session. */
export class Account {
  /** Account reference, as the session keeps it under `_auth`. */
  readonly id: string
  readonly name: string
  readonly email: string
  /** Language of the mails to its owner. */
  readonly language: Language

  constructor(fields: {
    readonly id: string
    readonly name: string
    readonly email: string
    readonly language?: Language
  }) {
    this.id = fields.id
    this.name = fields.name
    this.email = fields.email
    this.language = fields.language ?? LANGUAGES[0]
  }
}
