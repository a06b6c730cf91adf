/** A program of Node's that a test starts. @module */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Scope } from './scope.ts'
import { untilReady } from './until-ready.ts'

/** How to start a program. */
export interface ProgramOptions {
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string>>
  /** Where it is started. Default: here. */
  readonly cwd?: string
  /** What kills it at its end. Default: whoever started it ends it. */
  readonly scope?: Scope
}

/** What a program left behind. */
export interface Ended {
  /** The code it ended with; null where a signal ended it. */
  readonly code: number | null
  /** The signal that ended it; null for none. */
  readonly signal: NodeJS.Signals | null
  /** What it wrote to its standard output. */
  readonly output: string
  /** What it wrote to its standard error. */
  readonly errors: string
}

/** A program that runs, or has ended. */
export class Program {
  readonly #child: ChildProcess
  readonly #closed: Promise<unknown[]>
  #output = ''
  #errors = ''

  /**
   * Starts it, and waits for nothing.
   *
   * @param parameters What Node.js is started with: its own options, the file, the parameters of the program.
   * @param options How.
   */
  constructor(parameters: readonly string[], { env, cwd, scope }: ProgramOptions) {
    this.#child = spawn(process.execPath, parameters, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    this.#closed = once(this.#child, 'close')
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.#output += text))
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.#errors += text))
    scope?.after(() => void this.#child.kill('SIGKILL'))
  }

  /** What it wrote to its standard output so far. */
  get output(): string {
    return this.#output
  }

  /** What it wrote to its standard error so far. */
  get errors(): string {
    return this.#errors
  }

  /** Whether it has not ended. */
  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  /**
   * Waits until it has written something to its standard output.
   *
   * @param pattern What.
   * @returns What it wrote.
   * @throws {AssertionError} If it ends before.
   */
  async find(pattern: RegExp): Promise<RegExpExecArray> {
    await untilReady(
      this.#child,
      () => pattern.test(this.#output),
      () => this.#output + this.#errors,
    )
    return pattern.exec(this.#output) ?? assert.fail()
  }

  /**
   * Sends it a signal.
   *
   * @param name The signal.
   */
  signal(name: NodeJS.Signals): void {
    this.#child.kill(name)
  }

  /**
   * Waits until it has ended.
   *
   * @param signal What to send before. Default: nothing.
   * @returns What it left behind.
   */
  async ended(signal?: NodeJS.Signals): Promise<Ended> {
    if (signal !== undefined) this.#child.kill(signal)
    const [code, by] = (await this.#closed) as [number | null, NodeJS.Signals | null]
    return { code, signal: by, output: this.#output, errors: this.#errors }
  }
}
