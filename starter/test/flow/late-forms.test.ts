import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ofParts } from '../facts-of-parts.ts'
import { PASSWORD, World } from '../support.ts'
import { SIGNS_NOBODY_IN, WAYS_IN } from '../ways-in.ts'
import { atDoor, DOOR, ownerOf, RECOVERY } from './steps.ts'

const HALF_AN_HOUR = 30 * 60

// The pages of the second door, and the forms on them.
const PAGES = [RECOVERY, DOOR, ...Object.values(ofParts('doors')).map(({ page }) => page)]
const ROUTES = [...Object.values(WAYS_IN).map(({ route }) => route), ...Object.keys(SIGNS_NOBODY_IN)]
const FORMS = ROUTES.flatMap((route) =>
  PAGES.filter((page) => route.startsWith(`POST ${page}`))
    .slice(0, 1)
    .map((page) => [route.slice(5), page] as const),
)

describe('a login form that is late', () => {
  it('after 30 minutes it is shown again, with the address and the target [RA-2801]', async (test) => {
    const world = await World.create(test)
    const bob = await world.person('bob')
    const browser = world.browser()
    await browser.open('/account/security', { follow: true })
    await browser.open('/login')
    world.clock.advance(HALF_AN_HOUR)

    const fields = { email: bob.email, password: PASSWORD, return_url: '/account/security' }
    const late = await browser.submit('/login', fields)

    assert.equal(late.status, 403)
    assert.match(late.html, /This page expired/)
    assert.match(late.html, /name="email"[^>]* value="bob@example.test"/)
    assert.equal(late.html.includes(PASSWORD), false)
    assert.deepEqual(await world.events(bob), [], 'nothing was checked')
    const again = await browser.submit('/login', fields)
    assert.deepEqual([again.status, again.location], [303, '/account/security'])
  })

  it('without a cookie it says that one is needed; of another site it is shown no address [RA-2801]', async (test) => {
    const browser = (await World.create(test)).browser()
    const fields = { email: 'eve@evil.test', password: 'x' }

    const without = await browser.submit('/login', fields)

    assert.equal(without.status, 403)
    assert.match(without.html, /blocks cookies[^]*value="eve@evil.test"/)
    await browser.open('/login')
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.test' }]) {
      const page = await browser.submit('/login', fields, { headers })
      assert.equal(page.status, 403)
      assert.equal(page.html.includes(fields.email), false)
    }
  })
})

describe('a challenge form that is late', () => {
  for (const [path, page] of FORMS)
    it(`leads back to its page while a sign-in waits, and to the password when that is over, and uses no code: ${path} [RA-2801 RA-0303]`, async (test) => {
      const { world, person: ada } = await ownerOf(test, ofParts('settings'))
      const browser = await atDoor(world, ada, page)
      const before = await world.events(ada)

      const late = await browser.submit(path, { _csrf: 'x', code: await world.code(ada) })

      assert.equal(late.status, 403)
      assert.match(late.html, new RegExp(`<a class="button" href="${page}">Open the page again</a>`))
      assert.deepEqual(await world.events(ada), before)
      assert.match((await browser.open(page)).html, /action="\/login\/2fa\/cancel"/)
      world.clock.advance(HALF_AN_HOUR)
      const over = await browser.submit(path, { code: await world.code(ada) })
      assert.deepEqual([over.status, over.location], [303, '/login'])
      assert.match(
        (await browser.open('/login')).html,
        /This sign-in is over. Start again with your password/,
      )
      const { email } = ada
      assert.equal((await browser.submit('/login', { email, password: PASSWORD })).location, DOOR)
    })
})
