import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { missingBrowser } from 'sallyport-app/testing/browser'
import { Authenticator } from '../crash/starter-process.ts'
import { World } from './world.ts'

const skip = missingBrowser ?? false

describe('signing up in a browser', { skip }, () => {
  const world = new World()

  for (const javaScriptEnabled of [true, false]) {
    it(`goes from the address to the account, ${javaScriptEnabled ? 'with' : 'without'} script [RA-0902 RA-1301 RA-2902]`, async (test) => {
      const { visit: open } = await world.start(test)
      const visit = await open({ javaScriptEnabled, acceptDownloads: true })
      const { page } = visit
      await visit.open('/login')
      await visit.click('link', 'Create an account')
      await page.getByLabel('Email address').fill('grace@sallyport.test')
      await visit.click('button', 'Send the link')
      await visit.click('link', 'Mailbox')
      await visit.after(() => page.locator('article a').first().click())
      await page.getByLabel('Your name').fill('Grace Hopper')
      const password = page.getByLabel('Password')
      await password.fill('nanoseconds of copper wire')
      const show = page.getByRole('button', { name: /^Show ?: Password$/ })
      assert.equal(await show.isVisible(), javaScriptEnabled)
      if (javaScriptEnabled) await show.click()
      assert.equal(await password.getAttribute('type'), javaScriptEnabled ? 'text' : 'password')
      // What is a password on the screen is none for a keyboard that corrects.
      for (const [name, value] of [
        ['autocapitalize', 'none'],
        ['autocorrect', 'off'],
        ['spellcheck', 'false'],
      ] as const)
        if (javaScriptEnabled) assert.equal(await password.getAttribute(name), value)
      await visit.click('button', 'Create the account')
      const secret = (await page.locator('code.secret').innerText()).replaceAll(' ', '')
      const grace = { id: '', email: 'grace@sallyport.test', password: '', secret }
      await page.getByLabel('First code').fill(await new Authenticator(grace).next())
      await visit.click('button', 'Continue')

      const codes = await page.locator('.codes code').allInnerTexts()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Download' }).click(),
      ])
      const saved = readFileSync(await download.path(), 'utf8')
      assert.deepEqual(saved.trim().split('\r\n'), codes)
      for (const name of ['Copy', 'Print'])
        assert.equal(await page.getByRole('button', { name }).isVisible(), javaScriptEnabled, name)
      const account = await visit.click('button', "I've saved them")

      assert.deepEqual([account.path, account.heading], ['/account', 'Hello, Grace Hopper'])
    })
  }

  it('takes an international domain, which the browser sends as the DNS has it, and signs in with it [RA-0103]', async (test) => {
    const { visit: open } = await world.start(test)
    const visit = await open({})
    const { page } = visit
    await visit.open('/sign-up')
    await page.getByLabel('Email address').fill('ada@bücher.example')
    const sent = await visit.click('button', 'Send the link')
    assert.equal(sent.path, '/sign-up/sent')
    await visit.click('link', 'Mailbox')
    assert.match(await page.locator('article').first().innerText(), /ada@bücher\.example/)
    await visit.after(() => page.locator('article a').first().click())

    assert.match(await page.locator('main').innerText(), /ada@bücher\.example/)
    await page.getByLabel('Your name').fill('Ada')
    await page.getByLabel('Password').fill('an engine of numbers and steam')
    await visit.click('button', 'Create the account')
    const other = await open({})
    await other.open('/login')
    await other.page.getByLabel('Email address').fill('ada@bücher.example')
    await other.page.getByLabel('Password', { exact: true }).fill('an engine of numbers and steam')
    const entered = await other.click('button', 'Continue')

    assert.equal(entered.path, '/account')
  })
})
