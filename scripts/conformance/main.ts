/**
 * Reports which clauses the tests prove.
 *
 * | option | |
 * |---|---|
 * | `--json` | only `{ "clauses": { "AUTH-01": "met", … } }` on stdout |
 * | `--clauses <file>` | clauses to read, may be repeated. Default: clauses.md, beyond.md, reference-app.md of docs/spec |
 * | `--leaves <folder>` | what a run of `npm test` with `TEST_LEAVES` left there. Default: the tests are run |
 * | `--failed` | that run had a failure, perhaps outside of any test |
 * | `--tests <glob>` | test files to run instead, several at once, may be repeated |
 *
 * Exit code 0 when no clause fails, every named clause exists and the tests ran; otherwise 1. Untested clauses do not fail
 * the command: it exists to show them.
 *
 * @module
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { clauseFiles, clauseIdsOf, parseClauses } from './clauses.ts'
import type { Leaf } from '../test/leaves.ts'
import { toJson, toText } from './report.ts'
import { findUnknownClauses, judge } from './verdicts.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    clauses: {
      type: 'string',
      multiple: true,
      default: clauseFiles.map((name) => join(root, 'docs', 'spec', name)),
    },
    leaves: { type: 'string' },
    failed: { type: 'boolean', default: false },
    tests: { type: 'string', multiple: true, default: [] },
  },
})

const clauses = parseClauses(...options.clauses.map((file) => readFileSync(file, 'utf8')))
const { leaves, passed } =
  options.leaves === undefined
    ? runTests(options.tests)
    : { leaves: leavesIn(options.leaves), passed: !options.failed }
const verdicts = judge(clauses, leaves)

process.stdout.write(`${options.json ? toJson(verdicts) : toText(verdicts, process.stdout.columns ?? 140)}\n`)

const problems = [
  ...findUnknownClauses(clauses, leaves).map(
    ({ id, test }) => `no such clause: ${id} in "${test.title}" (${place(test)})`,
  ),
  ...leaves
    .filter(({ outcome, title }) => outcome === 'failed' && clauseIdsOf(title).length === 0)
    .map((test) => `failed without naming a clause: ${relativeIfPath(test.title)} (${place(test)})`),
  ...(leaves.length === 0 ? ['no test ran'] : []),
  ...(!passed && leaves.every(({ outcome }) => outcome !== 'failed')
    ? ['the run failed outside of any test']
    : []),
]
for (const problem of problems) process.stderr.write(`${problem}\n`)
process.exitCode = problems.length > 0 || verdicts.some(({ status }) => status === 'failing') ? 1 : 0

/** With this variable, a child process of the test runner would report to its parent's runner instead of to us. */
function runTests(globs: readonly string[]): { leaves: Leaf[]; passed: boolean } {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-conformance-'))
  const destination = join(folder, 'leaves.jsonl')
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  try {
    const run = spawnSync(
      process.execPath,
      [
        '--conditions=sallyport-source',
        '--test',
        `--test-reporter=${new URL('leaf-reporter.ts', import.meta.url).href}`,
        `--test-reporter-destination=${destination}`,
        ...globs,
      ],
      { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] },
    )
    return { leaves: leavesIn(folder), passed: run.status === 0 }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function leavesIn(folder: string): Leaf[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .toSorted()
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean))
    .map(parseLeaf)
}

function parseLeaf(line: string): Leaf {
  // Written by our own reporter.
  return JSON.parse(line) as Leaf
}

function place({ file, line }: Leaf): string {
  return `${relativeIfPath(file)}:${line}`
}

function relativeIfPath(text: string): string {
  return text.startsWith(root) ? relative(root, text) : text
}
