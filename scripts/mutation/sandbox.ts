/**
 * A copy of the checkout for one mutation run, and runs of test files in it.
 *
 * @module
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { Source } from './mutants.ts'

const COPIED = ['src', 'test', 'starter', 'docs', 'scripts', 'package.json', 'tsconfig.json']
const HEAP_MEGABYTES = 1024
// Tests that measure time, or that need a core for each of four processes, would kill a mutant whenever the machine is busy.
const TIMED = 'Router: time|costs no more than|expression that is slow|costs what verify|four processes write'
// Enough for random tests to find frequent faults; faults in one of 100,000 cases are not typical of mutants.
const FUZZ_RUNS = '5000'
// An active mutant that is reached this many times as often as in a normal run is in an endless loop.
const HIT_FACTOR = 100

/** How a run of test files ended. `stuck` is a run that took too long. */
export type Ending = 'passed' | 'failed' | 'stuck'

/** Result of running one file without mutants. */
export interface Reached {
  readonly ending: Ending
  readonly milliseconds: number
  /** How often, by id of a mutant. */
  readonly hits: ReadonlyMap<string, number>
  /** What it printed. */
  readonly output: string
}

/** The mutant to switch on, and how much a run may cost. */
export interface Trial {
  readonly mutant: string
  readonly limitMilliseconds: number
  /** How often normal runs of the same files reached the mutant. */
  readonly hits: number
}

/** A copy of the checkout with instrumented sources, in the temporary folder. */
export class Sandbox {
  readonly #folder: string

  /**
   * @param root The checkout.
   * @param sources Instrumented sources, which replace those of the checkout.
   */
  constructor(root: string, sources: readonly Source[]) {
    this.#folder = mkdtempSync(join(tmpdir(), 'sp-mut-'))
    // A database server does not run as root, and its data is stored below.
    chmodSync(this.#folder, 0o711)
    for (const name of COPIED) {
      cpSync(join(root, name), join(this.#folder, name), {
        recursive: true,
        filter: (path) => !path.endsWith('node_modules'),
      })
    }
    for (const { path, contents } of sources) writeFileSync(join(this.#folder, path), contents)
    for (const name of ['node_modules', 'tmp', 'reached']) mkdirSync(join(this.#folder, name))
    // The package's own name resolves to the mutants, all others to the installed packages.
    for (const name of readdirSync(join(root, 'node_modules'))) {
      if (name === 'sallyport') symlinkSync(this.#folder, join(this.#folder, 'node_modules', name))
      else symlinkSync(join(root, 'node_modules', name), join(this.#folder, 'node_modules', name))
    }
  }

  /** Runs one test file without a mutant. */
  async observe(file: string): Promise<Reached> {
    const record = join(this.#folder, 'reached')
    const started = performance.now()
    const { ending, output } = await this.#run([file], { MUTATION_COVERAGE: record }, 300_000)
    const hits = new Map<string, number>()
    for (const name of readdirSync(record)) {
      // Written by our own hook.
      const counts = JSON.parse(readFileSync(join(record, name), 'utf8')) as Record<string, number>
      for (const [id, count] of Object.entries(counts)) hits.set(id, (hits.get(id) ?? 0) + count)
      rmSync(join(record, name))
    }
    return { ending, milliseconds: performance.now() - started, hits, output }
  }

  /** Runs test files in one process with one mutant; the first failure ends the run and is reported by name. */
  async attempt(
    files: readonly string[],
    { mutant, limitMilliseconds, hits }: Trial,
  ): Promise<{ ending: Ending; failure?: string }> {
    const env = {
      __STRYKER_ACTIVE_MUTANT__: mutant,
      MUTATION_HIT_LIMIT: String((hits + 10) * HIT_FACTOR),
    }
    const { ending, output } = await this.#run(files, env, limitMilliseconds)
    const failure = /^\s*not ok \d+ - (.*)$/m.exec(output)?.[1]
    return failure === undefined ? { ending } : { ending, failure }
  }

  /** Removes the copy. */
  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #run(
    files: readonly string[],
    env: Record<string, string>,
    limitMilliseconds: number,
  ): Promise<{ ending: Ending; output: string }> {
    const hook = fileURLToPath(new URL('hook.ts', import.meta.url))
    // In its own process group, so that servers and processes started by a test end with it.
    const child = spawn(
      process.execPath,
      [
        '--conditions=sallyport-source',
        '--test',
        '--test-isolation=none',
        '--test-reporter=tap',
        `--test-skip-pattern=${TIMED}`,
        ...files,
      ],
      {
        cwd: this.#folder,
        env: { ...ownEnvironment(), ...env, ...this.#places(hook) },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      },
    )
    let ending: Ending | undefined
    let output = ''
    const end = (how: Ending) => {
      ending ??= how
      killGroup(child.pid)
    }
    const timer = setTimeout(() => end('stuck'), limitMilliseconds)
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (/^\s*not ok /m.test(output)) end('failed')
    })
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    await once(child, 'exit')
    clearTimeout(timer)
    killGroup(child.pid)
    this.#sweep()
    return { ending: ending ?? (child.exitCode === 0 ? 'passed' : 'failed'), output }
  }

  // A killed test leaves the data of its servers behind, and they may write until they notice.
  #sweep(): void {
    const folder = join(this.#folder, 'tmp')
    for (const name of readdirSync(folder))
      rmSync(join(folder, name), { recursive: true, force: true, maxRetries: 5 })
  }

  #places(hook: string): Record<string, string> {
    return {
      NODE_OPTIONS: `--import=${hook} --max-old-space-size=${HEAP_MEGABYTES}`,
      // Caches stripped types of several hundred files between the processes.
      NODE_COMPILE_CACHE: join(this.#folder, 'compiled'),
      // An empty database is created once and copied for each mutant.
      SALLYPORT_POSTGRES_TEMPLATE: join(this.#folder, 'postgres'),
      FUZZ_RUNS,
      TMPDIR: join(this.#folder, 'tmp'),
    }
  }
}

function ownEnvironment(): NodeJS.ProcessEnv {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  return env
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // No process of the group is left.
  }
}
