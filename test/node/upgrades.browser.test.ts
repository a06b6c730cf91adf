import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it } from 'node:test'
import { launchBrowser, missingBrowser } from '../../packages/sallyport-app/src/testing/browser/index.ts'
import { type HttpContext } from 'sallyport'
import { UnauthorizedException } from 'sallyport/http'
import { serve } from 'sallyport/node'
import { WebSocketServer } from 'ws'

import { site } from '../app/fixture.ts'

const skip = missingBrowser ?? false

/** Opens a WebSocket in a page: what it is told first, or that it was not opened. */
function openInPage(url: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url)
    socket.addEventListener('message', ({ data }) => resolve(String(data)))
    socket.addEventListener('error', () => resolve('not opened'))
  })
}

const PAGE = (): Response =>
  new Response('<!doctype html><title>Page</title>', { headers: { 'content-type': 'text/html' } })

async function listenOnLoopback(server: HttpServer): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

describe('Server.onUpgrade() in Chromium', () => {
  it(
    'opens a WebSocket with the session of the page, and none for a page of another port [PAGE-18]',
    { skip },
    async (t) => {
      const app = site({
        'GET /': PAGE,
        'POST /sign-in': async (context) => {
          await context.session().set('name', 'Ada')
        },
        'GET /socket': async (context: HttpContext) => {
          const name = await context.session().get<string>('name')
          if (name === undefined) throw new UnauthorizedException('Session')
          context.auth().authenticate({ name })
        },
      })
      const server = await serve(app, { port: 0, signals: [], drainMilliseconds: 1000 })
      // A page without any policy of its own.
      const other = createServer((_message, outgoing) =>
        outgoing.setHeader('content-type', 'text/html').end('evil'),
      )
      const foreignPort = await listenOnLoopback(other)
      t.after(() => {
        other.close()
        return server.close()
      })
      const sockets = new WebSocketServer({ noServer: true })
      const cookies: boolean[] = []
      server.node.on('upgrade', ({ headers }) => cookies.push(headers.cookie !== undefined))
      server.onUpgrade(({ context, message, socket, head }) => {
        const name: unknown = Reflect.get(context.auth().principal(), 'name')
        sockets.handleUpgrade(message, socket, head, (client) => client.send(`Hello ${String(name)}`))
      })
      const browser = await launchBrowser()
      t.after(() => browser.close())
      const tabs = await browser.newContext()
      const page = await tabs.newPage()
      const url = `${server.url.replace('http', 'ws')}/socket`

      await page.goto(server.url)
      assert.equal(await page.evaluate(openInPage, url), 'not opened')
      await page.evaluate(() => fetch('/sign-in', { method: 'POST' }).then(({ status }) => status))
      assert.equal(await page.evaluate(openInPage, url), 'Hello Ada')
      // A cookie knows no ports, so the browser sends it from there too.
      const foreign = await tabs.newPage()
      await foreign.goto(`http://127.0.0.1:${foreignPort}/`)
      assert.equal(await foreign.evaluate(openInPage, url), 'not opened')

      assert.deepEqual(cookies, [false, true, true])
    },
  )
})
