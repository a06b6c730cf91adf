import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { launchBrowser, missingBrowser } from '../../starter/test/browser/chromium.ts'
import { succeed } from '../cli/packed-package.ts'
import { follow } from './followed-guide.ts'
import { startProject } from './started-project.ts'
import { copyStarter, SHELL } from './starter-copy.ts'

const HEADING = '## Add a page behind a permission'
const EMAIL = 'ada@example.com'
const PASSWORD = 'correct horse battery'

/** A project, how somebody signs in there, and the page of its README. */
interface Scene {
  readonly preset: string
  /** Guides that are followed before its README. */
  readonly guides: readonly string[]
  /** What the last line of the start has. */
  readonly last: string
  readonly signIn: (page: Page, project: string, banner: string) => Promise<void>
  readonly link: string
  readonly heading: string
}

const npm = (project: string, ...words: string[]): string =>
  succeed('env', [...SHELL, 'npm', ...words], project)

async function signInToNotebook(page: Page, project: string): Promise<void> {
  const words = [...SHELL, 'npm', 'run', 'add-account', '--silent', '--', EMAIL]
  spawnSync('env', words, { cwd: project, input: `${PASSWORD}\n` })
  npm(project, 'run', 'grant', '--silent', '--', EMAIL, 'reports.read')
  await page.goto('/sign-in')
  await page.getByLabel('Email address').fill(EMAIL)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

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

const NOTEBOOK: Scene = {
  preset: 'minimal',
  guides: [],
  last: 'There is no account yet',
  signIn: signInToNotebook,
  link: 'Reports',
  heading: 'Reports',
}
const STANDARD: Scene = {
  preset: 'standard',
  guides: ['docs/add-a-page.md'],
  last: 'Ctrl+C',
  signIn: signInToStarter,
  link: 'Notes',
  heading: 'Notes',
}

for (const scene of [NOTEBOOK, STANDARD, { ...STANDARD, preset: 'full' }]) {
  describe(`a project of the preset ${scene.preset} in a browser`, { skip: missingBrowser ?? false }, () => {
    let project = ''

    before(() => {
      project = copyStarter(['--preset', scene.preset])
      const text = (path: string): string => readFileSync(join(project, path), 'utf8')
      for (const path of scene.guides) follow(project, text(path))
      const [, section = ''] = text('README.md').split(HEADING)
      follow(project, section)
    })

    it('type-checks with the page that its README adds [RA-3302 RA-3304]', () => {
      npm(project, 'run', 'check', '--silent')
    })

    it('starts, signs in, and shows that page to who has the permission [RA-3302 RA-3304]', async (t) => {
      const { url, banner } = await startProject(t, project, { last: scene.last })
      const browser = await launchBrowser()
      t.after(() => browser.close())
      const page = await (await browser.newContext({ baseURL: url })).newPage()

      await scene.signIn(page, project, banner)
      await page.getByRole('link', { name: scene.link, exact: true }).click()

      assert.equal(await page.locator('h1').textContent(), scene.heading)
    })
  })
}
