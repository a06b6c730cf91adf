/**
 * Somebody with a browser, whose requests a proxy gives to one of several processes at random.
 *
 * @module
 */
import { randomInt } from 'node:crypto'
import { generate } from 'otplib/functional'
import { CookieJar } from 'tough-cookie'
import { Pool } from 'undici'

import { personPassword } from '../lib/people.ts'
import { ORIGIN } from './group.ts'

/** Who signs in. */
export interface Person {
  readonly email: string
  /** Secret of the authenticator app. */
  readonly secret: string
}

/** What came back. */
export interface Answer {
  readonly status: number
  readonly location: string | undefined
  readonly html: string
}

const CONNECTIONS = 16

/** The way to the processes. */
export class Proxy {
  readonly #pools: readonly Pool[]

  /** @param ports Where they listen. */
  constructor(ports: readonly number[]) {
    this.#pools = ports.map((port) => new Pool(`http://127.0.0.1:${port}`, { connections: CONNECTIONS }))
  }

  /** @returns One of them. */
  any(): Pool {
    const pool = this.#pools[randomInt(this.#pools.length)]
    if (pool === undefined) throw new RangeError('There is no process')
    return pool
  }

  async close(): Promise<void> {
    await Promise.all(this.#pools.map((pool) => pool.close()))
  }
}

/** A browser at an address of its own. */
export class Member {
  readonly #proxy: Proxy
  readonly #address: string
  readonly #jar = new CookieJar()
  #token = ''

  /**
   * @param proxy The way to the processes.
   * @param number Of this browser: its address is made of it.
   */
  constructor(proxy: Proxy, number: number) {
    this.#proxy = proxy
    this.#address = `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`
  }

  /** Headers of a request of this browser, as the proxy passes them on. */
  get headers(): Record<string, string> {
    return {
      host: new URL(ORIGIN).host,
      'x-forwarded-proto': 'https',
      'x-forwarded-for': this.#address,
      cookie: this.#jar.getCookieStringSync(ORIGIN),
    }
  }

  /** Opens a page. */
  open(path: string): Promise<Answer> {
    return this.#send('GET', path)
  }

  /** Sends a form, with the token of the last page. */
  submit(path: string, fields: Readonly<Record<string, string>>): Promise<Answer> {
    return this.#send('POST', path, new URLSearchParams({ _csrf: this.#token, ...fields }).toString())
  }

  /**
   * Signs in: five requests, of which the last one opens the account page.
   *
   * @returns Whether it is signed in; false where a request was refused because too many others wait.
   * @throws {Error} If it leads to something else.
   */
  async signIn({ email, secret }: Person): Promise<boolean> {
    const code = (): Promise<string> => generate({ secret, epoch: Math.floor(Date.now() / 1000) })
    const steps = [
      () => this.open('/login'),
      () => this.submit('/login', { email, password: personPassword }),
      () => this.open('/login/2fa'),
      async () => this.submit('/login/2fa', { code: await code() }),
      () => this.open('/account'),
    ]
    const expected = [200, 303, 200, 303, 200]
    for (const [index, step] of steps.entries()) {
      const { status, location = '' } = await step()
      if (status === 503) return false
      if (status !== expected[index])
        throw new Error(`Request ${index + 1} of the sign-in of ${email} is a ${status} ${location}`)
    }
    return true
  }

  async #send(method: 'GET' | 'POST', path: string, body?: string): Promise<Answer> {
    const form = { origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await this.#proxy.any().request({
      path,
      method,
      headers: body === undefined ? this.headers : { ...this.headers, ...form },
      ...(body !== undefined && { body }),
    })
    const { 'set-cookie': cookies = [], location } = answer.headers
    for (const cookie of [cookies].flat()) this.#jar.setCookieSync(cookie, ORIGIN)
    const html = await answer.body.text()
    this.#token = /name="_csrf" value="([^"]+)"/.exec(html)?.[1] ?? this.#token
    return { status: answer.statusCode, location: [location].flat()[0], html }
  }
}
