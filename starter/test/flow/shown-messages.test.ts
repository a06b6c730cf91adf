import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { ofParts } from '../facts-of-parts.ts'
import { CHOICE } from '../languages.ts'
import { type Browser, type Page, World } from '../support.ts'
import { everywhere, routesOf } from './routes.ts'

const CORE = join(import.meta.dirname, '../../core')
// Where the page that shows the message is not known: the one that the redirect leads to may lead on, or the login decides.
const UNBOUND = [
  'sign-in/recovery-controller.ts',
  'reset/reset-controller.ts',
  'sessions/resolve-identity.ts',
]

const [CHANGE, CHANGED] = ['/account/password', '/account/security']

/** The messages at the top of a page. */
function messagesOf({ html }: Page): readonly string[] {
  return [...html.matchAll(/<div class="message[^"]*" role="status"><p>([^<]*)<\/p>/g)].map(
    ([, text = '']) => text,
  )
}

describe('the messages of a page', () => {
  it('are different ones, whatever is done three times [RA-2801]', async (test) => {
    let world = await World.create(test, ofParts('settings'))
    let at = await everywhere(world)
    const { length } = await routesOf(world)
    const shown = new Set<string>()
    for (let index = 0; index < length; index++) {
      const { inside, values } = at
      const route = (await routesOf(world, values))[index]
      assert.ok(route !== undefined)
      const { method, path } = route

      await inside.open(CHANGED)
      for (let time = 1; time <= 3; time++)
        if (method === 'POST') await inside.submit(path, { language: 'en' })
        else await inside.client.get(path)
      const pages = [await inside.open(CHANGED), await inside.open('/login')]

      for (const messages of pages.map(messagesOf)) {
        assert.deepEqual(messages, [...new Set(messages)], `${method} ${path}`)
        for (const text of messages) shown.add(text)
      }
      if (pages[0]?.status === 200) continue
      world = await World.create(test, ofParts('settings'))
      at = await everywhere(world)
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

describe('a message whose redirect is not followed', () => {
  for (const path of ['/', '/account', ...CHOICE])
    it(`is not told on ${path}, nor later [RA-2801]`, async (test) => {
      const world = await World.create(test)
      const browser = world.browser()
      await browser.signIn(await world.person('ada'))
      await browser.open(CHANGE)
      const { location } = await browser.submit(CHANGE, { password: 'a quiet orchard in the rain' })
      assert.equal(location, CHANGED)

      for (const page of [path, CHANGED]) assert.deepEqual(messagesOf(await browser.open(page)), [])
    })

  it('is not told on the page of the sign-up after a sign-in was cancelled, or has expired [RA-2801]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const ways: readonly ((browser: Browser) => Promise<Page>)[] = [
      (browser) => browser.submit('/login/2fa/cancel'),
      (browser) => {
        world.clock.advance(300)
        return browser.open('/login/2fa')
      },
    ]
    for (const leave of ways) {
      const browser = world.browser()
      await browser.password(ada)
      await browser.open('/login/2fa')
      assert.equal((await leave(browser)).location, '/login')

      for (const page of ['/sign-up', '/login']) assert.deepEqual(messagesOf(await browser.open(page)), [])
    }
  })
})

describe('the controllers of the starter', () => {
  it('bind each message to the page of its redirect, where that page is known [RA-2801]', () => {
    const files = readdirSync(CORE, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    )

    const adding = files.filter((file) => readFileSync(join(CORE, file), 'utf8').includes('.flash().add('))

    assert.deepEqual(
      new Set(adding),
      new Set([...UNBOUND, 'pages/page-controller.ts', 'site/page-errors.ts']),
    )
  })
})
