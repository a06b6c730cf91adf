/** The principal of this application. Loaded for each request, never stored in the session. */
export class Account {
  /** Account reference, as the session keeps it under `_auth`. */
  readonly id: string
  /** Name of the account's owner. */
  readonly name: string
  /** E-mail address of the account. */
  readonly email: string

  constructor(fields: { readonly id: string; readonly name: string; readonly email: string }) {
    this.id = fields.id
    this.name = fields.name
    this.email = fields.email
  }
}
