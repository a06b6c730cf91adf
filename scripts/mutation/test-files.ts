/**
 * The test files of a mutation run, and the order in which they are tried.
 *
 * @module
 */
import { basename } from 'node:path'

import type { Mutant } from './mutants.ts'
import type { Outcome } from './report.ts'
import type { Reached, Sandbox } from './sandbox.ts'

const PATIENCE_MILLISECONDS = 6000
const PATIENCE_FACTOR = 4

/** Test files with the mutants that each of them reaches. */
export class TestFiles {
  readonly #sandbox: Sandbox
  readonly #files: ReadonlyMap<string, Reached>
  readonly #patience: number
  /** How many mutants of a source file a test file has killed. */
  readonly #kills = new Map<string, number>()

  private constructor(sandbox: Sandbox, files: ReadonlyMap<string, Reached>, patience: number) {
    this.#sandbox = sandbox
    this.#files = files
    this.#patience = patience
  }

  /**
   * Runs each test file once without a mutant.
   *
   * @throws {Error} If a test fails.
   */
  static async observe(
    sandbox: Sandbox,
    files: readonly string[],
    { patience, say }: { patience: number; say: (line: string) => void },
  ): Promise<TestFiles> {
    const observed = new Map<string, Reached>()
    for (const file of files) {
      const reached = await sandbox.observe(file)
      if (reached.ending !== 'passed') {
        throw new Error(`Cannot judge mutants: ${file} fails without any\n${reached.output}`)
      }
      observed.set(file, reached)
      say(`${file}: ${Math.round(reached.milliseconds)} ms, reaches ${reached.hits.size} mutants`)
    }
    return new TestFiles(sandbox, observed, patience)
  }

  /** Tries the test files that reach a mutant: first the most likely one alone, then all others in one process. */
  async try(mutant: Mutant): Promise<Outcome> {
    const [first, ...others] = this.#reaching(mutant)
    if (first === undefined) return { verdict: 'unreached' }
    const { ending: alone, ...noticed } = await this.#attempt([first], mutant)
    if (alone !== 'passed') {
      const key = `${first} ${mutant.file}`
      this.#kills.set(key, (this.#kills.get(key) ?? 0) + 1)
      return { verdict: alone === 'stuck' ? 'stuck' : 'killed', by: first, ...noticed }
    }
    if (others.length === 0) return { verdict: 'survived' }
    const { ending: together, ...late } = await this.#attempt(others, mutant)
    if (together === 'passed') return { verdict: 'survived' }
    return { verdict: together === 'stuck' ? 'stuck' : 'killed', ...late }
  }

  #attempt(files: readonly string[], mutant: Mutant): ReturnType<Sandbox['attempt']> {
    const known = files.flatMap((file) => this.#files.get(file) ?? [])
    const usual = known.reduce((sum, { milliseconds }) => sum + milliseconds, 0)
    return this.#sandbox.attempt(files, {
      mutant: mutant.id,
      limitMilliseconds: this.#patience * (PATIENCE_MILLISECONDS + PATIENCE_FACTOR * usual),
      hits: known.reduce((sum, { hits }) => sum + (hits.get(mutant.id) ?? 0), 0),
    })
  }

  #reaching({ id, file: source }: Mutant): string[] {
    const name = basename(source, '.ts')
    const rank = (file: string) =>
      (basename(file).startsWith(`${name}.`) ? 1000 : 0) + (this.#kills.get(`${file} ${source}`) ?? 0)
    return [...this.#files]
      .filter(([, { hits }]) => hits.has(id))
      .sort(([a, seen], [b, other]) => rank(b) - rank(a) || seen.milliseconds - other.milliseconds)
      .map(([file]) => file)
  }
}
