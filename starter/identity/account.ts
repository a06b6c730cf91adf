/** Who is behind a request: the principal of this application. Loaded anew for each request, never stored. */
export class Account {
  /** Account reference, as the session keeps it under `_auth`. */
  readonly id: string
  /** What the account's owner is called. */
  readonly name: string
  /** Address that the account logs in with. */
  readonly email: string

  /**
   * @param fields `id`, `name` and `email` of the account.
   */
  constructor(fields: { readonly id: string; readonly name: string; readonly email: string }) {
    this.id = fields.id
    this.name = fields.name
    this.email = fields.email
  }
}
