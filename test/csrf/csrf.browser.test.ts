import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { launchBrowser, missingBrowser } from '../../packages/sallyport-app/src/testing/browser/index.ts'
import type { Browser } from 'playwright-core'
import { App, Controller, defineModule } from 'sallyport'
import { Csrf } from 'sallyport/csrf'
import { CsrfMiddleware } from 'sallyport/middleware'
import { serve } from 'sallyport/node'

const skip = missingBrowser ?? false

class LetterController extends Controller {
  static readonly actions = { index: [], indexPost: [] }

  async index(): Promise<string> {
    const token = await this.context.csrf().token()
    return `<!doctype html><title>Letter</title><form method="post">
      <input type="hidden" name="${Csrf.fieldName}" value="${token}"><textarea name="text"></textarea><button>Send</button>
    </form>`
  }

  async indexPost(): Promise<string> {
    return `<!doctype html><title>Sent</title>${(await this.context.form())?.text('text') ?? ''}`
  }
}

const module = defineModule('Letters', (builder) =>
  builder.mount('/').middleware(CsrfMiddleware).controllers(LetterController),
)

describe('a form whose session has ended, in a browser', { skip }, () => {
  for (const keepsPages of [false, true]) {
    describe(keepsPages ? 'that keeps pages alive' : 'that loads pages anew', () => {
      let browser: Browser
      before(async () => {
        browser = await launchBrowser({ keepsPages })
      })
      after(() => browser.close())

      it('is refused, and sent after going back, with what was typed [CSRF-03 PAGE-01]', async (test) => {
        const server = await serve(App.create().modules(module), { port: 0, signals: [] })
        test.after(() => server.close())
        const context = await browser.newContext()
        test.after(() => context.close())
        const page = await context.newPage()
        const send = async (): Promise<number | undefined> => {
          const answer = page.waitForResponse((response) => response.request().method() === 'POST')
          await page.locator('button').click()
          return (await answer).status()
        }
        await page.goto(`${server.url}/letter`)
        await page.locator('textarea').fill('an hour of work')
        await context.clearCookies()

        assert.equal(await send(), 403)
        assert.match(
          await page.locator('body').innerText(),
          /Go back, check what you entered, and send it again/,
        )

        await page.goBack()
        assert.equal(await page.locator('textarea').inputValue(), 'an hour of work')
        assert.equal(await send(), 200)
        assert.match(await page.locator('body').innerText(), /an hour of work/)
      })
    })
  }
})
