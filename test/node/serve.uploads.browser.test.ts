import assert from 'node:assert/strict'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { launchBrowser, missingBrowser } from '../../packages/sallyport-app/src/testing/browser/index.ts'
import { App, Controller, defineModule, type HttpContext } from 'sallyport'
import { DiskFileStorage } from 'sallyport/files'
import {
  ForbiddenException,
  HttpException,
  type Middleware,
  type Next,
  RedirectException,
  UnauthorizedException,
} from 'sallyport/http'
import { FileStorage, type Uploaded } from 'sallyport/input'
import { CsrfMiddleware } from 'sallyport/middleware'
import { serve } from 'sallyport/node'
import { type Actions, upload } from 'sallyport/routing'
import { z } from 'zod'
import { temporaryFolder } from '../files/fixture.ts'

const skip = missingBrowser ?? false
const MIB = 1024 * 1024
const Fields = z.object({})
const files = { photo: { types: ['*/*'], maxBytes: 50 * MIB } }

/** Refuses before anything of the body is read. */
function refusing(refusal: () => Error): new () => Middleware {
  return class implements Middleware {
    process(): Promise<Response> {
      throw refusal()
    }
  }
}

/** Refuses when the fields before the first file were read. */
class ReadsThenRefuses implements Middleware {
  async process(context: HttpContext, _next: Next): Promise<Response> {
    await context.form()
    throw new ForbiddenException()
  }
}

const REFUSALS = {
  redirect: [refusing(() => new RedirectException('/', 303)), 200],
  anonymous: [refusing(() => new UnauthorizedException('Bearer')), 401],
  forbidden: [refusing(() => new ForbiddenException()), 403],
  hidden: [refusing(() => new HttpException(404, 'ERR_HTTP_NOT_FOUND', 'Nothing here')), 404],
  forged: [CsrfMiddleware, 403],
  read: [ReadsThenRefuses, 403],
} as const

class PhotoController extends Controller {
  static readonly actions = {
    home: [],
    photoPost: [upload(Fields, { files })],
  } satisfies Actions<PhotoController>

  home(): string {
    const form = (name: string): string =>
      `<form method="post" id="${name}" action="/${name}" enctype="multipart/form-data">` +
      '<input type="hidden" name="_csrf" value="x"><input type="file" name="photo"><button>Send</button></form>'
    return `<!doctype html><h1>Photos</h1>${[...Object.keys(REFUSALS), 'home'].map(form).join('')}`
  }

  photoPost({ ok }: Uploaded<typeof Fields>): string {
    return `${ok}`
  }
}

describe('a large upload that is refused early, in Chromium', () => {
  it(
    'shows the answer: a redirect, and refusals of guards, CSRF and routing [PAGE-06]',
    { skip },
    async (t) => {
      const site = defineModule('Site', (module) =>
        module.mount('/').routes((routes) => {
          routes.get('/', [PhotoController, 'home'])
          routes.get('/home', [PhotoController, 'home'])
          for (const [name, [middleware]] of Object.entries(REFUSALS))
            routes.post(`/${name}`, [PhotoController, 'photoPost']).middleware(middleware)
        }),
      )
      const storage = new DiskFileStorage({ directory: temporaryFolder().url })
      const app = App.create()
        .modules(site)
        .configure((definitions) => definitions.set(FileStorage, storage))
      const server = await serve(app, { port: 0, signals: [], drainMilliseconds: 500 })
      const file = join(mkdtempSync(join(tmpdir(), 'sallyport-photo-')), 'photo.bin')
      writeFileSync(file, Buffer.alloc(35 * MIB))
      const browser = await launchBrowser()
      t.after(async () => {
        await browser.close()
        await server.close()
      })
      const page = await browser.newPage()
      const outcomes: Record<string, number | undefined> = {}

      for (const name of [...Object.keys(REFUSALS), 'home']) {
        await page.goto(`${server.url}/`)
        await page.setInputFiles(`#${name} input[type=file]`, file)
        const [response] = await Promise.all([page.waitForNavigation(), page.click(`#${name} button`)])
        outcomes[name] = response?.status()
      }

      const expected = Object.entries(REFUSALS).map(([name, [, status]]) => [name, status])
      assert.deepEqual(outcomes, { ...Object.fromEntries(expected), home: 413 })
    },
  )
})
