/**
 * `npm test`: everything that must hold before a change lands. Format, lint and types come first, each reported. The tests
 * run even if one of those failed: first those that can share the processor, several files at once, then those that measure
 * time or memory, one file after another. Exit code 1 if anything failed.
 *
 * With `TEST_LEAVES`, a folder, the result of each test is written there, too, for `npm run conformance -- --leaves <folder>`.
 *
 * `npm test -- test/routing` runs only the test files whose path contains one of the words, without the rest. Words that
 * start with `-` are passed to Node's test runner: `npm test -- auth --test-name-pattern=AUTH-05`.
 *
 * @module
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

import { runForeground } from './lib/foreground.mjs'
import { programs, provideProgram } from './lib/programs.mjs'
import { commandOf, fail, prepare, root } from './lib/toolchain.mjs'

const testFolders = ['test', 'starter/test']
const measuringFolders = [
  ...['attacks', 'auth', 'node', 'reliability', 'session'].map((name) => `test/${name}/`),
  'starter/test/timing/',
]
// What measures growth, wherever it stands.
const measuringModule = 'reliability/growth.ts'
const testTimeoutMilliseconds = process.env.NIGHTLY === '1' ? 7_200_000 : 180_000
// Several times what the longest file takes. A file that a test leaves something open in would otherwise never end.
const fileTimeoutMilliseconds = 5 * testTimeoutMilliseconds

const words = process.argv.slice(2)
const runnerOptions = words.filter((word) => word.startsWith('-'))
const filters = words.filter((word) => !word.startsWith('-'))
const everything = filters.length === 0
const ci = process.env.CI === 'true' || process.env.CI === '1'

const started = performance.now()
const node = prepare()
report('packages', { started })

const failed = everything ? runStaticSteps() : []
const env = { TEST_FILE_TIMEOUT_MILLISECONDS: String(fileTimeoutMilliseconds), ...process.env }
// A test that runs this program is a run of its own.
delete env.TEST_LEAVES
for (const program of programs) provide(program)
if (failed.length > 0) process.stderr.write(`failed so far: ${failed.join(', ')}\n`)

const testsPassed = await runTests()
// On stderr: the summary of the test runner stays at the end of stdout.
if (failed.length > 0)
  process.stderr.write(`npm test fails because of: ${failed.join(', ')} (shown above the tests)\n`)
process.exitCode = testsPassed && failed.length === 0 ? 0 : 1

function runStaticSteps() {
  const steps = [
    ['format', [commandOf('oxfmt'), '--check'], 'npm run format'],
    ['lint', [commandOf('oxlint'), '--type-aware', '--deny-warnings']],
    ['types', [commandOf('typescript'), '-p', '.']],
    ['examples', [commandOf('typescript'), '-p', 'examples']],
    ['unused', [commandOf('knip'), '--no-progress', '--no-config-hints']],
  ]
  return steps.filter(([name, args, remedy]) => !runStep(name, args, remedy)).map(([name]) => name)
}

function runStep(name, args, remedy) {
  const stepStarted = performance.now()
  const step = spawnSync(node, args, {
    cwd: root,
    env: stepEnvironment(),
    encoding: 'utf8',
    maxBuffer: 64 * 2 ** 20,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const passed = step.status === 0
  report(name, {
    started: stepStarted,
    failed: !passed,
    detail: passed ? '' : remedy && `fix it with: ${remedy}`,
  })
  if (!passed) process.stdout.write(`${step.stdout ?? ''}${step.stderr ?? ''}${step.error?.message ?? ''}\n`)
  return passed
}

/** Output is captured, so the tools are told whether colors are wanted; under CI they would always use them. */
function stepEnvironment() {
  const { CI: _, ...inherited } = process.env
  return process.stdout.isTTY ? { ...inherited, FORCE_COLOR: '1' } : { ...inherited, NO_COLOR: '1' }
}

function provide(program) {
  const stepStarted = performance.now()
  const say = (line) => process.stdout.write(`${line}\n`)
  const provided = provideProgram(program, {
    env: process.env,
    install: everything,
    required: ci && everything,
    say,
  })
  if (provided.path !== undefined) env[program.exported] = provided.path
  else delete env[program.exported]
  report(program.name, { started: stepStarted, failed: provided.failed, detail: provided.message })
  if (provided.failed) failed.push(program.name)
}

async function runTests() {
  const files = testFiles().filter((file) => everything || filters.some((filter) => file.includes(filter)))
  const wanted = filters.map((filter) => `"${filter}"`).join(' or ')
  if (files.length === 0)
    fail(everything ? 'No test file is there' : `No test file has ${wanted} in its path`)
  const measures = (file) =>
    measuringFolders.some((folder) => file.startsWith(folder)) ||
    readFileSync(join(root, file), 'utf8').includes(measuringModule)
  const together = files.filter((file) => !measures(file))
  const alone = files.filter(measures)
  const first = await runFiles('together', together, Math.max(2, availableParallelism() - 1))
  if (first.isInterrupted) return false
  const passed = first.code === 0
  if (!passed && alone.length > 0) process.stderr.write('failed so far: tests (shown above)\n')
  return (await runFiles('alone', alone, 1)).code === 0 && passed
}

async function runFiles(name, files, concurrency) {
  if (files.length === 0) return { code: 0, isInterrupted: false }
  return await runForeground(
    node,
    [
      '--conditions=sallyport-source',
      `--import=${new URL('lib/test-deadline.mjs', import.meta.url)}`,
      '--test',
      ...reporters(name),
      `--test-timeout=${testTimeoutMilliseconds}`,
      `--test-concurrency=${concurrency}`,
      ...runnerOptions,
      ...files,
    ],
    { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] },
  )
}

function reporters(name) {
  if (process.env.TEST_LEAVES === undefined) return ['--test-reporter=spec']
  mkdirSync(process.env.TEST_LEAVES, { recursive: true })
  return [
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    `--test-reporter=${new URL('conformance/leaf-reporter.ts', import.meta.url)}`,
    `--test-reporter-destination=${join(process.env.TEST_LEAVES, `${name}.jsonl`)}`,
  ]
}

function testFiles() {
  return testFolders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map(
        (file) => `${folder}/${file.replaceAll('\\', '/')}`,
      ),
    )
    .filter((file) => file.endsWith('.test.ts'))
    .sort()
}

function report(name, { started: since, failed: isFailed = false, detail = '' }) {
  const seconds = ((performance.now() - since) / 1000).toFixed(1).padStart(5)
  process.stdout.write(
    `${isFailed ? '✖' : '✔'} ${name.padEnd(10)}${seconds} s${detail ? `  ${detail}` : ''}\n`,
  )
}
