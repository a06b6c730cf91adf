import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { developmentKey, prepareDataDirectory } from 'sallyport-app/boot'
import { openDatabase } from 'sallyport-app/database'
import { PARTS } from '../parts.ts'
import { temporary } from './support.ts'
import { migrationsOf } from '../core/database/migrations.ts'
import type { Schema } from '../core/database/schema.ts'

const STARTER = fileURLToPath(new URL('..', import.meta.url))
const NOT_COPIED = ['node_modules', '.data']

/** A copy of the starter in a folder of its own, as a team makes it. */
function copyOfStarter(test: TestContext): string {
  const copy = join(temporary(test), 'copy')
  cpSync(STARTER, copy, {
    recursive: true,
    filter: (source) => !NOT_COPIED.includes(relative(STARTER, source).split('/')[0] ?? ''),
  })
  return copy
}

/** The files that the first `git add -A` in a folder takes. */
function addedFiles(folder: string): readonly string[] {
  // No settings of this machine: its own list of ignored files would hide a gap.
  const env = {
    PATH: process.env['PATH'],
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    HOME: folder,
  }
  const git = (...words: readonly string[]): string =>
    execFileSync('git', words, { cwd: folder, encoding: 'utf8', env })
  git('init', '--quiet')
  git('add', '--all')
  return git('ls-files').trim().split('\n')
}

function put(folder: string, path: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), 'x')
}

describe('the ignore file of the starter', () => {
  it('keeps keys, databases and installed packages of a copy out of its first commit, and every source in it', async (test) => {
    const copy = copyOfStarter(test)
    const sources = addedFiles(copy)
    for (const folder of ['.data', 'var/data']) {
      const paths = prepareDataDirectory(join(copy, folder))
      developmentKey(join(copy, folder))
      const database = await openDatabase<Schema>(paths.accounts, { migrations: migrationsOf(PARTS) })
      test.after(() => database.destroy())
      for (const path of Object.values(paths))
        for (const end of ['', '-wal', '-shm']) put(copy, relative(copy, path + end))
    }
    for (const path of [
      '.env',
      '.env.local',
      'node_modules/kysely/package.json',
      'tls/server.key',
      'var/data/factor.key.draft',
    ])
      put(copy, path)

    assert.deepEqual(addedFiles(copy), sources)
    for (const path of ['.gitignore', 'application.ts', 'core/factors/factor-vault.ts', 'package.json'])
      assert.ok(sources.includes(path), path)
  })
})
