import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Controller, defineModule, HttpContext, inject } from 'sallyport'
import { Authentication, PermissionSet } from 'sallyport/auth'
import { type Actions, param } from 'sallyport/routing'
import { Person } from './fixture/accounts.ts'
import { COOKIE } from './fixture/browser.ts'
import { Identify } from './fixture/guards.ts'
import { World } from './fixture/world.ts'

const NIGHTLY = process.env['NIGHTLY'] === '1'
const local = new AsyncLocalStorage<string>()

/** Says who it is at several moments, some of them after the answer. */
class MixController extends Controller {
  static readonly actions: Actions<MixController> = { work: [param.int('n')] }
  readonly #own = inject(HttpContext)

  async work(n: number): Promise<string> {
    const seen = [who(this.context)]
    if (n % 3 === 0) await pause(n % 7)
    seen.push(who(this.#own))
    await new Promise((resolve) => setImmediate(resolve))
    seen.push(who(this.context))
    const { context } = this
    late.push(pause(n % 5).then(() => who(context)))
    if (n % 5 === 0) throw new Error(`fault of ${seen.join(' ')}`)
    return [...seen, String(local.getStore() === undefined)].join(' ')
  }
}
const late: Promise<string>[] = []

function who(context: HttpContext): string {
  const auth = context.auth()
  return auth.isAuthenticated()
    ? `${auth.principalAs(Person).id}:${auth.allows('admin.access')}`
    : 'anonymous'
}

describe('abuse of permissions', () => {
  it('a permission is matched only by its exact name [A-116]', () => {
    const set = new PermissionSet(['admin.access'])
    const auth = new Authentication()
    auth.authenticate(new Person('u9', 'root'), set)
    const asks = [
      set.allows.bind(set),
      auth.allows.bind(auth),
      (p: string) => set.any(p),
      (p: string) => set.all(p),
    ]
    for (const ask of asks) {
      assert.equal(ask('admin.access'), true)
      for (const name of [
        'admin.access ',
        ' admin.access',
        'Admin.Access',
        'admin.*',
        '*',
        'admin',
        '__proto__',
        'constructor',
        'toString',
        'admin.access\0',
        'admin.acces\u017f',
      ])
        assert.equal(ask(name), false, name)
      for (const odd of [
        '',
        undefined,
        ['admin.access'],
        null,
        { toString: () => 'admin.access' },
        new String('admin.access'),
      ])
        assert.throws(() => ask(odd as string), TypeError)
    }
    for (const odd of ['', undefined, null, ['admin.access'], 1])
      assert.throws(() => new PermissionSet([odd as string]), TypeError)
    assert.throws(() => new PermissionSet('admin.access'), TypeError)
    assert.throws(() => set.all(), TypeError)
    assert.equal(set.any(), false)
    assert.throws(() => auth.authenticate(new Person('u2', 'bob'), ['']), TypeError)
    assert.equal(auth.principalAs(Person).id, 'u9')
  })

  it('a revoked permission is gone with the next request [A-117]', async (test) => {
    const world = await World.create(test)
    const root = await world.loggedIn('root')
    assert.equal((await root.get('/admin')).status, 200)
    world.accounts.run("UPDATE account SET permissions = '' WHERE id = 'u9'")
    world.trace.clear()
    assert.equal((await root.get('/admin')).status, 403)
    assert.equal((await root.post('/admin/users/1')).status, 403)
    assert.deepEqual(world.trace.handlers, [])
  })

  it('the principal of a request never crosses to another [A-118]', async (test) => {
    const mix = defineModule('Mix', (module) =>
      module
        .withoutConventionRouting()
        .middleware(Identify)
        .routes((routes) => void routes.get('/{n}', [MixController, 'work'])),
    )
    const said = new Map<string, string>()
    const world = await World.create(test, {
      modules: [mix],
      configure: (app) =>
        void app.onError(
          (error, context) => void said.set(context.path(), `${String(error)} | ${who(context)}`),
        ),
    })
    const identities: Record<string, string> = { 'u1:false': 'ada', 'u2:false': 'bob', 'u9:true': 'root' }
    const jars = new Map<string, string>([['anonymous', '']])
    for (const [identity, name] of Object.entries(identities))
      jars.set(identity, `${COOKIE}=${(await world.loggedIn(name as 'ada')).sessionId ?? ''}`)
    const order = [...jars]
    const total = NIGHTLY ? 10_000 : 1200
    const expectedLate: string[] = []
    for (let from = 0; from < total; from += 200) {
      const batch = Array.from({ length: 200 }, async (_, i) => {
        const [identity, cookie] = order[(from + i) % order.length] ?? ['', '']
        const target = `/mix/${from + i}`
        const request = new Request(`https://app.test${target}`, { headers: cookie === '' ? {} : { cookie } })
        const response = await world.fixture.app.fetch(request)
        const thrice = `${identity} ${identity} ${identity}`
        if ((from + i) % 5 === 0) {
          assert.equal(response.status, 500)
          assert.equal(said.get(target), `Error: fault of ${thrice} | ${identity}`)
        } else assert.equal(await response.text(), `${thrice} true`)
        expectedLate.push(identity)
      })
      await Promise.all(batch)
    }
    assert.deepEqual((await Promise.all(late)).toSorted(), expectedLate.toSorted())
    world.fixture.log.length = 0
  })
})
