import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { before, describe, it, type TestContext } from 'node:test'
import { installPackage, packPackage, run, succeed, TSC } from '../cli/packed-package.ts'
import { read, root } from './guide-code.ts'

// As in a shell of the reader: npm runs the Node that this test has.
const SHELL = ['-u', 'NODE_TEST_CONTEXT', `PATH=${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`]

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

// What the README has the reader type; the folder of the copy is the one of this test.
function commandsOf(copy: string, tarball: string): readonly string[] {
  const [, block = ''] = /```sh\n(git archive[\s\S]*?)```/.exec(read('starter/README.md')) ?? []
  const lines = block.trim().split('\n')
  return lines.map((line) =>
    line
      .replace('--prefix=my-app/ ', '')
      .replace('-C ..', `-C ${copy}`)
      .replace('../my-app', copy)
      .replace(/file:\S+\.tgz/, `file:${tarball}`),
  )
}

// Starts the copy as its README says, and ends it by its number.
async function started(
  t: TestContext,
  copy: string,
): Promise<{ readonly banner: string; readonly url: string }> {
  const child = spawn('env', [...SHELL, 'npm', 'start', '--silent'], {
    cwd: copy,
    env: { ...process.env, PORT: '0', NO_COLOR: '1', NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  t.after(async () => {
    const closed = once(child, 'close')
    process.kill(-(child.pid ?? Number.NaN), 'SIGTERM')
    await closed
  })
  let banner = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (banner += text))
  while (!banner.includes('Ctrl+C')) await once(child.stdout, 'data', { signal: AbortSignal.timeout(60_000) })
  return { banner, url: /Sallyport starter: (\S+)/.exec(banner)?.[1] ?? '' }
}

describe('a copy of the starter, without the checkout', () => {
  let copy = ''
  let manifest: Manifest = { dependencies: {}, devDependencies: {} }

  before(() => {
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-copy-'))
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
    const tarball = packPackage(folder)
    copy = join(folder, 'my-app')
    mkdirSync(copy)
    const [archive = '', enter = '', point = '', install = ''] = commandsOf(copy, tarball)
    succeed('sh', ['-c', archive], root)
    assert.deepEqual([enter, install], [`cd ${copy}`, 'npm install'])
    succeed('sh', ['-c', point], copy)
    manifest = JSON.parse(readFileSync(join(copy, 'package.json'), 'utf8')) as Manifest
    assert.equal(manifest.dependencies['sallyport'], `file:${tarball}`)
    const others = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
    installPackage(
      tarball,
      copy,
      others.filter((name) => name !== 'sallyport'),
    )
    symlinkSync(TSC, join(copy, 'node_modules/.bin/tsc'))
  })

  it('has no data of the checkout, and everything that it needs [RA-3201]', () => {
    assert.equal(existsSync(join(copy, '.data')), false)
    for (const name of ['tsconfig.json', 'start.mjs', 'application.ts'])
      assert.ok(existsSync(join(copy, name)), name)
  })

  it('type-checks with "npm run check" [RA-3201]', () => {
    succeed('env', [...SHELL, 'npm', 'run', 'check', '--silent'], copy)
  })

  it('starts with "npm start" and runs a command [RA-3201]', async (t) => {
    const { banner, url } = await started(t, copy)
    const login = await fetch(`${url}/login`)
    const code = succeed('env', [...SHELL, 'npm', 'start', '--silent', '--', 'code'], copy)
    const help = succeed('env', [...SHELL, 'npm', 'start', '--silent', '--', 'help'], copy)

    assert.match(banner, /demo@sallyport\.test/)
    assert.equal(login.status, 200)
    assert.match(code, /^\d{6}/)
    assert.match(help, /npm start -- check/)
  })

  it('passes tests of "npm test" [RA-3201]', () => {
    const { scripts } = JSON.parse(readFileSync(join(copy, 'package.json'), 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>
    }
    assert.match(scripts['test'] ?? '', /^node --test "test\//)
    const out = succeed('env', [...SHELL, process.execPath, '--test', 'test/flow/login.test.ts'], copy)
    assert.match(out, /^ℹ fail 0$/m)
  })

  it('is refused in one line by an older Node [RA-3201]', () => {
    const older = "Object.defineProperty(process, 'versions', { value: { node: '22.20.0' } })"
    const { code, out } = run(
      process.execPath,
      ['--import', `data:text/javascript,${encodeURIComponent(older)}`, 'start.mjs'],
      copy,
    )
    assert.equal(code, 1)
    assert.match(out, /^Cannot start: this program needs Node 24\.15 or later, and this is [^\n]+\n$/)
  })
})
