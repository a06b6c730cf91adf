import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { succeed } from '../cli/packed-package.ts'
import { withoutPostgres } from '../services/postgres-server.ts'
import { withoutRedis } from '../services/redis-server.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PEERS = ['pg', 'redis'] as const

/** A checkout whose stores find the lowest versions of their clients that the package allows. */
function checkoutOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-peers-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const { peerDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly peerDependencies: Readonly<Record<string, string>>
  }
  const lowest = PEERS.map((name) => `${name}@${peerDependencies[name]?.replace('^', '')}`)
  const installed = join(folder, 'installed')
  mkdirSync(installed)
  const quietly = ['--no-audit', '--no-fund', '--ignore-scripts', '--silent', '--prefix', installed]
  succeed('env', ['-u', 'npm_config_offline', 'npm', 'install', ...quietly, ...lowest], installed)

  for (const name of ['src', 'docs', 'test', 'packages/sallyport-app', 'starter/test', 'package.json'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  const modules = join(folder, 'node_modules')
  mkdirSync(modules)
  for (const name of readdirSync(join(ROOT, 'node_modules')).filter((each) => each !== '@redis')) {
    const isPeer = PEERS.some((peer) => peer === name)
    symlinkSync(join(isPeer ? installed : ROOT, 'node_modules', name), join(modules, name))
  }
  for (const name of PEERS) {
    const manifest = JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8')) as {
      version: string
    }
    assert.ok(lowest.includes(`${name}@${manifest.version}`), `${name} ${manifest.version}`)
  }
  return folder
}

describe(
  'the lowest versions of pg and redis that the package allows',
  { skip: withoutPostgres || withoutRedis },
  () => {
    it('carry the session stores [ACCT-06]', (t) => {
      const folder = checkoutOf(t)
      const files = readdirSync(join(folder, 'test/session')).filter((name) =>
        /^(?:redis|postgres)-.*(?<!failover)\.test\.ts$/.test(name),
      )
      assert.ok(files.length >= 12, files.join())
      const paths = files.map((name) => `test/session/${name}`)
      const run = [
        '-u',
        'NODE_TEST_CONTEXT',
        // In the sizes of the day: what is asked is whether the clients do the same.
        '-u',
        'NIGHTLY',
        process.execPath,
        '--conditions=sallyport-source',
        '--test',
        ...paths,
      ]
      assert.match(succeed('env', run, folder), /^(?:# |ℹ )fail 0$/m)
    })
  },
)
