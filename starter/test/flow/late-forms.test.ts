import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ofParts } from '../facts-of-parts.ts'
import { PASSWORD, World } from '../support.ts'
import { reports } from './reports.ts'
import { atDoor, ownerOf } from './steps.ts'

const HALF_AN_HOUR = 30 * 60

// The forms on the pages that parts have at the second door, and these pages.
const ROUTES = [
  ...Object.values(ofParts('waysIn')).map(({ route }) => route),
  ...Object.keys(ofParts('beside')),
]
const FORMS_OF_PARTS = Object.values(ofParts('doors')).flatMap(({ page }) =>
  ROUTES.filter((route) => route.startsWith(`POST ${page}`)).map(
    (route) => [route.replace('POST ', ''), page] as const,
  ),
)

// What a part sends to somebody who proved the password.
const BESIDE = [...new Set(FORMS_OF_PARTS.map(([path]) => path))]

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

  it('without a cookie it says that one is needed [RA-2801]', async (test) => {
    const world = await World.create(test)

    const late = await world.browser().submit('/login', { email: 'a@example.test', password: 'x' })

    assert.equal(late.status, 403)
    assert.match(late.html, /blocks cookies/)
    assert.match(late.html, /value="a@example.test"/)
  })

  it('of another site is shown no address [RA-2801]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()
    await browser.open('/login')

    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.test' }]) {
      const page = await browser.submit('/login', { email: 'eve@evil.test', password: 'x' }, { headers })
      assert.equal(page.status, 403)
      assert.equal(page.html.includes('eve@evil.test'), false)
    }
  })
})

describe('a challenge form that is late', () => {
  for (const path of ['/login/2fa', '/login/2fa/recovery', '/login/2fa/cancel', ...BESIDE]) {
    it(`${path} restarts at the password with its sentence when the session has ended [RA-2801]`, async (test) => {
      const { world, person: ada } = await ownerOf(test, ofParts('settings'))
      const browser = await atDoor(world, ada)
      world.clock.advance(HALF_AN_HOUR)

      const late = await browser.submit(path, { code: await world.code(ada) })

      assert.deepEqual([late.status, late.location], [303, '/login'])
      const login = await browser.open('/login')
      assert.match(login.html, /This sign-in is over. Start again with your password/)
      assert.equal(
        (await browser.submit('/login', { email: ada.email, password: PASSWORD })).location,
        '/login/2fa',
      )
    })
  }

  for (const [path, page] of [
    ['/login/2fa', '/login/2fa'],
    ['/login/2fa/cancel', '/login/2fa'],
    ['/login/2fa/recovery', '/login/2fa/recovery'],
    ...FORMS_OF_PARTS,
  ] as const)
    it(`${path} leads back to its page while a sign-in waits, and changes nothing [RA-2801]`, async (test) => {
      const { world, person: ada } = await ownerOf(test, ofParts('settings'))
      const browser = await atDoor(world, ada, page)
      const before = await world.events(ada)

      const late = await browser.submit(path, { _csrf: 'x', code: await world.code(ada) })

      assert.equal(late.status, 403)
      assert.match(late.html, new RegExp(`<a class="button" href="${page}">Open the page again</a>`))
      assert.doesNotMatch(late.html, /Start again with your password/)
      assert.deepEqual(await world.events(ada), before)
      assert.equal((await browser.open(page)).status, 200)
    })
})

describe('signing out', () => {
  it('without a live session says that nobody is signed in [RA-2802 RA-2301]', async (test) => {
    const { world, person: ada } = await ownerOf(test, { factor: 'none' })
    const ended = await world.inside(ada)
    await ended.open('/account')
    world.clock.advance(HALF_AN_HOUR)

    for (const browser of [ended, world.browser()]) {
      const page = await browser.submit('/logout')
      assert.deepEqual([page.status, page.location], [303, '/logout'])
      const after = await browser.open('/logout')
      assert.equal(after.status, 200)
      assert.match(after.html, /<h1>You are signed out<\/h1>/)
      assert.doesNotMatch(after.html, /Error:|<form[^>]* action="\/logout"/)
    }
  })

  it('GET offers the button and changes nothing [RA-2802]', async (test) => {
    const { person: ada, browser } = await ownerOf(test)

    await browser.signIn(ada)
    await browser.client.request('HEAD', '/logout')
    const page = await browser.open('/logout')

    assert.match(page.html, /<h1>Sign out<\/h1>[^]*<form method="post" action="\/logout">/)
    assert.equal(await browser.isSignedIn(), true)
    assert.equal((await browser.submit('/logout')).location, '/login')
    assert.equal(await browser.isSignedIn(), false)
  })
})

describe('a session that has ended', () => {
  it('leads to the login, which returns to where the person was [RA-2803]', async (test) => {
    const { world, person: ada, browser } = await ownerOf(test, { factor: 'none' })
    await browser.signIn(ada)
    await browser.open('/account/security?page=2')
    world.clock.advance(HALF_AN_HOUR)

    const gone = await browser.open('/account/security?page=2')
    const login = await browser.open(gone.location ?? '')

    assert.match(login.html, /name="return_url" value="\/account\/security\?page=2"/)
    const fields = { email: ada.email, password: PASSWORD, return_url: '/account/security?page=2' }
    assert.equal((await browser.submit('/login', fields)).location, '/account/security?page=2')
  })
})

describe('an error page of a signed-in user', () => {
  it('keeps the navigation and a log-out button that works [RA-2805 RA-0005]', async (test) => {
    const world = await World.create(test, { modules: [reports] })
    const errors = [
      ['/reports', 403],
      ['/nothing-here', 404],
      ['/account/nothing-here', 404],
      ['/login/2fa/cancel', 405],
    ] as const
    const bob = await world.person('bob')

    for (const [path, status] of errors) {
      const browser = await world.inside(bob)
      const page = await browser.open(path)
      assert.equal(page.status, status, path)
      const navigation = /<nav aria-label="Main">[^]*?<\/nav>/.exec(page.html)?.[0] ?? ''
      assert.match(navigation, /href="\/account"[^]*Signed in as bob[^]*action="\/logout"/, path)
      assert.equal((await browser.submit('/logout')).location, '/login', path)
      assert.equal(await browser.isSignedIn(), false)
    }
  })
})
