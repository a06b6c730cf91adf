/** Somebody who signs in over real HTTP. @module */
import assert from 'node:assert/strict'
import { type Answer, onThisMachine, Visitor } from 'sallyport-app/testing'
import { PASSWORD, type Person } from '../support.ts'

const PATIENCE_MILLISECONDS = onThisMachine(15_000)

/** One browser without a window. */
export class Client extends Visitor {
  // A hash has the processor to itself: one that waits too long for its turn is answered 503, which is another test's.
  static #turn: Promise<unknown> = Promise.resolve()

  readonly #email: string
  readonly #address: string

  constructor(
    { email }: Pick<Person, 'email'>,
    { origin, address }: { readonly origin: string; readonly address: string },
  ) {
    super(origin, { headers: { 'x-forwarded-for': address }, timeoutMilliseconds: PATIENCE_MILLISECONDS })
    this.#email = email
    this.#address = address
  }

  /** Passes the first door, after the previous client has passed or failed. */
  async passPassword(): Promise<void> {
    await this.open('/login')
    const send = (): Promise<Answer> => this.submit('/login', { email: this.#email, password: PASSWORD })
    const sent = Client.#turn.then(send, send)
    Client.#turn = sent
    const { status, location } = await sent
    assert.deepEqual([status, location], [303, '/login/2fa'], 'the password is accepted')
  }

  /** @returns Whether the account page opens, and is that of the person. */
  async isSignedIn(): Promise<boolean> {
    const { status, html, location } = await this.open('/account')
    if (status === 200) assert.ok(html.includes(this.#email), 'the account page is that of the person')
    else assert.deepEqual([status, location], [302, '/login'], `the account page answers ${status}`)
    return status === 200
  }

  /** @returns Another browser of the same person with those cookies. */
  withCookies(cookies: ReadonlyMap<string, string>): Client {
    const twin = new Client({ email: this.#email }, { origin: this.url, address: this.#address })
    twin.cookies = cookies
    return twin
  }
}
