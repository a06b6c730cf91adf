import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it, type TestContext } from 'node:test'
import { launchBrowser, missingBrowser } from '../../packages/sallyport-app/src/testing/browser/index.ts'
import type { Page } from 'playwright-core'
import { run, succeed } from '../cli/packed-package.ts'
import { follow } from './followed-guide.ts'
import { startProject } from './started-project.ts'
import { copyStarter, SHELL } from './starter-copy.ts'

const HEADING = '## Add a page behind a permission'
const EMAIL = 'ada@example.com'
const PASSWORD = 'correct horse battery'

const npm = (project: string, ...words: string[]): string =>
  succeed('env', [...SHELL, 'npm', ...words], project)
const text = (project: string, path: string): string => readFileSync(join(project, path), 'utf8')
const followReadme = (project: string): void =>
  follow(project, text(project, 'README.md').split(HEADING)[1] ?? '')

/** What a person sees who signs in, and follows the link of the new page. */
async function assertShown(
  t: TestContext,
  { url, link, heading }: { url: string; link: string; heading: string },
  signIn: (page: Page) => Promise<void>,
) {
  const browser = await launchBrowser()
  t.after(() => browser.close())
  const page = await (await browser.newContext({ baseURL: url })).newPage()

  await signIn(page)
  await page.getByRole('link', { name: link, exact: true }).click()

  assert.equal(await page.locator('h1').textContent(), heading)
}

describe('a project of the preset minimal', { skip: missingBrowser ?? false }, () => {
  it('signs in in a browser, and shows the page of its README [RA-3302 RA-3304]', async (t) => {
    const project = copyStarter(['--preset', 'minimal'])
    followReadme(project)
    const { url } = await startProject(t, project, { last: 'There is no account yet' })

    await assertShown(t, { url, link: 'Reports', heading: 'Reports' }, async (page) => {
      const words = [...SHELL, 'npm', 'run', 'add-account', '--silent', '--', EMAIL]
      spawnSync('env', words, { cwd: project, input: `${PASSWORD}\n` })
      npm(project, 'run', 'grant', '--silent', '--', EMAIL, 'reports.read')
      await page.goto('/sign-in')
      await page.getByLabel('Email address').fill(EMAIL)
      await page.getByLabel('Password').fill(PASSWORD)
      await page.getByRole('button', { name: 'Sign in' }).click()
    })
  })
})

async function signInToStarter(page: Page, project: string, banner: string): Promise<void> {
  const [, password = ''] = /Password\s+(\S.*)/.exec(banner) ?? []
  await page.goto('/login')
  await page.getByLabel('Email address').fill('demo@sallyport.test')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Continue' }).click()
  const [code = ''] = /\d{6}/.exec(npm(project, 'start', '--silent', '--', 'code')) ?? []
  await page.locator('input[name=code]').fill(code)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

const PRESETS = {
  standard: ['flow/login.', 'parts/sessions', 'test/ways-in'],
  full: [
    'parts/notes/test/notes.',
    'flow/session-alone.',
    'messages/catalogue.',
    'messages/words.',
    'browser/every-page.',
  ],
}

for (const [preset, tests] of Object.entries(PRESETS)) {
  describe(`a project of the preset ${preset}`, { skip: missingBrowser ?? false }, () => {
    let project = ''

    before(() => {
      project = copyStarter(['--preset', preset])
    })

    it('has what it needs, and no data of the checkout [RA-3201]', () => {
      assert.equal(existsSync(join(project, '.data')), false)
      for (const name of ['tsconfig.json', 'start.mjs', 'application.ts'])
        assert.ok(existsSync(join(project, name)), name)
    })

    it('passes its tests, and those of the page of its guide [RA-3103 RA-3201 RA-3302 RA-3303]', () => {
      follow(project, text(project, 'docs/add-a-page.md'))
      npm(project, 'run', 'ways-in', '--silent')
      const ways = text(project, 'WAYS-IN.md')
      assert.match(ways, /POST \/passkey/)
      assert.equal(/mail-code|trusted browser/.test(ways), preset === 'full')

      npm(project, 'test', '--silent', '--', ...tests)

      if (preset === 'full') {
        const scene = npm(project, 'test', '--silent', '--', 'pages-parts.', '--test-name-pattern=the notes')
        assert.match(scene, /^ℹ pass 1$/m)
      }

      const none = run('env', [...SHELL, 'npm', 'test', '--silent', '--', 'flow/no-such'], project)
      assert.deepEqual(none, { code: 1, out: 'No test file has flow/no-such in its path.\n' })
    })

    it('type-checks with the page that its README adds [RA-3201 RA-3302 RA-3304]', () => {
      followReadme(project)
      npm(project, 'run', 'check', '--silent')
    })

    it('starts, signs in, and shows that page to who has the permission [RA-3201 RA-3302 RA-3304]', async (t) => {
      const { url, banner } = await startProject(t, project, { last: 'Ctrl+C' })

      await assertShown(t, { url, link: 'Notes', heading: 'Notes' }, (page) =>
        signInToStarter(page, project, banner),
      )
      assert.match(npm(project, 'start', '--silent', '--', 'help'), /npm start -- check/)
    })

    it('is refused in one line by an older Node [RA-3201]', () => {
      const older = "Object.defineProperty(process, 'versions', { value: { node: '22.20.0' } })"
      const { code, out } = run(
        process.execPath,
        ['--import', `data:text/javascript,${encodeURIComponent(older)}`, 'start.mjs'],
        project,
      )
      assert.equal(code, 1)
      assert.match(out, /^Cannot start: this program needs Node 24\.15 or later, and this is [^\n]+\n$/)
    })
  })
}
