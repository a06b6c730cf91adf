/**
 * `npm test` runs the tests of services, pages, parts and lists that must be complete, such as that of the ways in. `npm test -- login passkeys` runs every file whose path contains one of the words,
 * those for a browser included. What begins with `--test-` goes to the test runner of Node.
 *
 * @module
 */
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

const cwd = fileURLToPath(new URL('..', import.meta.url))
const PARTS = 'parts/*/test/**/*.test.ts'
const QUICK = 'test/{*,{flow,identity,messages,database,commands,operations,start}/**/*}.test.ts'

// The types of a file are stripped once, and not by each process again.
const env = { NODE_COMPILE_CACHE: `${cwd}node_modules/.cache/compile`, ...process.env }

const given = process.argv.slice(2)
const words = given.filter((word) => !word.startsWith('--test-'))
const options = given.filter((word) => word.startsWith('--test-'))
const all = globSync(words.length === 0 ? [QUICK, PARTS] : ['test/**/*.test.ts', PARTS], { cwd }).toSorted()
const files = all.filter((path) => words.length === 0 || words.some((word) => path.includes(word)))

if (files.length === 0) {
  process.stderr.write(`No test file has ${words.join(' or ')} in its path.\n`)
  process.exitCode = 1
} else {
  // The files of a group share a process: most of the time of a small one is its start.
  const count = Math.min(availableParallelism(), Math.ceil(files.length / 4))
  const groups = Array.from({ length: count }, (_, group) =>
    files.filter((_file, at) => at % count === group),
  )
  const reporter = options.some((option) => option.startsWith('--test-reporter'))
    ? []
    : [`--test-reporter=${count === 1 ? 'spec' : 'dot'}`]
  const codes = await Promise.all(groups.map((group) => run([...reporter, ...options, ...group])))
  process.exitCode = codes.every((code) => code === 0) ? 0 : 1
}

/**
 * @param {readonly string[]} line Options and files of Node's test runner.
 * @returns {Promise<number | null>} Its exit code.
 */
function run(line) {
  const child = spawn(process.execPath, [...process.execArgv, '--test', '--test-isolation=none', ...line], {
    cwd,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  return new Promise((resolve) => child.once('close', resolve))
}
