import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { succeed } from '../cli/packed-package.ts'
import { follow } from './followed-guide.ts'
import { startProject } from './started-project.ts'
import { copyStarter, SHELL } from './starter-copy.ts'

const EMAIL = 'ada@example.com'
const PASSWORD = 'correct horse battery'

/** Asks over HTTP, and keeps the cookie of the session. */
class Visitor {
  readonly #url: string
  #cookie = ''

  constructor(url: string) {
    this.#url = url
  }

  async request(path: string, form?: Record<string, string>): Promise<Response> {
    const body = form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }
    const headers = { cookie: this.#cookie }
    const response = await fetch(this.#url + path, { ...body, headers, redirect: 'manual' })
    this.#cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? this.#cookie
    return response
  }

  async text(path: string): Promise<string> {
    return (await this.request(path)).text()
  }

  async signIn(): Promise<string | null> {
    const [, token = ''] = /name="_csrf" value="([^"]+)"/.exec(await this.text('/sign-in')) ?? []
    const response = await this.request('/sign-in', { _csrf: token, email: EMAIL, password: PASSWORD })
    return response.headers.get('location')
  }
}

describe('a new project of the preset minimal', () => {
  let app = ''
  const npm = (...words: string[]): string => succeed('env', [...SHELL, 'npm', ...words], app)

  before(() => {
    app = copyStarter(['--preset', 'minimal'])
  })

  it('has what every project has, and no trace of the checkout [RA-3301 RA-3320]', () => {
    const text = (path: string): string => readFileSync(join(app, path), 'utf8')
    const { name, scripts } = JSON.parse(text('package.json')) as { name: string; scripts: object }

    assert.equal(name, 'my-app')
    for (const script of ['dev', 'start', 'test', 'check', 'build']) assert.ok(script in scripts, script)
    assert.match(text('.gitignore'), /^data\/$/m)
    assert.match(text('.env.example'), /^#FACTOR_KEY=$/m)
    assert.match(text('.github/workflows/ci.yml'), /npm test/)
    assert.match(text('sallyport.lock.json'), /"name": "my-app"/)
    assert.doesNotMatch(text('README.md') + text('AGENTS.md'), /\{\{name|\]\(\.\.\//)
  })

  it('passes its check and its tests [RA-3302 RA-3320]', () => {
    npm('run', 'check', '--silent')
    assert.match(npm('test', '--silent'), /^(?:# |ℹ )fail 0$/m)
  })

  it('starts, says how to add an account, and lets it in [RA-3302 RA-3320]', async (t) => {
    const { url, banner } = await startProject(t, app, { last: 'There is no account yet' })
    assert.match(banner, /npm run add-account -- you@example\.com/)

    const added = add(EMAIL, PASSWORD)
    assert.equal(added.status, 0, added.stdout)
    const short = add('bob@example.com', 'short')
    assert.equal(short.status, 1)
    assert.match(short.stdout, /fewer than 12 characters/)
    assert.equal(await new Visitor(url).signIn(), '/notes')
  })

  it('has the page of its README after the steps there [RA-3304 RA-3320]', async (t) => {
    const readme = readFileSync(join(app, 'README.md'), 'utf8')
    follow(app, readme.slice(readme.indexOf('## Add a page behind a permission')))
    npm('run', 'check', '--silent')

    const { url } = await startProject(t, app, { last: 'Listening on' })
    const ada = new Visitor(url)
    assert.equal((await ada.request('/reports')).headers.get('location'), '/sign-in')
    add(EMAIL, PASSWORD)
    await ada.signIn()
    assert.equal((await ada.request('/reports')).status, 403)
    npm('run', 'grant', '--silent', '--', EMAIL, 'reports.read')
    assert.match(await ada.text('/reports'), /Accounts: 1/)
    assert.match(await ada.text('/notes'), /href="\/reports">Reports/)
  })

  function add(email: string, password: string): { status: number | null; stdout: string } {
    const words = [...SHELL, 'npm', 'run', 'add-account', '--silent', '--', email]
    return spawnSync('env', words, { cwd: app, input: `${password}\n`, encoding: 'utf8' })
  }
})
