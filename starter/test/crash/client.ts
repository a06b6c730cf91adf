/** Somebody who signs in over real HTTP, and what they know of it when the server dies. @module */
import assert from 'node:assert/strict'
import { type Answer, onThisMachine, Visitor } from 'sallyport-app/testing'
import { Authenticator, type Person } from './starter-process.ts'

const PATIENCE_MILLISECONDS = onThisMachine(15_000)

/** One browser without a window. */
export class Client extends Visitor {
  // A hash has the processor to itself: one that waits too long for its turn is answered 503, which is another test's.
  static #turn: Promise<unknown> = Promise.resolve()

  readonly person: Person
  readonly authenticator: Authenticator
  readonly #address: string

  /** Codes that were sent, in this order; what became of the last one may be unknown. */
  readonly sentCodes: string[] = []
  /** Wrong codes that were refused in an answer. */
  refusals = 0
  /** Whether the password was accepted in an answer. */
  passedPassword = false
  /** Whether the login was completed in an answer. */
  isConfirmed = false
  /** Cookies with which the login was completed, for the time after the logout. */
  confirmedCookies: ReadonlyMap<string, string> = new Map()
  /** Whether a logout was sent. */
  sentLogout = false
  /** Whether the logout was completed in an answer. */
  isOut = false

  constructor(person: Person, { origin, address }: { readonly origin: string; readonly address: string }) {
    super(origin, { headers: { 'x-forwarded-for': address }, timeoutMilliseconds: PATIENCE_MILLISECONDS })
    this.person = person
    this.authenticator = new Authenticator(person)
    this.#address = address
  }

  /** Passes the first door, after the previous client has passed or failed. */
  async passPassword(): Promise<void> {
    await this.open('/login')
    const { status, location } = await this.#inTurn(() =>
      this.submit('/login', { email: this.person.email, password: this.person.password }),
    )
    assert.deepEqual([status, location], [303, '/login/2fa'], 'the password is accepted')
    this.passedPassword = true
    await this.open('/login/2fa')
  }

  /** Tries a code at the second door. @returns The response; `isConfirmed` says whether the client was signed in. */
  async tryCode(code: string): Promise<Answer> {
    this.sentCodes.push(code)
    const answer = await this.submit('/login/2fa', { code })
    if (answer.status === 422) this.refusals += 1
    this.isConfirmed = answer.status === 303 && answer.location === '/account'
    if (this.isConfirmed) this.confirmedCookies = this.cookies
    return answer
  }

  /** Leaves; the login was completed before. */
  async leave(): Promise<void> {
    await this.open('/account')
    this.sentLogout = true
    const answer = await this.submit('/logout')
    assert.equal(answer.status, 303)
    this.isOut = true
  }

  /** @returns Whether the account page opens, and is that of the person. */
  async isSignedIn(): Promise<boolean> {
    const { status, html, location } = await this.open('/account')
    if (status === 200) {
      assert.ok(html.includes(this.person.email), 'the account page is that of the person')
      return true
    }
    assert.deepEqual([status, location], [302, '/login'], `the account page answers ${status}`)
    return false
  }

  /** @returns Another browser of the same person with those cookies. */
  withCookies(cookies: ReadonlyMap<string, string>): Client {
    const twin = new Client(this.person, { origin: this.url, address: this.#address })
    twin.cookies = cookies
    return twin
  }

  #inTurn(send: () => Promise<Answer>): Promise<Answer> {
    const sent = Client.#turn.then(send, send)
    Client.#turn = sent
    return sent
  }
}
