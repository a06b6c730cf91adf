/**
 * Runs test files together in one process, and collects what came of it.
 *
 * @module
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs'
import { join, relative } from 'node:path'

import type { Line } from './events-reporter.ts'
import type { Leaf } from './leaves.ts'
import { type Patience, Watchdog } from './watchdog.ts'

const READ_MILLISECONDS = 200
const END_MILLISECONDS = 5000
const CHUNK_BYTES = 1 << 16
const MAX_OUTPUT_CHARACTERS = 20_000
const ONLY =
  /\b(?:it|test|suite|describe)\s*(?:\.only\b|\[\s*['"`]only['"`]\s*\])|\bonly['"`]?\s*:\s*(?:true|!0)/

/** How groups run. */
export interface GroupOptions {
  /** Program and arguments of Node that come before the files. */
  readonly node: string
  readonly options: readonly string[]
  readonly root: string
  readonly env: NodeJS.ProcessEnv
  /** Folder for what the process reports. */
  readonly folder: string
  readonly patience: Patience
}

/** What came of a group. */
export interface GroupResult {
  readonly leaves: readonly Leaf[]
  /** Failed tests, suites and hooks, and what failed outside of them. */
  readonly failures: readonly Failure[]
  /** Reason and number of skipped tests and suites. */
  readonly skipped: ReadonlyMap<string, number>
  /** Figures and seeds that tests print. */
  readonly notes: readonly string[]
  readonly seconds: number
  /** Of the process and all that it has started; 0 where the system does not tell. */
  readonly processorSeconds: number
  /** What the process wrote itself: warnings, logs. */
  readonly output: string
}

/**
 * Whether an option of Node's test runner chooses tests: then a file may have none.
 *
 * @param option The option.
 * @returns Whether it does.
 */
export function isPattern(option: string): boolean {
  return /^--test-(?:name|skip)-pattern(?:=|$)/.test(option)
}

/** One failure. */
export interface Failure {
  readonly title: string
  /** `test/auth/x.test.ts:12`. */
  readonly place: string
  readonly details: string
}

/**
 * Runs files in one process of Node's test runner.
 *
 * @param name Name of the group, once in a run.
 * @param files Paths below the root.
 * @param options How.
 * @param signal Ends the process.
 * @returns What came of it.
 */
export async function runGroup(
  name: string,
  files: readonly string[],
  { options, signal }: { readonly options: GroupOptions; readonly signal: AbortSignal },
): Promise<GroupResult> {
  const run = new GroupRun(options, join(options.folder, `${name}.jsonl`), files)
  return await run.end(signal)
}

class GroupRun {
  readonly #options: GroupOptions
  readonly #report: string
  readonly #files: readonly string[]
  readonly #child: ChildProcess
  readonly #started = performance.now()
  readonly #watchdog: Watchdog
  readonly #leaves: Leaf[] = []
  readonly #failures: Failure[] = []
  readonly #skipped = new Map<string, number>()
  readonly #notes: string[] = []
  readonly #running = new Map<string, string>()
  #output = ''
  #processorSeconds = 0
  #isFinished = false
  #hang: string | undefined
  #offset = 0
  #rest = ''

  constructor(options: GroupOptions, report: string, files: readonly string[]) {
    this.#options = options
    this.#report = report
    this.#files = files
    this.#child = spawn(
      options.node,
      [
        ...options.options,
        '--test',
        '--test-isolation=none',
        `--test-reporter=${new URL('events-reporter.ts', import.meta.url).href}`,
        `--test-reporter-destination=${report}`,
        ...files,
      ],
      // A group of its own: whatever its tests have started ends with it.
      { cwd: options.root, env: options.env, stdio: ['ignore', 'pipe', 'pipe'], detached: true },
    )
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => this.#write(text))
    this.#watchdog = new Watchdog(this.#child.pid ?? 0, options.patience, (what) => {
      this.#hang = what
      this.#end()
    })
  }

  async end(signal: AbortSignal): Promise<GroupResult> {
    const abort = (): void => this.#end()
    signal.addEventListener('abort', abort)
    const reader = setInterval(() => this.#read(), READ_MILLISECONDS)
    const code = await new Promise<number | string>((resolve) => {
      this.#child.once('error', (error) => resolve(error.message))
      this.#child.once('exit', (exit, by) => resolve(exit ?? by ?? 'unknown'))
    })
    clearInterval(reader)
    this.#watchdog.stop()
    signal.removeEventListener('abort', abort)
    this.#read()
    if (!signal.aborted) {
      this.#judge(code)
      this.#judgeOnly()
      this.#judgeEmpty()
    }
    return {
      leaves: this.#leaves,
      failures: this.#failures,
      skipped: this.#skipped,
      notes: this.#notes,
      seconds: (performance.now() - this.#started) / 1000,
      processorSeconds: this.#processorSeconds,
      output: this.#output,
    }
  }

  /** What went wrong outside of any test. */
  #judge(code: number | string): void {
    const running = [...this.#running.values()].join(', ') || 'no test'
    const place = this.#files.length === 1 ? (this.#files[0] ?? '') : `${this.#files.length} files`
    if (this.#hang !== undefined) {
      const remedy = 'Close what tests open, also when they fail'
      this.#failures.push({ title: `hangs: ${this.#hang}`, place, details: `Running: ${running}. ${remedy}` })
    } else if (code !== 0 && this.#failures.length === 0) {
      this.#failures.push({
        title: `ended with ${code}`,
        place,
        details: `Running: ${running}\n${this.#files.join('\n')}`,
      })
    } else if (code === 0 && !this.#isFinished) {
      const details = `Running: ${running}. Something calls process.exit()\n${this.#files.join('\n')}`
      this.#failures.push({ title: 'ended before its last test', place, details })
    } else if (code === 0 && this.#isEmpty() && !this.#options.options.some(isPattern)) {
      this.#failures.push({ title: 'no test ran', place, details: this.#files.join(' ') })
    }
  }

  #isEmpty(): boolean {
    return this.#leaves.length === 0 && this.#skipped.size === 0
  }

  // Node then leaves out all other tests of the process.
  #judgeOnly(): void {
    for (const file of this.#files) {
      const text = readFileSync(join(this.#options.root, file), 'utf8')
      if (ONLY.test(text))
        this.#failures.push({
          title: 'has a test marked "only"',
          place: file,
          details: 'It switches off the others',
        })
    }
  }

  // Node counts such a file as a test that passed, with the path as its title.
  #judgeEmpty(): void {
    for (const { title } of this.#leaves.filter((leaf) => this.#files.includes(this.#place(leaf.title))))
      this.#failures.push({ title: 'has no test', place: title, details: 'Write one, or remove the file' })
  }

  #end(): void {
    this.#kill('SIGTERM')
    setTimeout(() => this.#kill('SIGKILL'), END_MILLISECONDS).unref()
  }

  #kill(signal: NodeJS.Signals): void {
    const { pid } = this.#child
    if (pid === undefined) return
    try {
      process.kill(-pid, signal)
    } catch {
      this.#child.kill(signal)
    }
  }

  #write(text: string): void {
    this.#output = (this.#output + text).slice(-MAX_OUTPUT_CHARACTERS)
  }

  #read(): void {
    if (!existsSync(this.#report)) return
    const file = openSync(this.#report, 'r')
    const buffer = Buffer.alloc(CHUNK_BYTES)
    const chunks: Buffer[] = []
    for (let read = 1; read > 0;) {
      read = readSync(file, buffer, 0, CHUNK_BYTES, this.#offset)
      this.#offset += read
      chunks.push(Buffer.from(buffer.subarray(0, read)))
    }
    closeSync(file)
    this.#take(chunks)
  }

  #take(chunks: readonly Buffer[]): void {
    // The last line may be half written. Lines are ASCII but for titles, which are cut at a line end only.
    const lines = (this.#rest + Buffer.concat(chunks).toString('latin1')).split('\n')
    this.#rest = lines.pop() ?? ''
    if (lines.length > 0) this.#watchdog.progress()
    // Written by our own reporter.
    for (const line of lines) this.#note(JSON.parse(Buffer.from(line, 'latin1').toString()) as Line)
  }

  #note(line: Line): void {
    switch (line.kind) {
      case 'begun':
      case 'ended': {
        const place = `${line.file}:${line.line} ${line.title}`
        if (line.kind === 'begun') this.#running.set(place, `"${line.title}" (${this.#place(line.file)})`)
        else this.#running.delete(place)
        return
      }
      case 'leaf':
        this.#leaves.push(line.leaf)
        return
      case 'skipped':
        this.#skipped.set(line.reason, (this.#skipped.get(line.reason) ?? 0) + 1)
        return
      case 'note':
        this.#notes.push(line.text)
        return
      case 'used':
        this.#processorSeconds = line.processorSeconds
        this.#isFinished = true
        return
      case 'failure':
        this.#failures.push({ title: line.title, place: this.#place(line.place), details: line.details })
    }
  }

  #place(path: string): string {
    return path.startsWith(this.#options.root) ? relative(this.#options.root, path) : path
  }
}
