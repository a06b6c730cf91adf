import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Account } from '../../core/accounts/account.ts'
import { Users } from '../../core/accounts/users.ts'
import { missing } from '../facts-of-parts.ts'
import { CHOICE } from '../languages.ts'
import { EVERY_PERMISSION, World } from '../support.ts'

/** Paths of the application that answer GET and have no placeholder, with the names of their middlewares. */
async function pages(world: World): Promise<ReadonlyMap<string, readonly string[]>> {
  await world.app.boot()
  const routes = (await world.app.inspection()).routes().filter(({ methods }) => methods.includes('GET'))
  const paths = routes.flatMap((route) => route.paths.map(({ path }) => path))
  return new Map(
    paths.filter((path) => !path.includes('{')).map((path) => [path, middlewaresOf(world, path)]),
  )
}

function middlewaresOf(world: World, path: string): readonly string[] {
  const match = world.app.router().match('GET', path)
  return match.kind === 'found' ? match.route.middlewares.map(({ name }) => name) : []
}

describe('identification and protection', () => {
  it('every request is whom the repository names for the identifier of its session, with those permissions [AUTH-20]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada')
    const browser = world.browser()
    await browser.signIn(ada)
    const asked: string[] = []
    test.mock.method(world.app.get(Users), 'authenticationIdentity', async (id: string) => {
      asked.push(id)
      const principal = new Account({ id, name: 'Named by the repository', email: ada.email })
      return { principal, permissions: EVERY_PERMISSION, credentialVersion: 1 }
    })

    for (const path of ['/', '/forgot', '/account']) {
      const { html } = await browser.open(path)
      assert.match(html, /Named by the repository/, path)
      if (!missing('administration')) assert.match(html, /href="\/admin"/, path)
    }

    assert.ok(asked.length >= 3)
    assert.deepEqual(new Set(asked), new Set([ada.id]))
  })

  it('pages with the identity middleware and without a guard serve everybody [AUTH-24 AUTH-22]', async (test) => {
    const world = await World.create(test)
    const found = await pages(world)

    for (const path of ['/', ...CHOICE, '/login', '/sign-up', '/forgot']) {
      const middlewares = found.get(path) ?? []
      assert.ok(middlewares.includes('ResolveIdentity'), path)
      assert.equal(
        middlewares.some((name) => name.startsWith('Require')),
        false,
        path,
      )
      assert.equal((await world.browser().open(path)).status, 200, path)
    }
  })

  it('the login page is outside of the guarded scope, and all pages of the account are inside [TOPO-05 AUTH-25]', async (test) => {
    const world = await World.create(test)
    const found = [...(await pages(world)).keys()].filter((path) => path.startsWith('/account'))
    assert.ok(found.length >= 5)

    for (const path of found) {
      const { status, location } = await world.browser().open(path)
      assert.match(`${status} ${location ?? ''}`, /^302 \/login(\?|$)/, path)
    }
    assert.equal((await world.browser().open('/login')).status, 200)
  })
})
