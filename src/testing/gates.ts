/** Name of a method that returns a promise. */
export type AsyncMethod<T> = {
  [K in keyof T]: T[K] extends (...args: never[]) => Promise<unknown> ? K : never
}[keyof T] &
  string

/** Position of a gate. */
export interface GateOptions {
  /**
   * `before`: the call waits before it has any effect. `after`: the call has taken effect and its result waits. Default:
   * `before`.
   */
  readonly side?: 'before' | 'after'
  /** How many calls pass first. Default: 0. */
  readonly skip?: number
}

const PATIENCE_MILLISECONDS = 5000

/** One call that is held until the test releases it. */
export class Gate {
  readonly #describe: () => string
  readonly #reached = Promise.withResolvers<void>()
  readonly #opened = Promise.withResolvers<void>()

  /**
   * @param describe Describes the awaited call, for the error when it does not come.
   */
  constructor(describe: () => string) {
    this.#describe = describe
    // A gate that fails before a call has reached it must not cause an unhandled rejection.
    this.#opened.promise.catch(() => undefined)
  }

  /**
   * Waits until a call has reached the gate.
   *
   * @throws {Error} If none comes within five seconds.
   */
  async reached(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const impatience = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(this.#describe())), PATIENCE_MILLISECONDS)
    })
    try {
      await Promise.race([this.#reached.promise, impatience])
    } finally {
      clearTimeout(timer)
    }
  }

  /** Lets the call continue. */
  release(): void {
    this.#opened.resolve()
  }

  /**
   * Makes the call fail: before its effect as if the server were down, after it as if the answer were lost.
   *
   * @param error What it rejects with.
   * @internal
   */
  fail(error: Error): void {
    this.#opened.reject(error)
  }

  /**
   * Waits at the gate; for custom test doubles.
   *
   * @returns A promise that settles when the test decides.
   * @internal
   */
  pass(): Promise<void> {
    this.#reached.resolve()
    return this.#opened.promise
  }
}

/**
 * Gates in front of an object with asynchronous methods, such as a session store. A test holds a request at a named call and
 * releases it later, which makes a race deterministic.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { MemorySessionStore, type SessionStore } from 'sallyport/session'
 * import { Gates } from 'sallyport/testing'
 *
 * const gates = new Gates<SessionStore>(new MemorySessionStore())
 * const store = gates.target // for the application: definitions.set(SessionStore, gates.target)
 * const lifetime = { createdAt: Date.now(), expiresAt: Date.now() + 60_000 }
 * await store.create('id', new Map(), lifetime)
 *
 * const gate = gates.hold('update')
 * const late = store.update('id', { set: new Map([['a', '1']]), removed: new Set() }, lifetime)
 * await gate.reached()
 * await store.destroy('id')
 * gate.release()
 *
 * assert.equal(await late, false)
 * ```
 */
export class Gates<T extends object> {
  /** Pass this to the application instead of the object; it behaves the same except for the gates. */
  readonly target: T
  readonly #calls: string[] = []
  readonly #waiting: {
    readonly method: string
    readonly side: 'before' | 'after'
    skip: number
    readonly gate: Gate
  }[] = []

  /**
   * @param object The object behind the gates.
   */
  constructor(object: T) {
    this.target = new Proxy(object, {
      get: (inner, name) => {
        const member: unknown = Reflect.get(inner, name, inner)
        if (typeof member !== 'function' || typeof name !== 'string') return member
        return (...args: unknown[]): unknown =>
          this.#call(name, (): unknown => Reflect.apply(member, inner, args))
      },
    })
  }

  /** Names of the methods called so far, in order. */
  get calls(): readonly string[] {
    return this.#calls
  }

  /** Clears the list of calls. */
  forget(): void {
    this.#calls.length = 0
  }

  /**
   * Holds the next call of a method, once.
   *
   * @param method Its name.
   * @param options Position of the gate, and how many calls pass first.
   * @returns The gate.
   */
  hold(method: AsyncMethod<T>, options: GateOptions = {}): Gate {
    const gate = new Gate(
      () =>
        `${method}() was not called within ${PATIENCE_MILLISECONDS} ms; called: ${this.#calls.join(', ')}`,
    )
    this.#waiting.push({ method, side: options.side ?? 'before', skip: options.skip ?? 0, gate })
    return gate
  }

  #call(name: string, invoke: () => unknown): unknown {
    this.#calls.push(name)
    const index = this.#waiting.findIndex(({ method, skip }) => method === name && skip === 0)
    for (const each of this.#waiting) if (each.method === name && each.skip > 0) each.skip--
    const [held] = index === -1 ? [] : this.#waiting.splice(index, 1)
    if (held === undefined) return invoke()
    return held.side === 'before' ? passBefore(held.gate, invoke) : passAfter(held.gate, invoke)
  }
}

async function passBefore(gate: Gate, invoke: () => unknown): Promise<unknown> {
  await gate.pass()
  return await invoke()
}

async function passAfter(gate: Gate, invoke: () => unknown): Promise<unknown> {
  const result = await invoke()
  await gate.pass()
  return result
}
