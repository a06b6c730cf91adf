/**
 * One run: its jobs, what it prints, and whether it passed.
 *
 * @module
 */
import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

import type { Command } from './command.ts'
import { type GroupResult, isPattern, runGroup } from './group.ts'
import { type Job, runJobs } from './jobs.ts'
import { chunksOf, findTestFiles, type Part, partOf, parts } from './parts.ts'
import { processorSecondsOf } from './processes.ts'
import { failureText, leftOutLine, lineOf, PartResult, skipLines, stepLine } from './report.ts'
import { measureSlowness } from './slowness.ts'
import { runStep, staticSteps } from './static-steps.ts'

const STATIC = 'static'
// The sizes of the night compute longer without ending a test.
const NIGHT_SIZE = 15
const NEWS_MILLISECONDS = 30_000

/** Where a run takes place. */
export interface Place {
  readonly root: string
  /** Folder for what processes report. */
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  readonly signal: AbortSignal
}

/** A run of checks and tests. */
export class Run {
  readonly #place: Place
  readonly #slowness = measureSlowness()
  readonly #started = performance.now()
  readonly #skipped = new Map<string, number>()
  readonly #failed: string[] = []
  readonly #counts = { passed: 0, failed: 0, open: 0 }
  #isSample = false

  constructor(place: Place) {
    this.#place = place
  }

  /**
   * Carries a command out.
   *
   * @param command What to run.
   * @returns Whether everything passed.
   */
  async execute(command: Command): Promise<boolean> {
    this.#isSample = command.kind === 'all' && this.#place.env['NIGHTLY'] !== '1'
    const jobs = command.kind === 'files' ? this.#fileJobs(command) : this.#partJobs(command)
    if (jobs === undefined) return false
    let ended = 0
    const counted = jobs.map(({ isAlone, run }) => ({
      isAlone,
      run: async () => {
        await run()
        if (!this.#place.signal.aborted) ended += 1
      },
    }))
    const ticker = setInterval(() => {
      process.stdout.write(`  … ${this.#seconds()} s: ${ended} of ${jobs.length} processes have ended\n`)
    }, NEWS_MILLISECONDS)
    // One more than cores, for tests also wait: for timers, disks and other processes.
    await runJobs(counted, availableParallelism() + 1, this.#place.signal)
    clearInterval(ticker)
    if (this.#place.signal.aborted)
      process.stdout.write(`stopped: ${jobs.length - ended} of ${jobs.length} processes did not end\n`)
    this.#close(command)
    return this.#failed.length === 0
  }

  /** Test files by words in their paths: every title is printed. */
  #fileJobs({ words, options }: Command): Job[] | undefined {
    const all = findTestFiles(this.#place.root, true)
    const idle = words.filter((word) => !all.some((file) => file.includes(word)))
    if (idle.length > 0) {
      const wanted = idle.map((word) => `"${word}"`).join(' or ')
      process.stderr.write(`No test file has ${wanted} in its path\n`)
      return undefined
    }
    const files = all.filter((file) => words.some((word) => file.includes(word)))
    return files.map((file, index) => ({
      isAlone: partOf(file).isAlone,
      run: async () => {
        const group = await this.#runGroup(`file-${index}`, [file], options)
        if (this.#place.signal.aborted || isWithoutMatch(group, options)) return
        const part = new PartResult(file)
        part.add(group)
        process.stdout.write(`${file}\n`)
        for (const { outcome, title } of group.leaves)
          process.stdout.write(`  ${outcome === 'passed' ? '✔' : outcome === 'open' ? '﹣' : '✖'} ${title}\n`)
        for (const note of group.notes) process.stdout.write(`  ℹ ${note}\n`)
        if (group.failures.length === 0) process.stdout.write(group.output)
        this.#finish(part)
      },
    }))
  }

  #partJobs(command: Command): Job[] | undefined {
    const names = [STATIC, ...parts.map(({ name }) => name)]
    const unknown = command.words.filter((word) => !names.includes(word))
    if (unknown.length > 0) {
      process.stderr.write(`No part is called "${unknown.join('", "')}": there are ${names.join(', ')}\n`)
      return undefined
    }
    const done = command.resumes ? this.#done() : []
    const isWanted = (name: string): boolean =>
      (command.words.length === 0 || command.words.includes(name)) && !done.includes(name)
    for (const name of names.filter((other) => done.includes(other)))
      process.stdout.write(`✔ ${name} has passed already\n`)
    const wanted = parts.filter((part) => isWanted(part.name) && (command.kind === 'all' || part.isQuick))
    return [
      ...(isWanted(STATIC) ? this.#staticJobs() : []),
      ...wanted.flatMap((part) => this.#jobsOf(part, command)),
    ]
  }

  #staticJobs(): Job[] {
    let left = staticSteps.length
    let isGreen = true
    return staticSteps.map(({ name, tool, args, remedy }) => ({
      isAlone: false,
      run: async () => {
        const { root, signal } = this.#place
        const result = await runStep({ tool, args }, { node: process.execPath, root, signal })
        if (signal.aborted) return
        process.stdout.write(stepLine(name, { ...result, remedy }))
        if (!result.passed) {
          isGreen = false
          this.#failed.push(name)
          process.stdout.write(`${result.output}\n`)
        }
        left -= 1
        if (left === 0 && isGreen) this.#remember(STATIC)
      },
    }))
  }

  #jobsOf(part: Part, { kind, options }: Command): Job[] {
    const files = findTestFiles(this.#place.root).filter((file) => partOf(file) === part)
    const chunks = chunksOf(files, part.filesPerProcess)
    const result = new PartResult(part.name)
    let left = chunks.length
    return chunks.map((chunk, index) => ({
      isAlone: part.isAlone,
      run: async () => {
        result.add(await this.#runGroup(`${part.name}-${index}`, chunk, options))
        left -= 1
        if (left > 0 || this.#place.signal.aborted) return
        // With a failure, the seeds to repeat it with.
        if (kind === 'all' || !result.isGreen)
          for (const note of result.notes) process.stdout.write(`  ℹ ${note}\n`)
        this.#finish(result)
        if (result.isGreen) this.#keepCosts(part, files.length, result)
        if (result.isGreen) this.#remember(part.name)
      },
    }))
  }

  /** For `npm run costs`. */
  #keepCosts({ name, about, isQuick }: Part, files: number, result: PartResult): void {
    const { passed, seconds, processorSeconds } = result
    const folder = join(this.#place.root, '.tmp', 'costs')
    mkdirSync(folder, { recursive: true })
    const costs = { name, about, isQuick, files, tests: passed, seconds, processorSeconds }
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(costs))
  }

  async #runGroup(name: string, files: readonly string[], options: readonly string[]): Promise<GroupResult> {
    const { root, folder, env, signal } = this.#place
    const size = env['NIGHTLY'] === '1' ? NIGHT_SIZE : 1
    const group = await runGroup(name, files, {
      signal,
      options: {
        node: process.execPath,
        options: ['--conditions=sallyport-source', ...options],
        root,
        folder,
        env: this.#environment(),
        patience: { slowness: this.#slowness, size },
      },
    })
    this.#record(name, group)
    return group
  }

  #environment(): NodeJS.ProcessEnv {
    const env = { ...this.#place.env }
    // A test that runs this program is a run of its own.
    delete env['TEST_LEAVES']
    delete env['NODE_TEST_CONTEXT']
    return {
      NODE_COMPILE_CACHE: join(this.#place.root, 'node_modules', '.cache', 'compile'),
      ...env,
      TEST_SLOWNESS: this.#slowness.toFixed(2),
      // A run per change plays some of the scenes in a browser.
      ...(this.#isSample && { TEST_SAMPLE: '1' }),
    }
  }

  #record(name: string, group: GroupResult): void {
    const leavesFolder = this.#place.env['TEST_LEAVES']
    if (leavesFolder === undefined) return
    mkdirSync(leavesFolder, { recursive: true })
    appendFileSync(
      join(leavesFolder, `${name}.jsonl`),
      group.leaves.map((leaf) => `${JSON.stringify(leaf)}\n`).join(''),
    )
  }

  #finish(part: PartResult): void {
    this.#counts.passed += part.passed
    this.#counts.failed += part.failed
    this.#counts.open += part.open
    for (const [reason, count] of part.skipped)
      this.#skipped.set(reason, (this.#skipped.get(reason) ?? 0) + count)
    process.stdout.write(lineOf(part))
    if (part.isGreen) return
    this.#failed.push(part.name)
    for (const failure of part.failures) process.stdout.write(failureText(failure))
    for (const output of part.outputs) process.stdout.write(`What its processes wrote:\n${output}\n`)
  }

  #close({ kind, options }: Command): void {
    const { passed, failed, open } = this.#counts
    process.stdout.write(skipLines(this.#skipped))
    if (kind === 'quick') process.stdout.write(leftOutLine(this.#leftOut()))
    if (passed + failed + open === 0 && options.some(isPattern)) this.#failed.push('no test has such a name')
    // On CI machines a program that is missing is a failure.
    if (this.#place.env['CI'] === 'true' && this.#skipped.size > 0) this.#failed.push('skipped tests')
    const computed = processorSecondsOf(process.pid)?.toFixed(0) ?? 'unknown'
    const bounds = {
      quick: ' (at most 360 s and 700 s on two quiet cores)',
      all: ' (at most 900 s)',
      files: '',
    }
    process.stdout.write(`time: ${this.#seconds()} s, processor time: ${computed} s${bounds[kind]}\n`)
    if (this.#failed.length > 0) process.stdout.write(`failed: ${this.#failed.join(', ')}\n`)
    process.stdout.write(`tests: ${passed} passed, ${failed} failed, ${open} skipped\n`)
  }

  #seconds(): string {
    return ((performance.now() - this.#started) / 1000).toFixed(0)
  }

  /** Parts that only `npm run test:all` has, with their number of files. */
  #leftOut(): Map<string, number> {
    const names = findTestFiles(this.#place.root)
      .map(partOf)
      .filter(({ isQuick }) => !isQuick)
      .map(({ name }) => name)
    return new Map(parts.map(({ name }) => [name, names.filter((other) => other === name).length]))
  }

  /** Names of the parts that have passed in these sizes since the commit was made. */
  #done(): string[] {
    const file = this.#stateFile()
    if (file === undefined || !existsSync(file)) return []
    return readFileSync(file, 'utf8').split('\n').filter(Boolean)
  }

  #remember(name: string): void {
    const file = this.#stateFile()
    if (file === undefined) return
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(file, `${[...new Set([...this.#done(), name])].join('\n')}\n`)
  }

  /** Undefined where there is no commit, or files differ from it: then nothing is remembered. */
  #stateFile(): string | undefined {
    const { root, env } = this.#place
    const git = (...args: string[]): string =>
      execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
    try {
      if (git('status', '--porcelain') !== '') return undefined
      const size = env['NIGHTLY'] === '1' ? 'night' : 'day'
      return join(root, '.tmp', 'passed', `${git('rev-parse', 'HEAD')}-${size}`)
    } catch {
      return undefined
    }
  }
}

/** A pattern for names chooses among all files: most have no such test. */
function isWithoutMatch({ leaves, failures, skipped }: GroupResult, options: readonly string[]): boolean {
  return options.some(isPattern) && leaves.length === 0 && failures.length === 0 && skipped.size === 0
}
