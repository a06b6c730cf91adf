import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { foreignTargets } from 'sallyport-app/testing'
import { CHOICE } from '../languages.ts'
import { PASSWORD, World } from '../support.ts'
import { routesOf } from './routes.ts'
import { leave, ownerOf } from './steps.ts'

// To which no login leads: no page, or two.
const NO_PAGES: readonly (string | readonly string[])[] = [
  '',
  '/',
  '/login',
  '/login?return_url=/account',
  '/login/2fa',
  '/logout',
  '/language',
  '/account/nothing-here',
  '/nothing-here',
  ['/account/security', '/account/security'],
]
describe('the page that a login returns to', () => {
  it('is any page that asked for the login, with its parameters and its query; others anybody may open [RA-2803 AUTH-22 AUTH-24 AUTH-25 TOPO-02 TOPO-05]', async (test) => {
    const world = await World.create(test)
    const others = new Map<string, number>()

    for (const { method, path } of await routesOf(world)) {
      if (method !== 'GET') continue
      const page = `${path}?page=2&q=a%20b`
      const { status, location } = await world.browser().open(page)
      const target = new URLSearchParams(location?.replace(/^\/login\?/, '')).get('return_url')
      if (target === null) others.set(page, status)
      else assert.deepEqual([status, target], [302, page])
    }

    assert.deepEqual(
      [...others.keys()].filter((page) => page.startsWith('/account')),
      [],
    )
    for (const page of ['/', '/login', ...CHOICE, '/sign-up', '/forgot'])
      assert.equal(others.get(`${page}?page=2&q=a%20b`), 200, page)
    for (const page of others.keys()) {
      const { html } = await world.browser().open(`/login?${new URLSearchParams({ return_url: page })}`)
      assert.doesNotMatch(html, /name="return_url"/, `${page}, which anybody may open`)
    }
  })

  it('is for a form the page of its address, where the form is shown again [RA-2803]', async (test) => {
    const world = await World.create(test)
    const routes = (await world.app.inspection()).routes()
    const answering = (method: string): readonly string[] =>
      routes.flatMap(({ methods, middlewares, paths }) =>
        methods.includes(method) && middlewares.includes('RequireLogin') ? paths.map(({ path }) => path) : [],
      )
    const forms = answering('POST').filter((path) => !path.includes('{') && answering('GET').includes(path))
    assert.notDeepEqual(forms, [])

    for (const form of forms) {
      const browser = world.browser()
      await browser.open('/login')
      const page = await browser.submit(form)
      assert.equal(page.status, 401)
      assert.ok(page.html.includes(`href="/login?${new URLSearchParams({ return_url: form })}"`), form)
    }
  })

  it('is never one of another site, nor of a page that changes something [RA-2707 FLOW-51 FLOW-52]', async (test) => {
    const { world, person: ada } = await ownerOf(test, { factor: 'none' })

    const foreign = foreignTargets({ host: 'app.test', page: '/account' })
    for (const target of [...foreign, ...NO_PAGES]) {
      // Right passwords have a limit, too.
      world.clock.advance(60)
      const browser = world.browser()
      const shown = await browser.open(`/login?${new URLSearchParams({ return_url: String(target) })}`)
      assert.doesNotMatch(shown.html, /name="return_url"/, JSON.stringify(target))
      const page = await browser.submit('/login', {
        email: ada.email,
        password: PASSWORD,
        return_url: target,
      })
      assert.deepEqual([page.status, page.location], [303, '/account'], JSON.stringify(target))
    }
  })

  it('is reached through both doors, and is not that of an abandoned login [FLOW-51 FLOW-53]', async (test) => {
    const { world, person: ada, browser } = await ownerOf(test)
    const fields = { email: ada.email, password: PASSWORD, return_url: '/account/security' }
    await browser.send('/login', fields)
    world.clock.advance(300)
    assert.equal((await browser.signIn(ada)).location, '/account')
    await leave(browser)
    world.clock.advance(30)
    const login = await browser.open('/account/security', { follow: true })
    assert.match(login.html, /name="return_url" value="\/account\/security"/)

    const first = await browser.submit('/login', fields)
    const second = await browser.code(await world.code(ada))

    assert.deepEqual([first.location, second.location], ['/login/2fa', '/account/security'])
    assert.equal('return_url' in (await browser.session()), false)
  })
})
