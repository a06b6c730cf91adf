import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { describe, it, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { withoutPostgres, withoutRedis } from 'sallyport-app/testing'
import { CONDITIONS } from '../conditions.ts'

const STARTER = fileURLToPath(new URL('../../', import.meta.url))
// What is about the pages in a browser, or the files of SQLite, says nothing of these servers.
const OTHERS = /\.browser\.test\.ts$|\/vanishing-account\./
const FILES = globSync(
  ['test/flow/*.test.ts', 'test/identity/**/*.test.ts', 'test/processes/*.test.ts', 'parts/*/test/*.test.ts'],
  { cwd: STARTER },
).filter((file) => !OTHERS.test(file))

// The night runs all of them, every other run those in which two requests meet, and no model.
const IS_NIGHT = process.env['NIGHTLY'] === '1'
const MEETING =
  /\/(?:attempts|challenges?|at-once|credential-version|enrollment|leaving|limits|login|mail-links|mail-queue|password-change|recovery-code|lost-response|second-factors|session-alone|totp-factors)\.test\.ts$/
// A process has a server of its own, which its files share.
const FILES_PER_PROCESS = IS_NIGHT ? 1 : 4

interface Run {
  readonly passed: number
  readonly failed: string
}

// A test inside a test would say nothing.
const { NODE_TEST_CONTEXT: _, ...ENVIRONMENT } = process.env

function run(test: TestContext, files: readonly string[], sessions: string): Promise<Run> {
  const args = [...CONDITIONS, '--test', '--test-isolation=none', '--test-reporter=tap', ...files]
  const env = { ...ENVIRONMENT, STARTER_TEST_DATABASE: 'postgres', STARTER_TEST_SESSIONS: sessions }
  const options = { cwd: STARTER, env, signal: test.signal, maxBuffer: 100_000_000 }
  return new Promise((resolve) => {
    execFile(process.execPath, args, options, (error, output, errors) => {
      const passed = Number(/^# pass (\d+)$/m.exec(output)?.[1] ?? 0)
      const lines = output.split('\n').filter((line) => /^\s*(?:not ok|error:)/.test(line))
      resolve({ passed, failed: error === null ? '' : [...lines, errors, error.message].join('\n') })
    })
  })
}

function pass(files: readonly string[], sessions: string): void {
  const count = Math.ceil(files.length / FILES_PER_PROCESS)
  for (const group of Array.from({ length: count }, (_, rest) =>
    files.filter((_file, index) => index % count === rest),
  ))
    it(`pass: ${group.join(', ')} [RA-3202]`, async (test) => {
      const { passed, failed } = await run(test, group, sessions)

      assert.equal(failed, '')
      assert.ok(passed > 0, 'no test has run')
    })
}

const options = { concurrency: IS_NIGHT ? 2 : 1 }

describe('the tests on PostgreSQL and Redis', { ...options, skip: withoutPostgres || withoutRedis }, () => {
  pass(
    FILES.filter((file) => IS_NIGHT || MEETING.test(file)),
    'redis',
  )
})

describe('the tests on PostgreSQL alone', { ...options, skip: withoutPostgres }, () => {
  const wanted = /\/(?:between-statements|full-reads|leaving|login|return-target)\.test\.ts$/
  pass(
    // The processes that die leave all of it in one server.
    [...FILES, 'test/crash/between-statements.test.ts'].filter((file) => IS_NIGHT || wanted.test(file)),
    'postgres',
  )
})
