import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ofParts } from '../facts-of-parts.ts'
import { type Browser, type Page, World } from '../support.ts'
import { everywhere, routesOf, type Values } from './routes.ts'

/** The messages at the top of a page. */
function messagesOf(page: Page): readonly string[] {
  return [...page.html.matchAll(/<div class="message[^"]*" role="status"><p>([^<]*)<\/p>/g)].map(
    ([, text = '']) => text,
  )
}

interface Visitor {
  readonly browser: Browser
  readonly values?: Values
  /** Pages that show what was left: one of them opens in any case. */
  readonly shows: readonly string[]
}

const VISITORS: Readonly<Record<string, (world: World) => Promise<Visitor>>> = {
  async 'who has begun nothing'(world) {
    return { browser: world.browser(), shows: ['/login'] }
  },
  async 'who is signed in'(world) {
    const { inside, values } = await everywhere(world)
    return { browser: inside, values, shows: ['/account/security', '/login'] }
  },
}

describe('the messages of a page', () => {
  for (const [who, enter] of Object.entries(VISITORS))
    it(`are different ones, whatever is done three times: ${who} [RA-2801]`, async (test) => {
      let world = await World.create(test, ofParts('settings'))
      let at = await enter(world)
      const { length } = await routesOf(world)
      const shown = new Set<string>()
      for (let index = 0; index < length; index++) {
        const { browser, values = {}, shows } = at
        const route = (await routesOf(world, values))[index]
        assert.ok(route !== undefined)
        const { method, path } = route

        await browser.open(shows[0] ?? '')
        for (let time = 1; time <= 3; time++)
          if (method === 'POST') await browser.submit(path, { language: 'en' })
          else await browser.client.get(path)
        const pages: Page[] = []
        for (const page of shows) pages.push(await browser.open(page))

        for (const page of pages) {
          const messages = messagesOf(page)
          assert.deepEqual(messages, [...new Set(messages)], `${method} ${path}`)
          for (const text of messages) shown.add(text)
        }
        if (pages[0]?.status === 200) continue
        world = await World.create(test, ofParts('settings'))
        at = await enter(world)
      }

      assert.ok(shown.size >= 3, [...shown].join('\n'))
    })

  it('tell of no expired sign-in to who never began one [RA-2801]', async (test) => {
    const world = await World.create(test, ofParts('settings'))
    const ofDoors = Object.values(ofParts('doors')).map(({ page }) => page)
    for (const path of ['/login/2fa', '/login/2fa/recovery', ...ofDoors]) {
      const browser = world.browser()
      await browser.open('/login')
      assert.equal((await browser.open(path)).location, '/login', path)

      assert.deepEqual(messagesOf(await browser.open('/login')), [], path)
    }
  })
})
