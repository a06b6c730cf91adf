import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import { launchBrowser, missingBrowser } from '../../packages/sallyport-app/src/testing/browser/index.ts'
import type { Browser, Page } from 'playwright-core'
import { App, Controller, defineModule, type HttpContext } from 'sallyport'
import { DiskFileStorage, StaticFiles } from 'sallyport/files'
import type { Middleware, Next } from 'sallyport/http'
import { blankForm, FileStorage, type ShownForm, type Uploaded } from 'sallyport/input'
import { CsrfMiddleware } from 'sallyport/middleware'
import { serve } from 'sallyport/node'
import { type Actions, upload } from 'sallyport/routing'
import { ViewEngine } from 'sallyport/view'
import { z } from 'zod'
import { temporaryFolder, type TemporaryFolder } from './fixture.ts'

const skip = missingBrowser ?? false
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const Fields = z.object({ caption: z.string().min(3, 'Describe the picture') })

interface Data {
  readonly form: ShownForm
  readonly csrf: { readonly token: string; readonly fieldName: string }
  readonly $asset: (name: string) => string
}

/** One page: a form with a file, and a style sheet by each of its names. */
class PageEngine extends ViewEngine {
  override async render(_template: string, data: Readonly<Record<string, unknown>>): Promise<string> {
    const { form, csrf, $asset } = data as unknown as Data
    return `<!doctype html><title>Album</title>
      <link rel="stylesheet" href="${$asset('app.css')}"><link rel="stylesheet" href="/assets/plain.css">
      <form method="post" enctype="multipart/form-data">
        <input type="hidden" name="${csrf.fieldName}" value="${csrf.token}">
        <input ${form.attributes('caption').toString()}> ${form.message('caption').toString()}
        <input type="file" ${form.attributes('picture').toString()}> ${form.message('picture').toString()}
        <button>Upload</button>
      </form><a href="/album">Again</a>`
  }
}

class AlbumController extends Controller {
  static readonly actions = {
    index: [],
    indexPost: [upload(Fields, { files: { picture: { types: ['image/png'], maxBytes: 1_000_000 } } })],
  } satisfies Actions<AlbumController>

  index(): unknown {
    return this.view('page', { form: blankForm() })
  }

  async indexPost(form: Uploaded<typeof Fields>): Promise<unknown> {
    if (!form.ok) return this.view('page', { form }, { status: 422 })
    const picture = form.files.one('picture')
    return `<h1>${form.value.caption}: ${picture?.label} ${await picture?.keep()}</h1>`
  }
}

interface Visited {
  readonly page: Page
  readonly url: string
  readonly asked: string[]
  readonly storage: TemporaryFolder
}

async function visit(test: TestContext, browser: Browser): Promise<Visited> {
  const asked: string[] = []
  class Log implements Middleware {
    async process(context: HttpContext, next: Next): Promise<Response> {
      const response = await next()
      asked.push(`${context.path().replace(/[0-9a-f]{12}/, '*')} ${response.status}`)
      return response
    }
  }
  const storage = temporaryFolder()
  const folder = temporaryFolder({
    'app.css': 'body { color: rgb(1, 2, 3) }',
    'plain.css': 'h1 { margin: 0 }',
  })
  const album = defineModule('Album', (module) =>
    module
      .middleware(CsrfMiddleware)
      .controllers(AlbumController)
      .routes((routes) => {
        routes.get('/', [AlbumController, 'index'])
        routes.post('/', [AlbumController, 'indexPost'])
      }),
  )
  const app = App.create()
    .modules(album, new StaticFiles({ directory: folder.url, at: '/assets', fingerprint: true }))
    .configure((definitions) =>
      definitions
        .set(ViewEngine, new PageEngine())
        .set(FileStorage, new DiskFileStorage({ directory: storage.url })),
    )
  app.middleware().incoming(new Log())
  const server = await serve(app, { port: 0, host: '127.0.0.1' })
  const context = await browser.newContext()
  test.after(async () => {
    await context.close()
    await server.close()
  })
  return { page: await context.newPage(), url: `http://127.0.0.1:${server.port}`, asked, storage }
}

describe('files in Chromium', { skip }, () => {
  let browser: Browser | undefined
  before(async () => {
    browser = await launchBrowser()
  })
  after(() => browser?.close())

  it('asks once for a name made from content, and is told that another has not changed [PAGE-09]', async (test) => {
    assert.ok(browser)
    const { page, url, asked } = await visit(test, browser)

    await page.goto(`${url}/album`, { waitUntil: 'load' })
    const first = asked.splice(0).toSorted()
    await page.click('a')
    await page.waitForLoadState('load')
    const second = asked.splice(0).toSorted()

    assert.deepEqual(first, ['/album 200', '/assets/app.*.css 200', '/assets/plain.css 200'])
    assert.deepEqual(second, ['/album 200', '/assets/plain.css 304'])
    const color = await page.evaluate('getComputedStyle(document.body).color')
    assert.equal(color, 'rgb(1, 2, 3)')
  })

  it('uploads a file by a form, which comes again with its text when it is refused [PAGE-06]', async (test) => {
    assert.ok(browser)
    const { page, url, storage } = await visit(test, browser)
    const choose = (name: string, buffer: Buffer): Promise<void> =>
      page.setInputFiles('[type=file]', { name, mimeType: 'image/png', buffer })

    await page.goto(`${url}/album`)
    await page.fill('[name=caption]', 'Our cat')
    await choose('cat.png', Buffer.from('<script>alert(1)</script>'))
    await page.click('button')
    const message = await page.textContent('#picture-error')
    const typed = await page.inputValue('[name=caption]')
    const stored = readdirSync(storage.path)
    await page.click('button')
    const missing = await page.textContent('#picture-error')
    await choose('cat.png', PNG)
    await page.click('button')
    const heading = (await page.textContent('h1')) ?? ''

    assert.equal(message, 'Choose a file of the type PNG')
    assert.equal(typed, 'Our cat')
    assert.deepEqual(stored, [])
    assert.equal(missing, 'Choose a file')
    const [, key = ''] = /^Our cat: cat\.png (\S+)$/.exec(heading) ?? []
    assert.ok(readFileSync(join(storage.path, key)).equals(PNG))
  })
})
