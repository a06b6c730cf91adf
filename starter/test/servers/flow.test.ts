import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { describe, it, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { CONDITIONS } from '../conditions.ts'
import { withoutPostgres } from '../postgres-server.ts'
import { withoutRedis } from '../redis-server.ts'

const STARTER = fileURLToPath(new URL('../../', import.meta.url))
// What is about the pages in a browser, or the files of SQLite, says nothing of these servers.
const OTHERS = /\.browser\.test\.ts$|\/vanishing-account\./
const FILES = globSync(
  ['test/flow/*.test.ts', 'test/identity/**/*.test.ts', 'test/processes/*.test.ts', 'parts/*/test/*.test.ts'],
  { cwd: STARTER },
).filter((file) => !OTHERS.test(file))

// Each is a process with a server of its own. The night runs all of them, every other run those in which two requests meet.
const IS_NIGHT = process.env['NIGHTLY'] === '1'
const MEETING =
  /\/(?:attempts|challenges?|codes-at-once|credential-version|enrollment|leaving|limits|login|mail-links|mail-queue|password-change|recovery-codes?|second-click|second-factors|session-alone|sessions|step-up|totp-factors|twin-changes|twin-sign-ins)\.test\.ts$/

interface Run {
  readonly passed: number
  readonly failed: string
}

// A test inside a test would say nothing.
const { NODE_TEST_CONTEXT: _, ...ENVIRONMENT } = process.env

function run(test: TestContext, file: string, sessions: string): Promise<Run> {
  const args = [...CONDITIONS, '--test', '--test-isolation=none', '--test-reporter=tap', file]
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

function passes(file: string, sessions: string): void {
  it(`the tests of ${file} pass [RA-3202]`, async (test) => {
    const { passed, failed } = await run(test, file, sessions)

    assert.equal(failed, '')
    assert.ok(passed > 0, 'no test has run')
  })
}

describe('on PostgreSQL and Redis', { skip: withoutPostgres || withoutRedis, concurrency: 2 }, () => {
  for (const file of FILES.filter((each) => IS_NIGHT || MEETING.test(each)).toSorted()) passes(file, 'redis')
})

// Its store deletes in the background what is dated in the future, so the clock must not advance by minutes while a statement is under way.
describe('on PostgreSQL alone', { skip: withoutPostgres, concurrency: 2 }, () => {
  for (const file of FILES.filter((each) =>
    /\/(?:login|challenge|leaving|sessions|list-order)\.test\.ts$/.test(each),
  ))
    passes(file, 'postgres')
})
