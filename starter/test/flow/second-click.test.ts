import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { type Browser, type Page, PASSWORD, type Person, World } from '../support.ts'

const JSON_CLIENT = { headers: { accept: 'application/json' } }

interface Scene {
  readonly world: World
  readonly ada: Person
  readonly browser: Browser
}

async function begin(test: TestContext): Promise<Scene> {
  const world = await World.create(test)
  const ada = await world.person('ada', { factor: 'enabled' })
  return { world, ada, browser: world.browser() }
}

// Each step: what to do before its form is on the page, and the form.
const STEPS: readonly {
  readonly path: string
  readonly page: string
  readonly prepare: (scene: Scene) => Promise<unknown>
  readonly fields: (scene: Scene) => Promise<Readonly<Record<string, string>>>
}[] = [
  {
    path: '/login',
    page: '/login',
    prepare: () => Promise.resolve(),
    fields: ({ ada }) => Promise.resolve({ email: ada.email, password: PASSWORD }),
  },
  {
    path: '/login/2fa',
    page: '/login/2fa',
    prepare: ({ browser, ada }) => browser.password(ada),
    fields: async ({ world, ada }) => ({ code: await world.code(ada) }),
  },
  {
    path: '/login/2fa/cancel',
    page: '/login/2fa',
    prepare: ({ browser, ada }) => browser.password(ada),
    fields: () => Promise.resolve({}),
  },
  {
    path: '/logout',
    page: '/account',
    prepare: ({ browser, ada }) => browser.signIn(ada),
    fields: () => Promise.resolve({}),
  },
]

// Signing out once more ends where signing out ends; every other form leads back to the password.
function assertWayOn(page: Page, path: string): void {
  if (path === '/logout') assert.deepEqual([page.status, page.location], [303, '/logout'])
  else if (path === '/login') assert.match(page.html, /<form[^>]* action="\/login"/)
  else assert.deepEqual([page.status, page.location], [303, '/login'])
  assert.equal(page.headers.get('set-cookie'), null, 'it must not replace the cookie of the first answer')
}

for (const { path, page, prepare, fields } of STEPS) {
  describe(`a form for ${path} that is submitted twice`, () => {
    it('one after the other: the second is refused with a way on, and the first takes effect [CSRF-03]', async (test) => {
      const scene = await begin(test)
      await prepare(scene)
      await scene.browser.open(page)
      const second = scene.browser.twin()
      const form = await fields(scene)

      const answer = await scene.browser.submit(path, form)
      const late = await second.submit(path, form)

      assert.equal(answer.status, 303)
      assertWayOn(late, path)
      const signedIn = path === '/login/2fa'
      assert.equal(await scene.browser.isSignedIn(), signedIn)
      assert.equal(await second.isSignedIn(), false)
    })

    it('at the same time: at most one takes effect, and no response is a dead end [CSRF-03]', async (test) => {
      const scene = await begin(test)
      await prepare(scene)
      await scene.browser.open(page)
      const second = scene.browser.twin()
      const form = await fields(scene)

      const answers = await Promise.all([scene.browser.submit(path, form), second.submit(path, form)])

      for (const answer of answers)
        if (answer.status !== 303) assert.match(answer.html, /href="\/login"|action="\/login"|name="code"/)
      const states = [await scene.browser.isSignedIn(), await second.isSignedIn()]
      assert.equal(states.filter(Boolean).length, path === '/login/2fa' ? 1 : 0)
    })

    it('the first response is lost: the login page works at once', async (test) => {
      const scene = await begin(test)
      await prepare(scene)
      await scene.browser.open(page)
      const left = scene.browser.twin()
      await scene.browser.submit(path, await fields(scene))
      scene.world.clock.advance(path === '/login' ? 0 : 1)

      assert.equal((await left.open('/login')).status, 200)
      const answer = await left.submit('/login', { email: scene.ada.email, password: PASSWORD })

      assert.deepEqual([answer.status, answer.location], [303, '/login/2fa'])
      assert.equal((await left.open('/login/2fa')).status, 200)
    })

    it('a client that prefers JSON gets the problem [CSRF-03]', async (test) => {
      const scene = await begin(test)
      await prepare(scene)
      await scene.browser.open(page)

      const { status, headers, html } = await scene.browser.submit(path, { _csrf: 'x' }, JSON_CLIENT)

      assert.deepEqual([status, headers.get('content-type')], [403, 'application/problem+json'])
      assert.match(html, /ERR_CSRF_INVALID_TOKEN/)
    })
  })
}

describe('a refused form of a signed-in user', () => {
  it('shows the account and a working way to sign out [AUTH-14 CSRF-03]', async (test) => {
    const { world, ada, browser } = await begin(test)
    await browser.signIn(ada)

    const page = await browser.submit('/logout', { _csrf: 'x' })

    assert.equal(page.status, 403)
    assert.match(page.html, /<h1>This page was out of date<\/h1>/)
    assert.match(page.html, /href="\/account"[^>]*>Your account/)
    assert.equal((await browser.submit('/logout')).location, '/login')
    assert.equal((await world.events(ada)).at(-1), 'logged-out')
  })
})
