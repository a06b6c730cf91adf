import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { App, Controller, defineModule } from 'sallyport'
import type { Actions } from 'sallyport/routing'
import { MovedPaths } from 'sallyport-app/pages'
import { TestClient } from 'sallyport/testing'

class LoginController extends Controller {
  static readonly actions: Actions<LoginController> = { index: [] }

  index(): Response {
    return this.text('login')
  }
}

const login = defineModule('login', (module) =>
  module
    .mount('login')
    .withoutConventionRouting()
    .controllers(LoginController)
    .routes((routes) => {
      routes.get('/', [LoginController, 'index'])
    }),
)

/** An application with old paths. */
async function moved(basePath = ''): Promise<TestClient> {
  const app = App.create(basePath === '' ? {} : { basePath }).modules(login)
  app.middleware().incoming(new MovedPaths({ '/signin': ['/login', 301], '/user/login': ['/login', 302] }))
  return new TestClient(await app.boot(), { origin: 'https://app.test' })
}

describe('MovedPaths', () => {
  it('leads an old path on, however it is spelled, with its query and its status [LEGACY-02 LEGACY-05]', async () => {
    const [root, below] = [await moved(), await moved('/accounts')]

    for (const [client, path, status, to] of [
      [root, '/signin', 301, '/login'],
      [root, '/signin/', 301, '/login'],
      [root, '/%73ignin', 301, '/login'],
      [root, '/signin?return_url=%2Fadmin', 301, '/login?return_url=%2Fadmin'],
      [root, '/user/login', 302, '/login'],
      [below, '/accounts/signin?a=b', 301, '/accounts/login?a=b'],
    ] as const) {
      const { status: given, headers } = await client.get(path)
      assert.deepEqual([given, headers.get('location')], [status, to], path)
    }
  })

  it('leaves every other path untouched [LEGACY-03]', async () => {
    const client = await moved()

    for (const path of ['/signins', '/signin/x', '/SIGNIN', '/user%2Flogin', '/user'])
      assert.equal((await client.get(path)).status, 404, path)
    assert.equal((await client.get('/login')).status, 200)
  })

  it('never leads to another site, whatever the query says [LEGACY-02]', async () => {
    const client = await moved()

    for (const query of ['//evil.test', '@evil.test', '\\evil.test', '%0d%0alocation:%20//evil.test']) {
      const { status, headers } = await client.get(`/signin?${query}`)
      const location = headers.get('location') ?? ''
      assert.equal(status, 301)
      assert.equal(new URL(location, 'https://app.test').host, 'app.test')
      assert.ok(location.startsWith('/login?'))
    }
  })
})
