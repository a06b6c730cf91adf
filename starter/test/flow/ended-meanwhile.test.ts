import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { HeldRequest } from 'sallyport-app/testing'
import { missing, ofParts } from '../facts-of-parts.ts'
import { type Browser, type Person, World } from '../support.ts'
import { ADD, withSecretOf } from './security-steps.ts'

const NEW = 'four ladders lean on the wall'

/** An account with two sessions: of somebody who must go, and of its owner. */
interface Scene {
  readonly world: World
  readonly ada: Person
  readonly thief: Browser
  readonly owner: Browser
  /** Where the application listens. */
  readonly url: URL
}

async function two(test: TestContext): Promise<Scene> {
  let url = ''
  const world = await World.create(test, { origin: () => url })
  url = await world.listen(test)
  const ada = await world.person('ada', { factor: 'enabled' })
  const [thief, owner] = [world.browser(), world.browser()]
  await thief.signIn(ada)
  world.clock.advance(30)
  await owner.signIn(ada)
  world.clock.advance(30)
  assert.equal(await thief.isSignedIn(), true)
  return { world, ada, thief, owner, url: new URL(url) }
}

interface Form {
  readonly path: string
  readonly fields: Readonly<Record<string, string>>
}

const FORMS: Readonly<Record<string, (scene: Scene) => Promise<Form> | Form>> = {
  'a change of password': () => ({ path: '/account/password', fields: { password: NEW } }),
  'new recovery codes': () => ({ path: '/account/recovery-codes', fields: {} }),
  'another authenticator': async ({ world, ada, thief }) => {
    const added = withSecretOf(ada, await thief.open(ADD))
    return { path: ADD, fields: { label: 'Tablet', code: await world.code(added) } }
  },
  ...(missing('address-change')
    ? {}
    : {
        'a new address': () => ({ path: '/account/address', fields: { email: 'mallory@example.test' } }),
      }),
  ...Object.fromEntries(
    Object.entries(ofParts('guarded')).map(([path, fields]) => [
      `the form of ${path}`,
      () => ({ path, fields }),
    ]),
  ),
}

const ENDS: Readonly<Record<string, (scene: Scene) => Promise<void>>> = {
  nothing: () => Promise.resolve(),
  ...(missing('sessions')
    ? {}
    : {
        'the end of the other sessions': async ({ owner }) => {
          await owner.open('/account/sessions')
          assert.equal((await owner.submit('/account/sessions/others')).location, '/account/sessions')
        },
        'the end of all sessions': async ({ owner }) => {
          await owner.open('/account/sessions')
          await owner.submit('/account/sessions/all')
        },
      }),
  'a change of password': async ({ owner }) => {
    await owner.open('/account/password')
    assert.equal((await owner.submit('/account/password', { password: NEW })).location, '/account/security')
  },
}

/** What the account has: nothing of it may change. */
async function stateOf({ world, ada }: Scene): Promise<unknown> {
  const {
    password_hash: hash,
    name,
    email,
    leaves_at: leavesAt,
  } = await world.database
    .selectFrom('account')
    .select(['password_hash', 'name', 'email', 'leaves_at'])
    .where('id', '=', ada.id)
    .executeTakeFirstOrThrow()
  const factors = await world.identity.factors.list(ada.id)
  const rows = await Promise.all(
    ['recovery_code', ...Object.keys(ofParts('lists'))].map((table) =>
      world.database
        .selectFrom(table as 'recovery_code')
        .selectAll()
        .execute(),
    ),
  )
  return { hash, name, email, leavesAt, factors, rows }
}

/** Each form after one end of the session, and one form after each end. The first pair shows that the form would do something. */
function pairs(): readonly (readonly [form: string, end: string])[] {
  const [first = ''] = Object.keys(FORMS)
  const [, ...ends] = Object.keys(ENDS)
  const last = ends.at(-1) ?? ''
  return [
    [first, 'nothing'],
    ...Object.keys(FORMS).map((form) => [form, last] as const),
    ...ends.slice(0, -1).map((end) => [first, end] as const),
  ]
}

describe('a form whose session is ended while its body arrives', () => {
  for (const [name, end] of pairs())
    it(`${name} ${end === 'nothing' ? 'is made' : 'does nothing any more'}, after ${end} [RA-1901]`, async (test) => {
      const scene = await two(test)
      const { thief, url } = scene
      const form = await FORMS[name]?.(scene)
      assert.ok(form !== undefined)
      const { html } = await thief.open(form.path)
      const token = /name="_csrf" value="([^"]+)"/.exec(html)?.[1] ?? ''
      const body = String(new URLSearchParams({ ...form.fields, _csrf: token }))
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        cookie: `sid-${url.port}=${thief.sessionId ?? ''}`,
      }
      const held = new HeldRequest(new URL(form.path, url).href, body, headers)
      await pause(50)
      await ENDS[end]?.(scene)
      const before = await stateOf(scene)

      const { statusCode, headers: told } = await held.finish()

      const said = `${statusCode} ${told.location ?? ''}`
      if (end === 'nothing') {
        assert.match(said, /^(?:200|303) /)
        assert.notDeepEqual(await stateOf(scene), before)
        return
      }
      assert.match(said, /^303 \/login|^403 /)
      assert.deepEqual(await stateOf(scene), before)
      assert.equal(await thief.isSignedIn(), false)
    })
})

describe('a change whose session is ended while it is made', { skip: missing('sessions') }, () => {
  for (const name of ['a change of password', 'new recovery codes'])
    it(`${name} is not made [RA-1901]`, async (test) => {
      const scene = await two(test)
      const { world, thief } = scene
      const form = await FORMS[name]?.(scene)
      assert.ok(form !== undefined)
      await thief.open(form.path)
      const [reached, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const hash = world.hasher.hash.bind(world.hasher)
      test.mock.method(world.hasher, 'hash', async (text: string) => {
        reached.resolve()
        await opened.promise
        return hash(text)
      })

      const change = thief.submit(form.path, form.fields)
      await reached.promise
      await ENDS['the end of the other sessions']?.(scene)
      const before = await stateOf(scene)
      opened.resolve()
      await change

      assert.deepEqual(await stateOf(scene), before)
      assert.deepEqual([await thief.isSignedIn(), await scene.owner.isSignedIn()], [false, true])
    })
})

describe('two sessions at the same moment', { skip: missing('sessions') }, () => {
  it('of two that end all others, one is left [RA-1901]', async (test) => {
    const { thief, owner } = await two(test)
    await Promise.all([thief.open('/account/sessions'), owner.open('/account/sessions')])

    const answers = await Promise.all(
      [thief, owner].map((browser) => browser.submit('/account/sessions/others')),
    )

    assert.deepEqual(answers.map(({ location }) => location).toSorted(), ['/account/sessions', '/login'])
    const left = [await thief.isSignedIn(), await owner.isSignedIn()]
    assert.deepEqual(left.toSorted(), [false, true])
  })

  it('a session that the store could not end goes on, and changes its credentials [RA-1901]', async (test) => {
    const { world, thief, owner } = await two(test)
    await owner.open('/account/sessions')
    const failing = test.mock.method(world.store, 'destroy', () => Promise.reject(new Error('no store')))
    assert.equal((await owner.submit('/account/sessions/others')).status, 503)
    failing.mock.restore()

    await thief.open('/account/password')
    const changed = await thief.submit('/account/password', { password: NEW })

    assert.equal(changed.location, '/account/security')
    assert.deepEqual([await thief.isSignedIn(), await owner.isSignedIn()], [true, false])
  })
})
