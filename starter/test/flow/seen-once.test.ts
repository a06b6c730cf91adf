import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { World } from '../support.ts'

/** Requests whose responses nobody reads: method and headers. */
const UNSEEN: readonly (readonly [method: string, headers: Readonly<Record<string, string>>])[] = [
  ['HEAD', {}],
  ['GET', { 'sec-purpose': 'prefetch;prerender' }],
  ['GET', { 'sec-fetch-dest': 'image' }],
]

describe('what a page tells once', () => {
  it('waits for a person who reads it [MEND-08]', async (test) => {
    const world = await World.create(test)
    const browser = await world.inside(await world.person('ada'))
    await browser.send('/account/password', { password: 'a quiet orchard in the rain' })

    for (const [method, headers] of UNSEEN)
      await browser.client.request(method, '/account/security', { headers })

    assert.match((await browser.open('/account/security')).html, /Password changed/)
    assert.doesNotMatch((await browser.open('/account/security')).html, /Password changed/)
  })
})
