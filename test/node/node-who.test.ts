import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it } from 'node:test'
import { text } from 'node:stream/consumers'

import { App, type HttpContext } from 'sallyport'
import type { Middleware, Next } from 'sallyport/http'
import { type NodeWhoOptions, toNodeWho } from 'sallyport/node'

/** Who a request seems to be from: where it comes from, and the name of the cookie that is read. */
class ResolveOrigin implements Middleware<HttpContext> {
  process(context: HttpContext, next: Next): Response | Promise<Response> {
    context.auth().authenticate({ address: context.clientAddress(), origin: context.origin() })
    return next()
  }
}

describe('toNodeWho()', () => {
  it('knows the client behind a trusted proxy, and leaves the body to the host [HOST-02 HOST-03]', async (t) => {
    const who = toNodeWho(App.default(), {
      through: [ResolveOrigin],
      trustedProxies: { addresses: ['127.0.0.1'] },
    })
    const server = createServer(async (request, response) => {
      const { auth } = await who(request)
      response.end(JSON.stringify([auth.principal(), await text(request)]))
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    t.after(() => server.close())
    const headers = {
      'x-forwarded-for': '198.51.100.7',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'shop.test',
    }

    const { port } = server.address() as AddressInfo
    const response = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: 'order=1', headers })

    const client = { address: '198.51.100.7', origin: 'https://shop.test' }
    assert.deepEqual(await response.json(), [client, 'order=1'])
  })

  it('refuses what it cannot use', () => {
    const through = [ResolveOrigin]
    const faults: readonly NodeWhoOptions[] = [
      { through: [] },
      { through, hosts: ['a.test'] } as NodeWhoOptions,
      { through, origin: 'shop' },
      { through, trustedProxies: { addresses: ['everywhere'] } },
    ]

    for (const fault of faults) assert.throws(() => toNodeWho(App.default(), fault), TypeError)
  })
})
