import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { type Browser, type Page, PASSWORD } from '../support.ts'
import { behindPassword, type Form, inside, outside, type Scene } from './twin-steps.ts'

const NEW = 'a quiet orchard in the rain'

const MISSED = /An answer did not reach this browser, for example because a button was clicked twice/

interface Lost {
  readonly begin: (test: TestContext) => Promise<Scene>
  readonly form: (scene: Scene) => Promise<Form> | Form
  /** What the page says that the second answer leads to. */
  readonly says: RegExp
  /** Whether the browser is signed in afterwards. Default: it is not. */
  readonly isSignedIn?: boolean
}

const LOST: Readonly<Record<string, Lost>> = {
  'a password': {
    begin: outside,
    form: ({ ada }) => ({ path: '/login', fields: { email: ada.email, password: PASSWORD } }),
    says: MISSED,
  },
  'a password without second step': {
    begin: (test) => outside(test, {}),
    form: ({ ada }) => ({ path: '/login', fields: { email: ada.email, password: PASSWORD } }),
    says: MISSED,
  },
  'a code': {
    begin: behindPassword,
    form: async ({ world, ada }) => ({ path: '/login/2fa', fields: { code: await world.code(ada) } }),
    says: /Start again with your password|sign in again/i,
  },
  'a sign-out': {
    begin: inside,
    form: () => ({ path: '/logout', page: '/account' }),
    says: /Nobody is signed in on this browser/,
  },
  'a new password': {
    begin: inside,
    form: () => ({ path: '/account/password', fields: { password: NEW } }),
    says: MISSED,
  },
  'new recovery codes': {
    begin: inside,
    form: () => ({ path: '/account/recovery-codes' }),
    says: MISSED,
  },
  'the end of the other sessions': {
    begin: inside,
    form: () => ({ path: '/account/sessions/others', page: '/account/sessions' }),
    says: /No other session is open/,
    isSignedIn: true,
  },
  'the end of all sessions': {
    begin: inside,
    form: () => ({ path: '/account/sessions/all' }),
    says: MISSED,
  },
  'a deletion': {
    begin: inside,
    form: ({ ada }) => ({ path: '/account/delete', fields: { email: ada.email } }),
    says: MISSED,
  },
}

async function followed(browser: Browser, first: Page): Promise<string> {
  let page = first
  for (let hops = 0; page.status === 303 && hops < 5; hops++) page = await browser.open(page.location ?? '')
  return page.html
}

describe('a form that is sent again because its answer was lost', () => {
  for (const [name, { begin, form, says, isSignedIn = false }] of Object.entries(LOST))
    it(`${name}: the page tells what is true [RA-2801]`, async (test) => {
      const scene = await begin(test)
      const { world, browser } = scene
      const { path, page = path, fields } = await form(scene)
      await browser.open(page)
      await browser.twin().submit(path, fields)

      const html = await followed(browser, await browser.submit(path, fields))

      assert.match(html, says)
      assert.doesNotMatch(html, /ended elsewhere|Nothing was changed|has expired/)
      assert.equal(await browser.isSignedIn(), isSignedIn)
      assert.deepEqual(world.faults, [])
    })

  it('the login page that says so signs in at once [RA-2801]', async (test) => {
    const { world, ada, browser } = await outside(test, {})
    await browser.open('/login')
    const fields = { email: ada.email, password: PASSWORD }
    await browser.twin().submit('/login', fields)
    assert.equal((await browser.submit('/login', fields)).status, 403)

    assert.equal((await browser.submit('/login', fields)).location, '/account')

    assert.equal(await browser.isSignedIn(), true)
    assert.deepEqual(world.faults, [])
  })

  for (const [name, path, done, fields] of [
    ['the end of all sessions', '/account/sessions/all', '/account/sessions/ended', {}],
    ['a deletion', '/account/delete', '/deletion/asked', { email: 'ada@example.test' }],
  ] as const)
    it(`${name}: a further click is led to what has been done, until somebody signs in again [RA-2801]`, async (test) => {
      const { world, ada, browser } = await inside(test)
      await browser.open(path)
      assert.equal((await browser.submit(path, fields)).location, done)
      assert.equal((await browser.open(done)).status, 200)

      const further = await browser.submit(path, fields)

      const login =
        further.status === 403 ? `/login?return_url=${encodeURIComponent(path)}` : further.location
      assert.equal((await browser.open(login ?? '')).location, done)
      world.clock.advance(30)
      assert.equal((await browser.signIn(ada)).location, '/account')
      assert.equal((await browser.open(done)).status, 303)
      assert.deepEqual(world.faults, [])
    })

  it('a session that is ended before its second page is told as ended elsewhere [RA-2801]', async (test) => {
    const { world, ada, browser } = await outside(test, {})
    await browser.signIn(ada)
    const other = world.browser()
    await other.signIn(ada)
    await other.open('/account/sessions')
    await other.submit('/account/sessions/others')

    await browser.open('/account')

    assert.match((await browser.open('/login')).html, /this session was ended elsewhere/)
  })
})
