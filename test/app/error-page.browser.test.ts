import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { launchBrowser, missingBrowser } from '../../packages/sallyport-app/src/testing/browser/index.ts'
import type { Browser } from 'playwright-core'
import { App, Controller, defineModule } from 'sallyport'
import { serve } from 'sallyport/node'

const skip = missingBrowser ?? false

class LetterController extends Controller {
  static readonly actions = { index: [], indexPost: [] }

  index(): Response {
    const enctype = this.context.query()
    const page = `<!doctype html><title>Letter</title>
      <form method="post" enctype="${enctype}"><input name="to"><textarea name="text"></textarea><button>Send</button></form>`
    // As a page of a signed-in user is sent.
    return new Response(page, { headers: { 'content-type': 'text/html', 'cache-control': 'no-store' } })
  }

  indexPost(): string {
    return 'Sent'
  }
}

describe('the page of a 413 in Chromium', { skip }, () => {
  let browser: Browser | undefined
  before(async () => {
    browser = await launchBrowser()
  })
  after(() => browser?.close())

  for (const enctype of ['multipart/form-data', 'application/x-www-form-urlencoded'])
    it(`says that the browser has kept what was typed, which is true of ${enctype}`, async (test) => {
      assert.ok(browser)
      const letters = defineModule('Site', (module) => module.controllers(LetterController))
      const app = App.create({ debug: false }).modules(letters).limits({ bodyBytes: 1000 })
      const server = await serve(app, { port: 0, signals: [] })
      const context = await browser.newContext()
      test.after(async () => {
        await context.close()
        await server.close()
      })
      const page = await context.newPage()
      await page.goto(`${server.url}/site/letter?${enctype}`)
      await page.fill('input[name=to]', 'Ada')
      await page.fill('textarea', 'x'.repeat(200_000))

      const answered = page.waitForResponse((response) => response.request().method() === 'POST')
      await page.click('button')
      assert.equal((await answered).status(), 413)
      await page.getByText('go back one page: your browser has kept what you typed').waitFor()
      await page.goBack()

      assert.equal(await page.inputValue('input[name=to]'), 'Ada')
      assert.equal((await page.inputValue('textarea')).length, 200_000)
      await page.fill('textarea', 'short')
      await page.click('button')
      await page.getByText('Sent').waitFor()
    })
})
