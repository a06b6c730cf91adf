import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { World } from '../support.ts'

/** Requests whose responses nobody reads. */
const UNSEEN: readonly {
  readonly name: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
}[] = [
  { name: 'HEAD', method: 'HEAD' },
  { name: 'a prefetch', headers: { 'sec-purpose': 'prefetch' } },
  { name: 'a prerendered page', headers: { 'sec-purpose': 'prefetch;prerender' } },
  { name: 'an image', headers: { 'sec-fetch-dest': 'image' } },
]

describe('what a page tells once', () => {
  for (const { name, method = 'GET', headers = {} } of UNSEEN)
    it(`waits for a person, after ${name} [MEND-08]`, async (test) => {
      const world = await World.create(test)
      const browser = world.browser()
      await browser.signIn(await world.person('ada'))
      await browser.open('/account/password')
      await browser.submit('/account/password', { password: 'a quiet orchard in the rain' })

      await browser.client.request(method, '/account/security', { headers })

      assert.match((await browser.open('/account/security')).html, /Password changed/)
      assert.doesNotMatch((await browser.open('/account/security')).html, /Password changed/)
    })
})
