import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  assertAccessiblePage,
  launchBrowser,
  missingBrowser,
} from '../../packages/sallyport-app/src/testing/browser/index.ts'

import type { Browser, Page } from 'playwright-core'

import { RealWorld } from './realworld-program.ts'

const PASSWORD = 'correct horse'

describe('the pages of the RealWorld example', { skip: missingBrowser ?? false }, () => {
  let example: RealWorld | undefined
  let url = ''
  let browser: Browser | undefined

  before(async () => {
    example = new RealWorld()
    url = await example.start()
    browser = await launchBrowser()
  })
  after(async () => {
    await browser?.close()
    await example?.stop()
  })

  /** A window of its own, with everything that went wrong in it. */
  async function open(): Promise<{ readonly page: Page; readonly problems: string[] }> {
    assert.ok(browser !== undefined)
    const context = await browser.newContext()
    const page = await context.newPage()
    const problems: string[] = []
    page.setDefaultTimeout(60_000)
    page.on('pageerror', (error) => void problems.push(String(error)))
    page.on('response', (response) => {
      if (response.status() >= 500) problems.push(`${response.status()} ${response.url()}`)
    })
    return { page, problems }
  }

  async function signUp(page: Page, name: string): Promise<void> {
    await page.goto(`${url}/register`)
    await page.getByLabel('Name').fill(name)
    await page.getByLabel('E-mail address').fill(`${name}@example.com`)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('main').getByRole('button', { name: 'Sign up' }).click()
    await page.waitForURL(`${url}/`)
  }

  async function publish(page: Page, title: string, tags = ''): Promise<string> {
    await page.goto(`${url}/editor`)
    await page.getByLabel('Title').fill(title)
    await page.getByLabel('What is it about?').fill('A description')
    await page.getByLabel('Article').fill('# Part\n\nA *word* and <b>markup</b>.')
    await page.getByLabel('Tags').fill(tags)
    await page.getByRole('button', { name: 'Publish article' }).click()
    await page.waitForURL(/\/article\//)
    return page.url()
  }

  it('sign a user up, and show a refused form with what was typed, but for the password', async () => {
    const { page, problems } = await open()
    await page.goto(`${url}/register`)
    await page.getByLabel('Name').fill('grace')
    await page.getByLabel('E-mail address').fill('grace@example.com')
    await page.getByLabel('Password').fill('short')
    const [refused] = await Promise.all([
      page.waitForResponse((response) => response.request().method() === 'POST'),
      page.getByRole('main').getByRole('button', { name: 'Sign up' }).click(),
    ])

    assert.equal(refused.status(), 422)
    assert.equal(await page.getByLabel('Name').inputValue(), 'grace')
    assert.equal(await page.getByLabel('E-mail address').inputValue(), 'grace@example.com')
    const password = page.getByLabel('Password')
    assert.equal(await password.inputValue(), '')
    assert.equal(await password.getAttribute('aria-invalid'), 'true')
    assert.match((await password.getAttribute('aria-describedby')) ?? '', /password-error/)
    assert.match(await page.locator('#password-error').innerText(), /too short/)

    await password.fill(PASSWORD)
    await page.getByRole('main').getByRole('button', { name: 'Sign up' }).click()
    await page.waitForURL(`${url}/`)
    assert.equal(await page.getByRole('navigation', { name: 'Main' }).getByText('grace').count(), 1)

    const other = await open()
    await other.page.goto(`${url}/register`)
    await other.page.getByLabel('Name').fill('GRACE')
    await other.page.getByLabel('E-mail address').fill('g@example.com')
    await other.page.getByLabel('Password').fill(PASSWORD)
    await other.page.getByRole('main').getByRole('button', { name: 'Sign up' }).click()
    assert.match(await other.page.locator('#username-error').innerText(), /already been taken/)
    assert.deepEqual([...problems, ...other.problems], [])
  })

  it('let an author write, change and delete an article', async () => {
    const { page, problems } = await open()
    await signUp(page, 'author')
    await page.goto(`${url}/editor`)
    await page.getByLabel('Title').fill('   ')
    await page.getByLabel('What is it about?').fill('Kept')
    await page.getByLabel('Article').fill('Kept as well')
    await page.getByLabel('Tags').fill('one, two')
    await page.getByRole('button', { name: 'Publish article' }).click()
    assert.match(await page.locator('#title-error').innerText(), /be blank/)
    assert.equal(await page.getByLabel('Article').inputValue(), 'Kept as well')
    assert.equal(await page.getByLabel('Tags').inputValue(), 'one, two')

    const address = await publish(page, 'A first article', 'bees, town bees')
    assert.equal(
      await page
        .locator('.prose')
        .innerHTML()
        .then((html) => html.trim()),
      '<h2>Part</h2>\n<p>A <em>word</em> and &lt;b&gt;markup&lt;/b&gt;.</p>',
    )
    assert.deepEqual(await page.locator('main .tags a').allInnerTexts(), ['bees', 'town'])

    await page.getByRole('link', { name: 'Edit' }).click()
    assert.equal(await page.getByLabel('Tags').inputValue(), 'bees, town')
    await page.getByLabel('Title').fill('A second title')
    await page.getByRole('button', { name: 'Save article' }).click()
    await page.waitForURL(/a-second-title/)
    assert.equal((await page.goto(address))?.status(), 404)

    await page.goto(`${url}/?tag=town`)
    await page.getByRole('link', { name: 'A second title' }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL(`${url}/`)
    assert.equal(await page.getByRole('link', { name: 'A second title' }).count(), 0)
    assert.deepEqual(problems, [])
  })

  it('let a reader comment, mark a favorite and follow the author', async () => {
    const author = await open()
    await signUp(author.page, 'beekeeper')
    const address = await publish(author.page, 'Keeping bees')
    const { page, problems } = await open()
    await signUp(page, 'reader')
    await page.goto(address)

    await page.getByLabel('Your comment').fill(' \n ')
    await page.getByRole('button', { name: 'Post comment' }).click()
    assert.match(await page.locator('#body-error').innerText(), /be blank/)
    await page.getByLabel('Your comment').fill('Thank you <3')
    await page.getByRole('button', { name: 'Post comment' }).click()
    await page.waitForURL(address)
    assert.equal(await page.locator('.comment > p').innerText(), 'Thank you <3')

    await page.getByRole('button', { name: '♥ 0' }).click()
    await page.getByRole('button', { name: '♥ 1' }).waitFor()
    await page.getByRole('button', { name: 'Follow' }).click()
    await page.getByRole('button', { name: 'Unfollow' }).waitFor()
    await page.goto(`${url}/?feed=yours`)
    assert.deepEqual(await page.locator('.preview h2').allInnerTexts(), ['Keeping bees'])
    await page.goto(`${url}/profile/reader/favorites`)
    assert.deepEqual(await page.locator('.preview h2').allInnerTexts(), ['Keeping bees'])

    await author.page.goto(address)
    assert.equal(await author.page.locator('.comment button').count(), 0)
    await page.goto(address)
    await page.locator('.comment').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: '0 comments' }).waitFor()
    await page.getByRole('button', { name: '♥ 1' }).click()
    await page.getByRole('button', { name: '♥ 0' }).waitFor()
    assert.deepEqual([...problems, ...author.problems], [])
  })

  it('keep the articles of others closed, and send nobody to the sign-in page', async () => {
    const author = await open()
    await signUp(author.page, 'owner')
    const slug = (await publish(author.page, 'Mine')).split('/').at(-1) ?? ''
    const { page } = await open()
    await signUp(page, 'visitor')

    assert.equal((await page.goto(`${url}/editor/${slug}`))?.status(), 403)
    await page.goto(`${url}/article/${slug}`)
    assert.equal(await page.getByRole('button', { name: 'Delete' }).count(), 0)
    const nobody = await open()
    await nobody.page.goto(`${url}/editor/${slug}`)
    assert.equal(nobody.page.url(), `${url}/login`)
  })

  it('change settings, sign out and in again; a cookie opens nothing in the API', async () => {
    const { page, problems } = await open()
    await signUp(page, 'changing')
    assert.equal((await page.request.get(`${url}/api/user`)).status(), 401)
    await page.goto(`${url}/settings`)
    await page.getByLabel('About you').fill('Bakes bread')
    await page.getByLabel('Picture').fill('https://pictures.invalid/a.png')
    await page.getByLabel('New password').fill('battery staple')
    await page.getByRole('button', { name: 'Save settings' }).click()
    await page.getByRole('status').waitFor()
    assert.equal(await page.locator('.profile p').innerText(), 'Bakes bread')

    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(`${url}/`)
    await page.goto(`${url}/login`)
    await page.getByLabel('E-mail address').fill('changing@example.com')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').waitFor()
    assert.equal(await page.getByLabel('E-mail address').inputValue(), 'changing@example.com')
    await page.getByLabel('Password').fill('battery staple')
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(`${url}/`)
    assert.deepEqual(problems, [])
  })

  it('refuse a form without its token', async () => {
    const body = new URLSearchParams({ email: 'a@example.com', password: PASSWORD })

    assert.equal((await fetch(`${url}/login`, { method: 'POST', body })).status, 403)
  })

  it('are readable on a phone, in the dark and by screen readers', async () => {
    const { page } = await open()
    await page.goto(url)
    await assertAccessiblePage(page, 'the home of nobody')
    await signUp(page, 'somebody')
    for (let number = 1; number <= 11; number++) await publish(page, `Article ${number}`, 'numbers')
    await assertAccessiblePage(page, 'an article')
    for (const path of [
      '/',
      '/?tag=numbers&page=2',
      '/?feed=yours',
      '/editor',
      '/settings',
      '/profile/somebody',
      '/nowhere',
    ]) {
      await page.goto(url + path)
      await assertAccessiblePage(page, path)
    }
    await page.goto(`${url}/`)
    assert.equal(await page.locator('.preview').count(), 10)
    const nobody = await open()
    for (const path of ['/login', '/register']) {
      await nobody.page.goto(url + path)
      await assertAccessiblePage(nobody.page, path)
    }
  })
})
