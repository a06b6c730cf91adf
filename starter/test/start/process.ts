import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { generate } from 'otplib/functional'
import { onThisMachine, untilReady } from 'sallyport-app/testing'
import type { Scope } from '../support.ts'
import { CONDITIONS, INHERITED } from '../conditions.ts'

const MAIN = fileURLToPath(new URL('../../main.ts', import.meta.url))
const PATIENCE_MILLISECONDS = onThisMachine(90_000)

type Variables = Readonly<Record<string, string>>

/** What a program left behind. */
export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly output: string
  readonly errors: string
}

/** The starter as a program of its own, which is killed after the test. */
export class Program {
  readonly #child: ChildProcess
  #output = ''
  #errors = ''

  constructor(scope: Scope, variables: Variables, parameters: readonly string[] = []) {
    const env = { ...INHERITED, PORT: '0', ...variables }
    this.#child = spawn(process.execPath, [...CONDITIONS, MAIN, ...parameters], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.#output += text))
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.#errors += text))
    scope.after(() => void this.#child.kill('SIGKILL'))
  }

  /**
   * @returns Where it listens, once it says so.
   * @throws {AssertionError} If it ends before.
   */
  async url(): Promise<string> {
    return (await this.#find(/http:\/\/\S+/))[0]
  }

  /** @returns The banner, once it is whole. */
  async banner(): Promise<string> {
    await this.#find(/Ctrl\+C/)
    return this.#output
  }

  /** @returns Secret of the demo account's factor, as the banner shows it. */
  async secret(): Promise<string> {
    return (await this.#find(/Secret\s+([A-Z2-7]{32})/))[1] ?? ''
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name)
  }

  /** @param signal What to send. Default: none. */
  async ended(signal?: NodeJS.Signals): Promise<Ended> {
    const closed = once(this.#child, 'close', { signal: AbortSignal.timeout(PATIENCE_MILLISECONDS) })
    if (signal !== undefined) this.#child.kill(signal)
    const [code, by] = (await closed) as [number | null, NodeJS.Signals | null]
    return { code, signal: by, output: this.#output, errors: this.#errors }
  }

  async #find(pattern: RegExp): Promise<RegExpExecArray> {
    let match: RegExpExecArray | null = null
    await untilReady(
      this.#child,
      () => (match = pattern.exec(this.#output)) !== null,
      () => this.#errors,
    )
    return match ?? assert.fail()
  }
}

/** A browser's cookies and forms, over real connections. */
export class Visitor {
  readonly #url: string
  #cookies = new Map<string, string>()
  #token = ''

  /** @param before A visitor whose cookies it has. Default: a new one. */
  constructor(url: string, before?: Visitor) {
    this.#url = url
    if (before !== undefined) this.#cookies = new Map(before.#cookies)
  }

  /** @returns Another one with the same cookies and the same page. */
  twin(): Visitor {
    const twin = new Visitor(this.#url, this)
    twin.#token = this.#token
    return twin
  }

  /** Opens a page. */
  async open(path: string, headers: Variables = {}): Promise<Visit> {
    return this.#send(path, { method: 'GET', headers })
  }

  /** Sends a form; the token of the last page is added to its fields. */
  async submit(path: string, fields: Variables = {}, headers: Variables = {}): Promise<Visit> {
    const body = new URLSearchParams({ _csrf: this.#token, ...fields })
    return this.#send(path, { method: 'POST', body, headers })
  }

  /** Goes through the first door, as the demo account. */
  async password(password: string): Promise<Visit> {
    await this.open('/login')
    return this.submit('/login', { email: 'demo@sallyport.test', password })
  }

  /** Goes through the second door. */
  async code(code: string): Promise<Visit> {
    await this.open('/login/2fa')
    return this.submit('/login/2fa', { code })
  }

  async #send(path: string, init: RequestInit): Promise<Visit> {
    const response = await fetch(this.#url + path, {
      ...init,
      redirect: 'manual',
      headers: { ...init.headers, cookie: [...this.#cookies.values()].join('; ') },
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      this.#cookies.set(pair.slice(0, pair.indexOf('=')), pair)
    }
    const html = await response.text()
    this.#token = /name="_csrf" value="([^"]+)"/.exec(html)?.[1] ?? this.#token
    return { status: response.status, location: response.headers.get('location'), html }
  }
}

/** What came back. */
export interface Visit {
  readonly status: number
  readonly location: string | null
  readonly html: string
}

/** @returns The current code of a secret in Base32. */
export function codeNow(secret: string): Promise<string> {
  return generate({ secret, epoch: Math.floor((performance.timeOrigin + performance.now()) / 1000) })
}
