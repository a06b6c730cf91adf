import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { type Browser, World } from '../support.ts'

const MODULES = join(import.meta.dirname, '../../core')
// Where the page that shows the message is not known: the one that the redirect leads to may lead on, or the login decides.
const UNBOUND: ReadonlySet<string> = new Set([
  'sign-in/recovery-controller.ts',
  'reset/reset-controller.ts',
  'sessions/resolve-identity.ts',
])

const CHANGE = '/account/password'
const CHANGED = '/account/security'

async function changePassword(browser: Browser): Promise<void> {
  await browser.open(CHANGE)
  const password = 'a quiet orchard in the rain'
  assert.equal((await browser.submit(CHANGE, { password })).location, CHANGED)
}

async function cancel(browser: Browser): Promise<void> {
  await browser.open('/login/2fa')
  assert.equal((await browser.submit('/login/2fa/cancel')).location, '/login')
}

async function expire(browser: Browser, world: World): Promise<void> {
  world.clock.advance(300)
  assert.equal((await browser.open('/login/2fa')).location, '/login')
}

const TOLD = /<div class="message[^"]*" role="status">/

describe('a message whose redirect is not followed', () => {
  for (const path of ['/', '/account', '/account/sessions'])
    it(`is not told on ${path}, nor later [RA-2801]`, async (test) => {
      const world = await World.create(test)
      const [browser, other] = [world.browser(), world.browser()]
      await browser.signIn(await world.person('ada'))
      await other.signIn(await world.person('bob'))
      for (const each of [browser, other]) await changePassword(each)
      assert.match((await other.open(CHANGED)).html, TOLD)

      assert.doesNotMatch((await browser.open(path)).html, TOLD)

      assert.doesNotMatch((await browser.open(CHANGED)).html, TOLD)
    })

  it('is not told on the page of the sign-up after a sign-in was cancelled, or has expired [RA-2801]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    for (const leave of [cancel, expire]) {
      const browser = world.browser()
      await browser.password(ada)
      await leave(browser, world)

      assert.doesNotMatch((await browser.open('/sign-up')).html, TOLD)

      assert.doesNotMatch((await browser.open('/login')).html, TOLD)
    }
  })
})

describe('the controllers of the starter', () => {
  it('bind each message to the page of its redirect, where that page is known [RA-2801]', () => {
    const files = readdirSync(MODULES, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    )

    const adding = files.filter((file) => readFileSync(join(MODULES, file), 'utf8').includes('.flash().add('))

    assert.deepEqual(
      new Set(adding),
      new Set([...UNBOUND, 'pages/page-controller.ts', 'site/page-errors.ts']),
    )
  })
})
