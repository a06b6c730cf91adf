/**
 * Several processes of the starter on the same data.
 *
 * @module
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

import { cpuNanoseconds } from '../lib/server.ts'
import type { Backend } from './backends.ts'

/** What browsers would type: a proxy that speaks HTTPS stands before the processes. */
export const ORIGIN = 'https://app.example'

/** Seals the secrets of factors: of no use anywhere else. */
export const FACTOR_KEY: string = `${'ab'.repeat(31)}01`

/** What a process is asked to do by itself. */
export interface Asked {
  readonly what: 'reads' | 'writes'
  readonly seconds: number
}

/** How many processes, and what a password costs them. */
export interface GroupOptions {
  readonly processes: number
  readonly passwords: 'cheap' | 'production'
}

/** What processes have computed, in seconds. */
export interface GroupWork {
  /** Hashes of passwords. */
  readonly hashingSeconds: number
  /** Everything else. */
  readonly otherSeconds: number
}

const PROGRAM = fileURLToPath(new URL('process.ts', import.meta.url))
// Passwords are hashed in threads of their own, and nothing else that takes time runs there.
const HASHING_THREADS = 'libuv-worker'

/** Processes that serve. */
export class Group {
  /** Where each of them listens. */
  readonly ports: readonly number[]
  readonly #children: readonly ChildProcess[]

  private constructor(children: readonly ChildProcess[], ports: readonly number[]) {
    this.#children = children
    this.ports = ports
  }

  /**
   * @param backend Where their data is.
   * @param options How many, and what a password costs.
   * @returns The group, once all of them listen.
   */
  static async start({ variables }: Backend, options: GroupOptions): Promise<Group> {
    const env = {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      PORT: '0',
      ORIGIN,
      TRUSTED_PROXIES: '127.0.0.1',
      FACTOR_KEY,
      PASSWORDS: options.passwords,
      ...variables,
    }
    const [children, ports]: [ChildProcess[], number[]] = [[], []]
    while (children.length < options.processes) {
      const child = fork(PROGRAM, {
        env,
        execArgv: ['--conditions=sallyport-source'],
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      })
      children.push(child)
      ports.push(await answerOf(child))
    }
    return new Group(children, ports)
  }

  /**
   * Has each of them do something by itself, all at the same time.
   *
   * @returns How many times in a second they did it, together.
   */
  async rate(what: Asked['what'], seconds: number): Promise<number> {
    const answers = this.#children.map(answerOf)
    for (const child of this.#children) child.send({ what, seconds } satisfies Asked)
    const done = await Promise.all(answers)
    return done.reduce((sum, each) => sum + each, 0) / seconds
  }

  /** @returns What they have computed since they started. */
  done(): GroupWork {
    const secondsOf = (threads?: string): number =>
      this.#children.reduce((sum, { pid = 0 }) => sum + cpuNanoseconds(pid, threads), 0) / 1e9
    const hashingSeconds = secondsOf(HASHING_THREADS)
    return { hashingSeconds, otherSeconds: secondsOf() - hashingSeconds }
  }

  async stop(): Promise<void> {
    const gone = this.#children.map((child) => once(child, 'exit'))
    for (const child of this.#children) child.disconnect()
    await Promise.all(gone)
  }
}

async function answerOf(child: ChildProcess): Promise<number> {
  const signal = new AbortController()
  const ended = once(child, 'exit', signal).then(([code]) => {
    throw new Error(`A process of the starter ended with ${String(code)}`)
  })
  const [answer] = (await Promise.race([once(child, 'message', signal), ended])) as [number]
  ended.catch(() => undefined)
  signal.abort()
  return answer
}
