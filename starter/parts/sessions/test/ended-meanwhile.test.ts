import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { type Owner, signedIn } from '../../../test/flow/steps.ts'
import type { Browser, Page } from '../../../test/support.ts'

const SESSIONS = '/account/sessions'
const [PATH, CODES] = ['/account/password', '/account/recovery-codes']
const NEW = 'four ladders lean on the wall'

/** The owner, and another session of the account: of somebody who must go. */
interface Scene extends Owner {
  readonly thief: Browser
}

async function two(test: TestContext): Promise<Scene> {
  const owner = await signedIn(test)
  const thief = owner.world.browser()
  await thief.signIn(owner.person)
  owner.world.clock.advance(30)
  return { ...owner, thief }
}

async function endOthers(browser: Browser): Promise<Page> {
  await browser.open(SESSIONS)
  return browser.submit(`${SESSIONS}/others`)
}

async function credentials({ world }: Owner): Promise<unknown> {
  return [
    await world.database.selectFrom('account').select('password_hash').execute(),
    await world.database.selectFrom('recovery_code').selectAll().execute(),
  ]
}

describe('a request whose session is ended meanwhile', () => {
  for (const [path, fields] of [
    [PATH, { password: NEW }],
    [CODES, {}],
  ] as const)
    it(`makes no change that it has begun, and revives nobody: ${path} [RA-2704 RA-1901]`, async (test) => {
      const scene = await two(test)
      const { world, browser, thief } = scene
      await thief.open(path)
      const [reached, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const hash = world.hasher.hash.bind(world.hasher)
      test.mock.method(world.hasher, 'hash', async (text: string) => {
        reached.resolve()
        await opened.promise
        return hash(text)
      })
      const [knowing, before] = [thief.twin(), await credentials(scene)]

      const change = thief.submit(path, fields)
      await reached.promise
      await endOthers(browser)
      opened.resolve()
      await change

      assert.deepEqual(await credentials(scene), before)
      const open = [await thief.isSignedIn(), await knowing.isSignedIn(), await browser.isSignedIn()]
      assert.deepEqual(open, [false, false, true])
    })
})

describe('two sessions at the same moment', () => {
  it('of two that end all others, one is left [RA-1901]', async (test) => {
    const { browser, thief } = await two(test)
    await Promise.all([thief.open(SESSIONS), browser.open(SESSIONS)])

    const answers = await Promise.all([thief, browser].map((each) => each.submit(`${SESSIONS}/others`)))

    assert.deepEqual(answers.map(({ location }) => location).toSorted(), [SESSIONS, '/login'])
    const left = [await thief.isSignedIn(), await browser.isSignedIn()]
    assert.deepEqual(left.toSorted(), [false, true])
  })

  it('a session that the store could not end goes on, and changes its credentials [RA-1901]', async (test) => {
    const { world, browser, thief } = await two(test)
    const failing = test.mock.method(world.store, 'destroy', () => Promise.reject(new Error('no store')))
    assert.equal((await endOthers(browser)).status, 503)
    failing.mock.restore()

    const changed = await thief.send(PATH, { password: NEW })

    assert.equal(changed.location, '/account/security')
    assert.deepEqual([await thief.isSignedIn(), await browser.isSignedIn()], [true, false])
  })
})
