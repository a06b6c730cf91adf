import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SessionPolicy } from 'sallyport/session'
import { type Browser, type Person, World } from '../support.ts'

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

interface Scene {
  readonly world: World
  readonly ada: Person
  readonly browser: Browser
}

/** What a page tells once: what makes it do so, the page and what it says. */
const TOLD: readonly {
  readonly what: string
  readonly path: string
  readonly says: RegExp
  readonly begin: (scene: Scene) => Promise<unknown>
}[] = [
  {
    what: 'that the session has ended',
    path: '/login',
    says: /without activity/,
    begin: async ({ world, browser }) => {
      await browser.open('/account')
      world.clock.advance(world.app.get(SessionPolicy).idleMilliseconds / 1000 + 120)
    },
  },
  {
    what: 'what was done',
    path: '/account/security',
    says: /Password changed/,
    begin: async ({ browser }) => {
      await browser.open('/account/password')
      await browser.submit('/account/password', { password: 'a quiet orchard in the rain' })
    },
  },
]

describe('what a page tells once', () => {
  for (const { what, path, says, begin } of TOLD)
    for (const { name, method = 'GET', headers = {} } of UNSEEN)
      it(`waits for a person: ${what}, after ${name} [MEND-08]`, async (test) => {
        const world = await World.create(test)
        const ada = await world.person('ada')
        const browser = world.browser()
        await browser.signIn(ada)
        await begin({ world, ada, browser })

        await browser.client.request(method, path, { headers })

        assert.match((await browser.open(path)).html, says)
        assert.doesNotMatch((await browser.open(path)).html, says)
      })
})
