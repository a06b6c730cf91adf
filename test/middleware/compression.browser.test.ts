import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { launchBrowser, missingBrowser } from '../../packages/sallyport-app/src/testing/browser/index.ts'

import { Compression } from 'sallyport/middleware'
import { serve } from 'sallyport/node'

import { site } from '../app/fixture.ts'

const skip = missingBrowser ?? false
const TEXT = 'Once upon a time, é✓. '.repeat(10_000)

describe('Compression in Chromium', () => {
  for (const codings of [['zstd'], ['br'], ['gzip'], ['zstd', 'br', 'gzip']] as const) {
    it(`a page reads what was sent with ${codings.join(', ')} [PAGE-11]`, { skip }, async (t) => {
      const app = site({
        'GET /': () => '<!doctype html><title>Story</title>'.padEnd(5000),
        'GET /text': () => new Response(TEXT, { headers: { 'content-type': 'text/plain' } }),
        'GET /stream': () => {
          const pieces = Array.from({ length: 10 }, () => Buffer.from(TEXT))
          return new Response(ReadableStream.from(pieces), { headers: { 'content-type': 'text/plain' } })
        },
      })
      app.middleware().outgoing(new Compression({ codings }))
      const server = await serve(app, { port: 0, signals: [] })
      t.after(() => server.close())
      const browser = await launchBrowser()
      t.after(() => browser.close())
      const page = await browser.newPage()

      const document = await page.goto(server.url)
      const seen = await page.evaluate(
        (paths) =>
          Promise.all(
            paths.map(async (path) => {
              const response = await fetch(path)
              return { text: await response.text(), coding: response.headers.get('content-encoding') }
            }),
          ),
        ['/text', '/stream'],
      )

      assert.equal(document?.headers()['content-encoding'], codings[0])
      assert.equal(await page.title(), 'Story')
      assert.deepEqual(
        seen.map(({ coding }) => coding),
        [codings[0], codings[0]],
      )
      assert.ok(seen[0]?.text === TEXT)
      assert.ok(seen[1]?.text === TEXT.repeat(10))
    })
  }
})
