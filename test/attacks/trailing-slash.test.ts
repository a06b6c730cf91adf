import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { serve } from 'sallyport/node'
import { exchange, parseAnswer } from './fixture/raw.ts'
import { PROFILES, World } from './fixture/world.ts'

describe('abuse of trailing slashes', () => {
  it('one redirect keeps the query byte for byte [A-020]', async (test) => {
    const world = await World.create(test, { profile: 'REMOVE' })
    await world.everywhere({ target: '/login/?a=%2F%2f&b&c=%20+' }, async ({ status, headers }, message) => {
      assert.equal(status, 308, message)
      assert.equal(headers.get('location'), '/login?a=%2F%2f&b&c=%20+', message)
      assert.equal((await world.fetch({ target: headers.get('location') ?? '' })).status, 200)
    })
  })

  for (const [id, profile, targets] of [
    [
      'A-021',
      'REMOVE',
      ['//evil.test/', '//evil.test/%2e%2e/', '/%2f/evil.test/', '/%2fevil.test/', '/%5cevil.test/'],
    ],
    ['A-022', 'ADD', ['//evil.test', '///evil.test', '//evil.test%2f..', '/%2fevil.test', '/%5cevil.test']],
  ] as const) {
    it(`correcting a slash in ${profile} never leaves this origin [${id}]`, async (test) => {
      const world = await World.create(test, { profile })
      for (const target of targets) {
        await world.everywhere({ target }, ({ status, headers }, message) => {
          if (status !== 308) assert.ok(status === 400 || status === 404, message)
          assert.doesNotMatch(headers.get('location') ?? '/', /^\/[/\\]|evil/, message)
        })
      }
    })
  }

  it('the start page answers, and its locale prefix redirects to it directly [A-023]', async (test) => {
    for (const profile of PROFILES) {
      const world = await World.create(test, { profile, modules: [] })
      assert.equal((await world.fetch({ target: '/' })).status, 200)
      for (const target of ['/fr', '/fr/', '/FR/', '/en/']) {
        const { status, headers } = await world.fetch({ target })
        if (profile === 'PRESERVE') assert.equal(status, 404, target)
        else assert.deepEqual([status, headers.get('location')], [308, '/'], `${profile} ${target}`)
      }
    }
  })

  it('a redirect never repeats the host of the request [A-024]', async (test) => {
    const world = await World.create(test, { profile: 'REMOVE' })
    // Without an origin every host is answered.
    const { port, close } = await serve(world.fixture.app, { port: 0, signals: [] })
    test.after(close)
    for (const lines of ['Host: evil.test', 'Host: app.test\r\nX-Forwarded-Host: evil.test']) {
      const bytes = await exchange(port, `GET /login/ HTTP/1.1\r\n${lines}\r\nConnection: close\r\n\r\n`)
      const answer = world.heard({ target: '/login/' }, parseAnswer(bytes))
      assert.equal(answer.headers.get('location'), '/login')
      assert.ok(!bytes.includes('evil.test'))
    }
  })
})
