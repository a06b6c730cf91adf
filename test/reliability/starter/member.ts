/** Somebody with an account, and the story that is played again and again. @module */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { codeNow } from '../../../starter/test/start/process.ts'
import { Guest, type House, Interrupted } from './guest.ts'

const STEP_MILLISECONDS = 30_000
const LOOK_MILLISECONDS = 100
// A mail that another process takes over may come later: whoever waits for it tries another address meanwhile.
const LINK_MILLISECONDS = 60_000
const NEW_TOKEN = '/account/security/tokens/new'
const TOKEN_FIELDS = { label: 'ci', days: '30', 'scopes[]': 'activity.read' }
const PAGES = ['/account', '/account/security', '/account', '/']

/** What somebody has done that the application has confirmed, and what it may have done. */
export class Member {
  readonly email: string = `${randomUUID()}@example.test`
  readonly name: string = `Member ${this.email.slice(0, 8)}`
  /** Whether there is an account. */
  isThere = false
  /** Secret of the authenticator app; undefined before it was confirmed. */
  secret: string | undefined
  /** The password, and before it those that an interrupted change may have set or left. */
  passwords: readonly string[] = []
  readonly #house: House
  readonly #address: string
  #lastStep = 0

  /** @param address Of the client. */
  constructor(house: House, address: string) {
    this.#house = house
    this.#address = address
  }

  /** Signs up by the link of a mail, and sets up an authenticator app. */
  async signUp(): Promise<void> {
    const guest = this.#guest()
    await guest.open('/sign-up')
    await guest.submit('/sign-up', { email: this.email }, '/sign-up/sent')
    const link = await this.#link()
    await guest.open(link)
    const password = newPassword()
    this.passwords = [password]
    await guest.submit(link, { name: this.name, password }, '/enroll')
    this.isThere = true
    const { html } = await guest.open('/enroll')
    const [, shown = ''] = /<code class="secret"[^>]*>([A-Z2-7 ]+)<\/code>/.exec(html) ?? []
    const secret = shown.replaceAll(' ', '')
    // The page shows the recovery codes.
    await guest.submit('/enroll', { code: await this.#code(secret) }, 200)
    this.secret = secret
    await guest.submit('/enroll/done', {}, '/account')
    await guest.open('/account')
  }

  /** Signs in, looks around, has a form refused, changes something, looks around until the next code is there, and signs out. */
  async visit(round: number): Promise<void> {
    const guest = await this.signIn()
    await this.#mistype(guest)
    if (round % 3 === 0) await this.#changePassword(guest)
    if (round % 3 === 1) await this.#useToken(guest)
    while (this.#lastStep === stepNow()) for (const path of PAGES) await guest.open(path)
    await guest.open('/account')
    await guest.submit('/logout', {}, '/login', '/')
    await guest.open('/account', { status: 302 })
  }

  /** @returns A browser that is signed in through both doors, and sees the account. */
  async signIn(): Promise<Guest> {
    while (this.#lastStep === stepNow()) await pause(100, undefined, { signal: this.#house.closing })
    const guest = await this.enterPassword('/login/2fa')
    await guest.open('/login/2fa')
    assert.ok(this.secret !== undefined)
    await guest.submit('/login/2fa', { code: await this.#code(this.secret) }, '/account')
    const { html } = await guest.open('/account')
    assert.ok(html.includes(this.name), `${this.email} does not see the own account`)
    return guest
  }

  /** Enters the password. An interrupted change may have left two: from then on it is known which it is. @returns The browser. */
  async enterPassword(...next: readonly string[]): Promise<Guest> {
    const guest = this.#guest()
    const outcomes = this.passwords.length > 1 ? [...next, 422] : next
    for (const password of this.passwords.toReversed()) {
      await guest.open('/login')
      if ((await guest.submit('/login', { email: this.email, password }, ...outcomes)) === 422) continue
      this.passwords = [password]
      return guest
    }
    throw new Error(`No password of ${this.email} is right any more`)
  }

  async #mistype(guest: Guest): Promise<void> {
    await guest.open('/account/password')
    await guest.submit('/account/password', { password: 'short' }, 422)
  }

  async #changePassword(guest: Guest): Promise<void> {
    const password = newPassword()
    await guest.open('/account/password')
    const before = this.passwords
    // Until it is confirmed, either may be the one.
    this.passwords = [...before, password]
    await guest.submit('/account/password', { password }, '/account/security')
    this.passwords = [password]
    await guest.open('/account/security')
  }

  async #useToken(guest: Guest): Promise<void> {
    await guest.open(NEW_TOKEN)
    const [token = ''] = /sallyport_[0-9A-Za-z]{49}/.exec(await guest.reveal(NEW_TOKEN, TOKEN_FIELDS)) ?? []
    for (const path of ['/api/me', '/api/activity'])
      await guest.open(path, { headers: { authorization: `Bearer ${token}` } })
  }

  /** The link of the sign-up, once its mail is there. */
  async #link(): Promise<string> {
    const { url, mails, closing } = this.#house
    for (const end = performance.now() + LINK_MILLISECONDS; performance.now() < end;) {
      const mail = mails.mails.findLast(({ to }) => to.includes(this.email))
      const [, path] = new RegExp(`${url}(/sign-up/[^"<\\s]+)`).exec(mail?.decoded ?? '') ?? []
      if (path !== undefined) return path
      await pause(LOOK_MILLISECONDS, undefined, { signal: closing })
    }
    throw new Interrupted(`There is no mail to ${this.email} yet`)
  }

  #guest(): Guest {
    return new Guest(this.#house, this.#address)
  }

  #code(secret: string): Promise<string> {
    this.#lastStep = stepNow()
    return codeNow(secret)
  }
}

/** Plays the story until the house closes: with an account, and after a while with another one. */
export async function live(newMember: () => Member, visitsOfOne: number): Promise<void> {
  for (;;) {
    const member = newMember()
    if (!(await unlessInterrupted(() => member.signUp()))) continue
    for (let round = 0; round < visitsOfOne; round += 1) await unlessInterrupted(() => member.visit(round))
  }
}

async function unlessInterrupted(act: () => Promise<void>): Promise<boolean> {
  try {
    await act()
    return true
  } catch (error) {
    if (error instanceof Interrupted) return false
    throw error
  }
}

function newPassword(): string {
  return `a gate of doors ${randomUUID().slice(0, 13)}`
}

function stepNow(): number {
  return Math.floor((performance.timeOrigin + performance.now()) / STEP_MILLISECONDS)
}
