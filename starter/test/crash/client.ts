/** Somebody who signs in over real HTTP, and what they know of it when the server dies. @module */
import assert from 'node:assert/strict'
import { onThisMachine } from 'sallyport-app/testing'
import { Authenticator, type Person } from './starter-process.ts'

const PATIENCE_MILLISECONDS = onThisMachine(15_000)

/** What a client got as an answer. */
export interface Answer {
  /** Status. */
  readonly status: number
  /** Where it redirects to; empty for nowhere. */
  readonly location: string
  /** Body. */
  readonly html: string
}

/** One browser without a window. It keeps the cookies of answers that it received in full, and no others. */
export class Client {
  // A hash has the processor to itself: one that waits too long for its turn is answered 503, which is another test's.
  static #turn: Promise<unknown> = Promise.resolve()

  readonly person: Person
  readonly authenticator: Authenticator
  readonly #origin: string
  readonly #address: string
  #cookies = new Map<string, string>()
  #token = ''

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
    this.person = person
    this.authenticator = new Authenticator(person)
    this.#origin = origin
    this.#address = address
  }

  /** @returns Its name at this port, over HTTP. */
  cookieName(name: string): string {
    return `${name}-${new URL(this.#origin).port}`
  }

  /** @returns The answer. */
  get(path: string): Promise<Answer> {
    return this.#send(path, {})
  }

  /** @returns The answer. */
  post(path: string, fields: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.#send(path, { method: 'POST', body: new URLSearchParams({ _csrf: this.#token, ...fields }) })
  }

  /** Passes the first door, after the previous client has passed or failed. */
  async passPassword(): Promise<void> {
    await this.get('/login')
    const { status, location } = await this.#inTurn(() =>
      this.post('/login', { email: this.person.email, password: this.person.password }),
    )
    assert.deepEqual([status, location], [303, '/login/2fa'], 'the password is accepted')
    this.passedPassword = true
    await this.get('/login/2fa')
  }

  /**
   * Tries a code at the second door.
   *
   * @returns The response; `isConfirmed` says whether the client was signed in.
   */
  async tryCode(code: string): Promise<Answer> {
    this.sentCodes.push(code)
    const answer = await this.post('/login/2fa', { code })
    if (answer.status === 422) this.refusals += 1
    this.isConfirmed = answer.status === 303 && answer.location === '/account'
    if (this.isConfirmed) this.confirmedCookies = this.cookies
    return answer
  }

  /** Leaves; the login was completed before. */
  async leave(): Promise<void> {
    await this.get('/account')
    this.sentLogout = true
    const answer = await this.post('/logout')
    assert.equal(answer.status, 303)
    this.isOut = true
  }

  /** @returns Whether the account page opens, and is that of the person. */
  async isSignedIn(): Promise<boolean> {
    const { status, html, location } = await this.get('/account')
    if (status === 200) {
      assert.ok(html.includes(this.person.email), 'the account page is that of the person')
      return true
    }
    assert.deepEqual([status, location], [302, '/login'], `the account page answers ${status}`)
    return false
  }

  /** Cookies that it holds. */
  get cookies(): ReadonlyMap<string, string> {
    return new Map(this.#cookies)
  }

  /** @returns Another browser of the same person with those cookies. */
  withCookies(cookies: ReadonlyMap<string, string>): Client {
    const twin = new Client(this.person, { origin: this.#origin, address: this.#address })
    twin.#cookies = new Map(cookies)
    return twin
  }

  #inTurn(send: () => Promise<Answer>): Promise<Answer> {
    const sent = Client.#turn.then(send, send)
    Client.#turn = sent
    return sent
  }

  async #send(path: string, init: RequestInit): Promise<Answer> {
    const headers = {
      cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'x-forwarded-for': this.#address,
    }
    const signal = AbortSignal.timeout(PATIENCE_MILLISECONDS)
    const response = await fetch(`${this.#origin}${path}`, { ...init, headers, redirect: 'manual', signal })
    const html = await response.text()
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    this.#token = /name="_csrf" value="([^"]+)"/.exec(html)?.[1] ?? this.#token
    return { status: response.status, location: response.headers.get('location') ?? '', html }
  }
}
