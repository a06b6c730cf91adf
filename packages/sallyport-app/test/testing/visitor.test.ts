import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it } from 'node:test'
import { Visitor } from '../../src/testing/index.ts'

describe('Visitor', () => {
  it('keeps cookies until they are taken away, sends the token of its last page, and follows nothing', async (test) => {
    const seen: string[] = []
    const server = createServer((request, response) => {
      request.on('data', (body: Buffer) => seen.push(String(body)))
      request.on('end', () => {
        seen.push(`${request.url} ${request.headers.cookie}`)
        const value = request.url === '/out' ? '' : 'x=1'
        response.writeHead(request.method === 'POST' ? 303 : 200, {
          'set-cookie': `sid=${value}; Path=/`,
          location: '/next',
        })
        response.end('<input type="hidden" name="_csrf" value="secret">')
      })
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    test.after(() => server.close())
    const visitor = new Visitor(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)

    await visitor.open('/in')
    const { status, location } = await visitor.submit('/form', { name: 'Ada' })
    const twin = new Visitor(visitor.url, { before: visitor })
    await visitor.open('/out')

    assert.deepEqual([status, location], [303, '/next'])
    assert.deepEqual(seen, ['/in ', '_csrf=secret&name=Ada', '/form sid=x=1', '/out sid=x=1'])
    assert.deepEqual([visitor.cookies.size, twin.cookies.get('sid')], [0, 'x=1'])
  })
})
