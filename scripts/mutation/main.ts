/**
 * Makes small mistakes in the source, one at a time, and reports which of them no test detects.
 *
 * `npm run mutation -- src/csrf`, `npm run mutation -- src/inspection/audit --sample 0.25 --seed 2`
 *
 * | option | |
 * |---|---|
 * | `--sample <share>` | a random share of the mutants: 0.25 is a quarter. Default: all |
 * | `--seed <integer>` | seed of the sample. Default: 1 |
 * | `--tests <glob>` | test files in addition to those of the mirrored folder in `test/`, may be repeated |
 * | `--without <path>` | prefix of the paths of sources and tests to leave out, may be repeated |
 * | `--patience <factor>` | how many times as long as usual a mutant may take; increase it on a busy machine. Default: 1 |
 * | `--survivors` | only the mutants that survived the last run of the same paths |
 *
 * Mutants are those of Stryker's instrumenter. Messages in the construction of an error are left out: tests match codes and
 * fields, not words. A mutant is killed when a test fails, when it loops endlessly, or when it takes far longer than the
 * tests take without it. Each mutant runs in its own process, first with the mirrored test file alone and then with all
 * others that reach it, so that module state never leaks from one mutant to the next.
 *
 * Tests that measure time are left out, because they would fail on a busy machine; random tests run in a small size.
 *
 * The report goes to stdout and to `.tmp/mutation/report/`. SIGINT and SIGTERM end a run early: mutants are tried in random
 * order, so the results so far are reported as a sample.
 *
 * @module
 */
import { hash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { type Mutant, mutate, sample, type Source } from './mutants.ts'
import { describe, isAlive, type Judged, survivorKey, toText } from './report.ts'
import { Sandbox } from './sandbox.ts'
import { TestFiles } from './test-files.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const toolbox = join(root, '.tmp/mutation/node_modules/@stryker-mutator/instrumenter/dist/src/index.js')
const reports = join(root, '.tmp/mutation/report')
const MAX_NAME_LENGTH = 100

const { values: options, positionals: paths } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    tests: { type: 'string', multiple: true, default: [] },
    without: { type: 'string', multiple: true, default: [] },
    patience: { type: 'string', default: '1' },
    survivors: { type: 'boolean', default: false },
  },
})

const sources = readSources()
const { mutants, errorTexts, sources: instrumented } = await mutate(toolbox, sources)
const share = Number(options.sample)
const chosen = options.survivors ? lastSurvivors(mutants) : sample(mutants, share, Number(options.seed))
say(
  `${mutants.length} mutants in ${sources.length} files; ${chosen.length} are tried ` +
    `(sample ${options.sample}, seed ${options.seed}); ${errorTexts} texts of errors are left out`,
)

let isEnding = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (isEnding = true))

using sandbox = new Sandbox(root, instrumented)
const tests = await TestFiles.observe(sandbox, findTests(), { patience: Number(options.patience), say })
const judged = await judge()

mkdirSync(reports, { recursive: true })
writeFileSync(reportFile(), JSON.stringify(judged, undefined, 1))
process.stdout.write(`${toText(judged, mutants.length)}\n`)

async function judge(): Promise<Judged[]> {
  const judged: Judged[] = []
  const started = performance.now()
  for (const mutant of chosen) {
    if (isEnding) break
    const each: Judged = { ...mutant, ...(await tests.try(mutant)) }
    judged.push(each)
    if (isAlive(each)) say(describe(each))
    if (judged.length % 50 > 0) continue
    const seconds = Math.round((performance.now() - started) / 1000)
    say(`${judged.length} of ${chosen.length} tried, ${judged.filter(isAlive).length} alive, ${seconds} s`)
  }
  return judged
}

function readSources(): Source[] {
  const stray = paths.find((path) => !path.startsWith('src/'))
  // A shell expands braces behind "--tests", and all files but the first would be taken for sources.
  if (stray !== undefined)
    throw new RangeError(
      `Cannot mutate ${stray}: name a folder or file below src, and "--tests" before each test`,
    )
  const files = paths.flatMap((path) =>
    path.endsWith('.ts') ? [path] : globSync(`${path}/**/*.ts`, { cwd: root }),
  )
  const wanted = files.filter(isWanted)
  if (wanted.length === 0) throw new RangeError('Cannot mutate nothing: name a folder or file below src')
  return wanted.sort().map((path) => ({ path, contents: readFileSync(join(root, path), 'utf8') }))
}

function findTests(): string[] {
  const folders = new Set(paths.map((path) => path.split('/')[1]))
  const globs = [...[...folders].map((folder) => `test/${folder}/**/*.test.ts`), ...options.tests]
  return [...new Set(globs.flatMap((glob) => globSync(glob, { cwd: root })))].filter(isWanted).sort()
}

function isWanted(file: string): boolean {
  return !options.without.some((path) => file.startsWith(path))
}

function lastSurvivors(all: readonly Mutant[]): Mutant[] {
  if (!existsSync(reportFile()))
    throw new RangeError('Cannot repeat survivors: there is no report of these paths')
  // Written by this program.
  const last = JSON.parse(readFileSync(reportFile(), 'utf8')) as Judged[]
  const keys = new Set(last.filter(isAlive).map(survivorKey))
  return all.filter((mutant) => keys.has(survivorKey(mutant)))
}

function reportFile(): string {
  const name = paths.join('+').replaceAll('/', '-')
  // File systems refuse names longer than 255 bytes.
  if (name.length <= MAX_NAME_LENGTH) return join(reports, `${name}.json`)
  return join(reports, `${name.slice(0, MAX_NAME_LENGTH)}-${hash('sha256', name).slice(0, 12)}.json`)
}

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}
