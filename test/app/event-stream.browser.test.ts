import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { launchBrowser, missingBrowser } from '../../packages/sallyport-app/src/testing/browser/index.ts'
import type { Page } from 'playwright-core'

import { type App, eventStream } from 'sallyport'
import { serve } from 'sallyport/node'

import { freePort } from '../services/loopback.ts'
import { within } from '../node/raw.ts'
import { site } from './fixture.ts'

const skip = missingBrowser ?? false

/** A page that keeps what its source hears in `window.heard`. */
const PAGE = `<!doctype html><title>Events</title><script>
  window.heard = []
  window.source = new EventSource('/events')
  source.onopen = () => heard.push('open')
  source.onmessage = ({ data, lastEventId }) => heard.push(lastEventId + ' ' + data)
  source.addEventListener('end', () => source.close())
</script>`

/** Counts on from the last event that a client has received, a number at a time. */
function counting(asked: (string | null)[], last: number): App {
  return site({
    'GET /': () =>
      new Response(PAGE, {
        headers: {
          'content-type': 'text/html',
          'content-security-policy': "script-src 'unsafe-inline' 'unsafe-eval'",
        },
      }),
    'GET /events': (context) =>
      eventStream(
        context,
        async function* (lastEventId) {
          asked.push(lastEventId)
          for (let i = Number(lastEventId ?? 0) + 1; i <= last; i++) {
            yield { id: i, data: `count\n${i}` }
            await pause(1)
          }
          if (last === 6) yield { event: 'end', data: '' }
          // Stays open.
          await pause(1_000_000, undefined, { signal: context.signal })
        },
        { retryMilliseconds: 50 },
      ),
  })
}

async function pageOf(t: TestContext): Promise<Page> {
  const browser = await launchBrowser()
  t.after(() => browser.close())
  return browser.newPage()
}

describe('EventSource in Chromium', () => {
  it(
    'PAGE-12 PAGE-13: hears each event once, although the server restarts in between',
    { skip },
    async (t) => {
      const port = await freePort()
      const asked: (string | null)[] = []
      const page = await pageOf(t)
      const before = await serve(counting(asked, 3), { port, signals: [], drainMilliseconds: 20_000 })
      await page.goto(before.url)
      await page.waitForFunction('heard.length === 4')

      await within(10_000, before.close())
      const after = await serve(counting(asked, 6), { port, signals: [] })
      t.after(() => after.close())

      await page.waitForFunction('source.readyState === 2')
      assert.deepEqual(await page.evaluate('heard'), [
        'open',
        '1 count\n1',
        '2 count\n2',
        '3 count\n3',
        'open',
        '4 count\n4',
        '5 count\n5',
        '6 count\n6',
      ])
      assert.deepEqual(asked, [null, '3'])
    },
  )
})
