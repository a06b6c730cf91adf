import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import { launchBrowser, missingBrowser } from '../../packages/sallyport-app/src/testing/browser/index.ts'
import type { Browser, Page } from 'playwright-core'
import { App, Controller, defineModule, inject } from 'sallyport'
import { DiskFileStorage, sendFile } from 'sallyport/files'
import { NotFoundException } from 'sallyport/http'
import { FileStorage } from 'sallyport/input'
import { serve } from 'sallyport/node'
import { type Actions, param } from 'sallyport/routing'
import { temporaryFolder } from './fixture.ts'

const skip = missingBrowser ?? false
const RATE = 8000
const SECONDS = 600

/** A sound file of ten minutes, 4.8 MB, which no browser loads whole before it plays. */
function sound(): Buffer {
  const data = Buffer.alloc(RATE * SECONDS, 128)
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + data.length, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(RATE, 24)
  head.writeUInt32LE(RATE, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36)
  head.writeUInt32LE(data.length, 40)
  return Buffer.concat([head, data])
}

const NAMES: Readonly<Record<string, string>> = { saved: 'Rechnung März “Größe”.pdf', page: 'seite.html' }
const SCRIPT = '<script>document.title = "ran"; parent.ran = true</script>'

class FileController extends Controller {
  static readonly actions = {
    index: [],
    show: [param.string('how'), param.string('key')],
  } satisfies Actions<FileController>

  readonly #storage = inject(FileStorage)

  index() {
    return '<!doctype html><title>Files</title>'
  }

  async show(how: string, key: string) {
    const file = await this.#storage.find(key)
    if (file === null) throw new NotFoundException()
    if (how === 'saved') return sendFile(this.context, file, { download: NAMES['saved'] ?? '' })
    return sendFile(this.context, file, { name: NAMES[how] ?? 'file' })
  }
}

interface Visited {
  readonly page: Page
  readonly url: string
  readonly answers: string[]
  readonly keep: (extension: string, content: string | Buffer) => Promise<string>
}

async function visit(test: TestContext, browser: Browser): Promise<Visited> {
  const storage = new DiskFileStorage({ directory: temporaryFolder().url })
  const site = defineModule('Site', (module) => module.controllers(FileController))
  const answers: string[] = []
  const app = App.create()
    .modules(site)
    .configure((definitions) => definitions.set(FileStorage, storage))
    .onResponse(({ context, status }) => answers.push(`${status} ${context.header('range') ?? '-'}`))
  const server = await serve(app, { port: 0, signals: [] })
  const context = await browser.newContext()
  test.after(async () => {
    await context.close()
    await server.close()
  })
  const url = `http://127.0.0.1:${server.port}/site/file`
  const page = await context.newPage()
  await page.goto(url)
  const keep = async (extension: string, content: string | Buffer): Promise<string> => {
    const draft = await storage.begin({ type: 'application/octet-stream', extension })
    await draft.write(Buffer.from(content))
    return draft.keep()
  }
  return { page, url, answers, keep }
}

describe('sendFile() in Chromium', { skip }, () => {
  let browser: Browser | undefined
  before(async () => {
    browser = await launchBrowser()
  })
  after(() => browser?.close())

  it('plays the end of a long sound without its middle [PAGE-09]', async (test) => {
    assert.ok(browser)
    const { page, url, answers, keep } = await visit(test, browser)
    const key = await keep('wav', sound())

    const seconds: unknown = await page.evaluate(`(async () => {
      const audio = new Audio(${JSON.stringify(`${url}/show/shown/${key}`)})
      audio.preload = 'metadata'
      const heard = (name) => new Promise((resolve, reject) => {
        audio.addEventListener(name, resolve, { once: true })
        audio.addEventListener('error', () => reject(new Error(audio.error.message)), { once: true })
      })
      await heard('loadedmetadata')
      audio.currentTime = audio.duration - 1
      await heard('seeked')
      return [audio.duration, audio.currentTime]
    })()`)

    assert.deepEqual(seconds, [SECONDS, SECONDS - 1])
    const parts = answers.filter((line) => line.startsWith('206 '))
    assert.ok(
      parts.some((line) => Number(/bytes=(\d+)-/.exec(line)?.[1]) > 4_000_000),
      parts.join(', '),
    )
  })

  it('saves a file under a name with umlauts and quotes', async (test) => {
    assert.ok(browser)
    const { page, url, keep } = await visit(test, browser)
    const key = await keep('pdf', '%PDF-1.4')

    const saving = page.waitForEvent('download')
    await page.evaluate(`location.assign(${JSON.stringify(`${url}/show/saved/${key}`)})`)
    const download = await saving

    assert.equal(download.suggestedFilename(), 'Rechnung März “Größe”.pdf')
  })

  it('runs no page, drawing, script or style that a user uploaded [PAGE-06]', async (test) => {
    assert.ok(browser)
    const { page, url, keep } = await visit(test, browser)
    const html = `${url}/show/page/${await keep('html', SCRIPT)}`
    const drawing = `<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`
    const svg = `${url}/show/page/${await keep('svg', drawing)}`
    const script = `${url}/show/page/${await keep('js', 'window.ran = true')}`
    const style = `${url}/show/page/${await keep('css', 'html { color: rgb(1, 2, 3) }')}`

    const saving = page.waitForEvent('download')
    await page.evaluate(`location.assign(${JSON.stringify(html)})`)
    assert.equal((await saving).suggestedFilename(), 'seite.html')
    assert.equal(await page.title(), 'Files')
    const seen: unknown = await page.evaluate(`(async () => {
      const parts = [
        Object.assign(document.createElement('script'), { src: ${JSON.stringify(script)} }),
        Object.assign(document.createElement('link'), { rel: 'stylesheet', href: ${JSON.stringify(style)} }),
      ]
      const ends = parts.map((part) => new Promise((resolve) => {
        part.onload = () => resolve('loaded')
        part.onerror = () => resolve('refused')
      }))
      document.head.append(...parts)
      for (const src of ${JSON.stringify([html, svg])})
        document.documentElement.append(Object.assign(document.createElement('iframe'), { src }))
      const ended = await Promise.all(ends)
      await new Promise((resolve) => setTimeout(resolve, 300))
      return { ended, ran: window.ran ?? false, color: getComputedStyle(document.documentElement).color }
    })()`)

    assert.deepEqual(seen, { ended: ['refused', 'refused'], ran: false, color: 'rgb(0, 0, 0)' })
  })
})
