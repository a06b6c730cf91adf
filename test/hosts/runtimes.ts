/**
 * The framework's own tests on other runtimes.
 *
 * @module
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { transformSync } from 'esbuild'

import { commandOf, type Runtime } from './hosts.ts'
import type { Installation } from './installation.ts'

/** A runtime besides the one that runs the tests. */
export interface TestedRuntime {
  readonly name: string
  readonly runtime: Exclude<Runtime, 'node'>
  /** Its package. */
  readonly packageName: string
  /** Arguments that run test files and write a report. */
  readonly test: (report: string) => readonly string[]
}

/** What a run has seen. */
export interface Outcome {
  /** How many tests ran. */
  readonly tests: number
  /** Titles of those that failed. */
  readonly failed: readonly string[]
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const COPY = join(ROOT, '.tmp', 'runtimes')
const CONDITION = '--conditions=sallyport-source'
// What the tests read: sources, helpers of the starter's tests, and guides.
const COPIED = ['src', 'test', 'starter', 'packages/sallyport-app/src', 'docs', 'package.json', 'README.md']
const FOLDERS = ['routing', 'http', 'auth', 'session', 'csrf', 'input', 'i18n', 'container', 'context']
// What needs a browser or a server, what measures, and what reads the sources as they are written.
const LEFT_OUT = /\.(?:browser|time|size|load|garbage|codes|night)\.test\.ts$|\/(?:redis|postgres)-/

/** The runtimes, in the order of the table. */
export const testedRuntimes: readonly TestedRuntime[] = [
  {
    name: 'Node 22',
    runtime: 'node22',
    packageName: 'node22',
    test: (report) => nodeTest('--experimental-test-isolation=none', report),
  },
  {
    name: 'Node 26',
    runtime: 'node26',
    packageName: 'node26',
    test: (report) => nodeTest('--test-isolation=none', report),
  },
  {
    name: 'Bun',
    runtime: 'bun',
    packageName: 'bun',
    test: (report) => [
      CONDITION,
      'test',
      '--timeout=30000',
      '--reporter=junit',
      `--reporter-outfile=${report}`,
    ],
  },
  {
    name: 'Deno',
    runtime: 'deno',
    packageName: 'deno',
    test: (report) => ['test', '--allow-all', '--no-check', CONDITION, `--junit-path=${report}`],
  },
]

function nodeTest(isolation: string, report: string): readonly string[] {
  return [CONDITION, '--test', isolation, '--test-reporter=junit', `--test-reporter-destination=${report}`]
}

/**
 * Copies the sources and the tests. Where they have `using`, which Node 22 cannot parse, it is compiled away.
 *
 * @returns The folder.
 */
export function copySources(): string {
  rmSync(COPY, { recursive: true, force: true })
  for (const name of COPIED)
    cpSync(join(ROOT, name), join(COPY, name), {
      recursive: true,
      filter: (path) => !['node_modules', '.data'].includes(basename(path)),
    })
  for (const file of globSync('{src,test}/**/*.ts', { cwd: COPY })) {
    const path = join(COPY, file)
    const text = readFileSync(path, 'utf8')
    if (/\busing \w/.test(text)) writeFileSync(path, withoutUsing(text))
  }
  return COPY
}

function withoutUsing(text: string): string {
  return transformSync(text, { loader: 'ts', format: 'esm', target: 'node22', supported: { using: false } })
    .code
}

/**
 * @param folders Folders below `test`. Default: all whose tests need neither `node:http` nor a command line.
 * @returns Test files, as paths from the root.
 */
export function filesOf(folders: readonly string[] = FOLDERS): readonly string[] {
  return folders
    .flatMap((folder) => globSync(`test/${folder}/**/*.test.ts`, { cwd: ROOT }))
    .filter((file) => !LEFT_OUT.test(file))
    .toSorted()
}

/**
 * Runs test files.
 *
 * @param tested The runtime.
 * @param installation Where it is.
 * @param files The files, in the copy.
 * @returns What it has seen.
 * @throws {Error} Rejects if there is no report, or nothing failed and it failed all the same.
 */
export async function runOn(
  { runtime, test }: TestedRuntime,
  installation: Installation,
  files: readonly string[],
): Promise<Outcome> {
  const report = join(COPY, `${runtime}.xml`)
  rmSync(report, { force: true })
  const [program = ''] = commandOf(runtime, installation)
  const child = spawn(program, [...test(report), ...files], {
    cwd: COPY,
    env: { ...process.env, NODE_OPTIONS: '', NODE_TEST_CONTEXT: undefined, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const [code] = (await once(child, 'close')) as [number | null]
  if (!existsSync(report)) throw new Error(`There is no report: ${output.slice(-2000)}`)
  const outcome = outcomeOf(readFileSync(report, 'utf8'))
  if (code !== 0 && outcome.failed.length === 0) throw new Error(`It failed: ${output.slice(-2000)}`)
  return outcome
}

// Not parsed as XML: titles have control characters, which XML does not allow.
function outcomeOf(report: string): Outcome {
  const cases = [...report.matchAll(/<testcase\b([^>]*)>(?:\s*<(failure|error)\b)?/g)]
    .map(([, attributes = '', fault]) => ({ attributes, fault }))
    // Deno counts a `describe` as a test, too: its class is a file.
    .filter(({ attributes }) => !attributes.includes('classname="./'))
  const failed = cases.filter(({ fault }) => fault !== undefined)
  return { tests: cases.length, failed: failed.map(({ attributes }) => titleIn(attributes)) }
}

function titleIn(attributes: string): string {
  const [, title = ''] = / name="([^"]*)"/.exec(attributes) ?? []
  const characters = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }
  return title.replaceAll(
    /&(lt|gt|quot|apos|amp);/g,
    (_, name: string) => characters[name as keyof typeof characters],
  )
}
