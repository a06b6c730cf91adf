import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { run, succeed } from '../cli/packed-package.ts'
import { startProject } from './started-project.ts'
import { copyStarter, SHELL } from './starter-copy.ts'

describe('a copy of the starter, without the checkout', () => {
  let copy = ''

  before(() => {
    copy = copyStarter()
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
    const { banner, url } = await startProject(t, copy, { last: 'Ctrl+C' })
    const login = await fetch(`${url}/login`)
    const code = succeed('env', [...SHELL, 'npm', 'start', '--silent', '--', 'code'], copy)
    const help = succeed('env', [...SHELL, 'npm', 'start', '--silent', '--', 'help'], copy)

    assert.match(banner, /demo@sallyport\.test/)
    assert.equal(login.status, 200)
    assert.match(code, /^\d{6}/)
    assert.match(help, /npm start -- check/)
  })

  it('passes tests of "npm test" [RA-3201]', () => {
    const out = succeed('env', [...SHELL, 'npm', 'test', '--silent', '--', 'flow/login.test'], copy)
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
