import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { prepareDataDirectory } from 'sallyport-app/boot'
import { temporary } from './support.ts'

const STARTER = fileURLToPath(new URL('..', import.meta.url))
const SOURCES = ['.gitignore', 'application.ts', 'core/factors/factor-vault.ts', 'package.json']
const PRIVATE = [
  '.env',
  '.env.local',
  'node_modules/kysely/package.json',
  'tls/server.key',
  'var/data/factor.key.draft',
  '.data/factor.key',
]

describe('the ignore file of the starter', () => {
  it('keeps keys, databases and installed packages of a copy out of its commits, and sources in them', (test) => {
    const copy = temporary(test)
    copyFileSync(join(STARTER, '.gitignore'), join(copy, '.gitignore'))
    // No settings of this machine: its own list of ignored files would hide a gap.
    const env = { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' }
    execFileSync('git', ['init', '--quiet'], { cwd: copy, env })
    const databases = ['.data', 'var/data'].flatMap((folder) =>
      Object.values({ ...prepareDataDirectory(join(copy, folder)) }).flatMap((path) =>
        ['', '-wal', '-shm'].map((end) => relative(copy, path) + end),
      ),
    )
    const asked = [...SOURCES, ...PRIVATE, ...databases]

    const { stdout } = spawnSync('git', ['check-ignore', ...asked], { cwd: copy, env, encoding: 'utf8' })

    assert.ok(databases.length >= 12)
    assert.deepEqual(stdout.trim().split('\n'), [...PRIVATE, ...databases])
  })
})
