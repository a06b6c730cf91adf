import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Clock } from 'sallyport'
import {
  type Lifetime,
  type OwnedSession,
  type SessionChanges,
  type SessionData,
  type SessionRecord,
  type SessionStart,
  SessionStore,
} from 'sallyport/session'

import { endChildren } from '../../services/children.ts'

/** An operation for a process, at a moment of the test's clock. */
export interface Call {
  readonly number: number
  readonly milliseconds: number
  readonly run: readonly [
    'read' | 'create' | 'update' | 'rotate' | 'destroy' | 'sessionsOf' | 'reopen',
    ...unknown[],
  ]
}

/** What came of it. */
export interface Result {
  readonly number: number
  readonly value?: unknown
  readonly error?: string
}

/** Several processes that hold one store open. */
export class StoreProcesses implements AsyncDisposable {
  readonly #children: readonly ChildProcess[]
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>()
  #last = 0

  private constructor(children: readonly ChildProcess[]) {
    this.#children = children
    for (const child of children) {
      child.on('message', (result) => this.#settle(result as Result))
      child.once('exit', () => this.#failAll())
    }
  }

  /**
   * @param address Address of the store.
   * @param count How many processes. Default: 4.
   * @returns The processes, each with the store open.
   */
  static async start(address: string, count = 4): Promise<StoreProcesses> {
    const main = fileURLToPath(new URL('store-process.ts', import.meta.url))
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const children = Array.from({ length: count }, () =>
      fork(main, [address], { execArgv: ['--conditions=sallyport-source'], serialization: 'advanced', env }),
    )
    await Promise.all(
      children.map((child) =>
        Promise.race([
          once(child, 'message'),
          once(child, 'exit').then(() => Promise.reject(new Error('A process of the store did not start'))),
        ]),
      ),
    )
    return new StoreProcesses(children)
  }

  /**
   * @param clock A clock of the test.
   * @returns A store whose operations go to one process after another.
   */
  store(clock: Clock): SessionStore {
    return new SpreadStore((run) => this.#call(run, clock.milliseconds()))
  }

  /**
   * Has each process close the store and open it again: what one still sweeps by a clock of the test before would take
   * away the sessions of the next.
   */
  async reopen(): Promise<void> {
    await Promise.all(this.#children.map(() => this.#call(['reopen'], 0)))
  }

  /** Ends the processes. */
  async [Symbol.asyncDispose](): Promise<void> {
    await endChildren(this.#children)
  }

  #call(run: Call['run'], milliseconds: number): Promise<unknown> {
    const number = ++this.#last
    const waiting = Promise.withResolvers<unknown>()
    this.#waiting.set(number, waiting)
    const call: Call = { number, milliseconds, run }
    this.#children[number % this.#children.length]?.send(call)
    return waiting.promise
  }

  #settle({ number, value, error }: Result): void {
    const waiting = this.#waiting.get(number)
    this.#waiting.delete(number)
    if (error === undefined) waiting?.resolve(value)
    else waiting?.reject(new Error(`A process of the store failed: ${error}`))
  }

  #failAll(): void {
    for (const waiting of this.#waiting.values())
      waiting.reject(new Error('A process of the store has ended'))
    this.#waiting.clear()
  }
}

class SpreadStore extends SessionStore {
  readonly #call: (run: Call['run']) => Promise<unknown>

  constructor(call: (run: Call['run']) => Promise<unknown>) {
    super()
    this.#call = call
  }

  override async read(id: string): Promise<SessionRecord | null> {
    return (await this.#call(['read', id])) as SessionRecord | null
  }

  override async create(id: string, data: SessionData, start: SessionStart): Promise<void> {
    await this.#call(['create', id, data, start])
  }

  override async update(id: string, changes: SessionChanges, lifetime: Lifetime): Promise<boolean> {
    return (await this.#call(['update', id, changes, lifetime])) === true
  }

  override async rotate(
    from: string,
    to: string,
    changes: SessionChanges,
    lifetime: Lifetime,
  ): Promise<boolean> {
    return (await this.#call(['rotate', from, to, changes, lifetime])) === true
  }

  override async destroy(id: string): Promise<void> {
    await this.#call(['destroy', id])
  }

  override async sessionsOf(owner: string): Promise<readonly OwnedSession[]> {
    return (await this.#call(['sessionsOf', owner])) as readonly OwnedSession[]
  }
}
