import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { endChildren } from '../../services/children.ts'
import type { Shown } from './application.ts'

/** What came back. */
export interface Reply {
  readonly status: number
  readonly body: unknown
  /** Identifier set, '' when the cookie was expired, null when it was left alone. */
  readonly cookie: string | null
}

/** What is sent: a form when it has fields. */
export interface Sent {
  readonly path: string
  readonly cookie: string
  readonly fields?: Readonly<Record<string, string>>
}

/** Several processes of the application on one store. */
export class Servers implements AsyncDisposable {
  /** Connections that are kept, and shared by all browsers. */
  readonly #agent: Agent
  readonly #children: readonly ChildProcess[]
  readonly #ports: readonly number[]
  /** How many requests were sent. */
  requests = 0

  private constructor(children: readonly ChildProcess[], ports: readonly number[], agent: Agent) {
    this.#children = children
    this.#ports = ports
    this.#agent = agent
  }

  /**
   * @param address Address of the store.
   * @param count How many processes. Default: 4.
   * @returns The processes, ready.
   */
  static async start(address: string, count = 4): Promise<Servers> {
    const main = fileURLToPath(new URL('server.ts', import.meta.url))
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const children = Array.from({ length: count }, () =>
      fork(main, [address], { execArgv: ['--conditions=sallyport-source'], env }),
    )
    const ports = await Promise.all(
      children.map(async (child) => {
        const failed = once(child, 'exit').then(() => Promise.reject(new Error('A server did not start')))
        const [port] = (await Promise.race([once(child, 'message'), failed])) as [number]
        return port
      }),
    )
    return new Servers(children, ports, new Agent({ keepAlive: true, maxSockets: 8 }))
  }

  /** How many processes there are. */
  get count(): number {
    return this.#ports.length
  }

  /**
   * Sends a request.
   *
   * @param server Number of the process; any, it is taken modulo their count.
   * @param sent What is sent.
   * @returns What came back.
   */
  send(server: number, sent: Sent): Promise<Reply> {
    this.requests++
    const { path, cookie, fields } = sent
    const body = fields === undefined ? '' : String(new URLSearchParams(fields))
    const headers = {
      accept: 'application/json',
      // Of all processes the same: the name of the cookie ends with its port.
      host: 'localhost',
      'content-length': Buffer.byteLength(body),
      ...(cookie === '' ? {} : { cookie: `sid=${cookie}` }),
      ...(fields === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    }
    const where = { host: '127.0.0.1', port: this.#ports[server % this.count], agent: this.#agent }
    const method = fields === undefined ? 'GET' : 'POST'
    return new Promise((resolve, reject) => {
      const outgoing = request({ ...where, method, path, headers })
      outgoing.on('response', (incoming) => void replyOf(incoming).then(resolve, reject))
      outgoing.on('error', (error: Error & { code?: string }) => {
        // The server has closed a connection that nobody used for a while, as the request was on its way to it.
        const isUntouched = outgoing.reusedSocket && error.code === 'ECONNRESET'
        if (isUntouched) resolve(this.send(server, sent))
        else reject(error)
      })
      outgoing.end(body)
    })
  }

  /**
   * @param server Number of the process.
   * @param cookie Identifier that is sent.
   * @param count How many notes are looked for.
   * @returns What the page shows to it, its token, and the identifier that it sets.
   */
  async page(
    server: number,
    cookie: string,
    count: number,
  ): Promise<Shown & { readonly token: string; readonly cookie: string | null }> {
    const reply = await this.send(server, { path: `/page/${count}`, cookie })
    assert.equal(reply.status, 200)
    return { ...(reply.body as Shown & { token: string }), cookie: reply.cookie }
  }

  /** What no request should have met, in all processes. */
  async faults(): Promise<readonly string[]> {
    const answers = await Promise.all(
      this.#children.map(async (child) => {
        const answer = once(child, 'message')
        child.send('faults')
        return (await answer) as [string[]]
      }),
    )
    return answers.flatMap(([faults]) => faults)
  }

  /** Ends the processes. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#agent.destroy()
    await endChildren(this.#children)
  }
}

async function replyOf(incoming: IncomingMessage): Promise<Reply> {
  let text = ''
  for await (const piece of incoming.setEncoding('utf8')) text += String(piece)
  const set = /^sid=([^;]*);/.exec(incoming.headers['set-cookie']?.[0] ?? '')?.[1] ?? null
  const isJson = incoming.headers['content-type']?.startsWith('application/json') === true
  return { status: incoming.statusCode ?? 0, body: isJson ? JSON.parse(text) : null, cookie: set }
}
