import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { ofParts } from '../facts-of-parts.ts'
import { type Browser, type Page, type Person, World } from '../support.ts'
import { enroll } from './newcomer.ts'

const DOOR = '/login/2fa'
/** Somebody whose password was accepted. */
interface Scene {
  readonly world: World
  readonly ada: Person
  readonly browser: Browser
  readonly codes: readonly string[]
}

/** The page of a form, where it goes, and what it says; read once, as a double click sends it. */
interface Form {
  readonly page: string
  readonly path?: string
  readonly fields: Readonly<Record<string, string>>
}

async function pending(test: TestContext): Promise<Scene> {
  const world = await World.create(test, ofParts('settings'))
  const first = world.browser()
  const { person: ada, codes } = await enroll(world, first, 'ada')
  world.clock.advance(30)
  const signed = world.browser()
  await signed.signIn(ada)
  world.clock.advance(30)
  const browser = world.browser()
  assert.equal((await browser.password(ada)).location, DOOR)
  return { world, ada, browser, codes }
}

async function idOf({ world, ada }: Scene, kind: string): Promise<string> {
  const usable = await world.identity.secondFactors.usable(ada.id)
  return usable.find((factor) => factor.kind === kind)?.id ?? ''
}

async function codeOfApp(scene: Scene): Promise<Form> {
  const factor = await idOf(scene, 'totp')
  const code = await scene.world.code(scene.ada)
  return { page: DOOR, fields: { code, factor } }
}

function cancel({ page }: Form): Form {
  return { page, path: `${DOOR}/cancel`, fields: {} }
}

const FORMS: Readonly<Record<string, (scene: Scene) => Promise<Form> | Form>> = {
  'a code': codeOfApp,
  'a recovery code': ({ codes: [code = ''] }) => ({ page: `${DOOR}/recovery`, fields: { code } }),
  ...Object.fromEntries(
    Object.entries(ofParts('doors')).map(([name, { page, prove }]) => [
      name,
      async ({ browser, world }: Scene): Promise<Form> => {
        return { page, fields: await prove(browser, world) }
      },
    ]),
  ),
}

/** Sends two forms of one page, each from a browser that misses the response to the other one. */
async function postBoth(
  browser: Browser,
  [one, other]: readonly [Form, Form],
): Promise<readonly [Page, Page]> {
  await browser.open(one.page)
  const twin = browser.twin()
  return Promise.all([
    browser.submit(one.path ?? one.page, one.fields),
    twin.submit(other.path ?? other.page, other.fields),
  ])
}

async function eventsOf({ world, ada }: Scene): Promise<readonly string[]> {
  const rows = await world.database
    .selectFrom('event')
    .select('kind')
    .where('account_id', '=', ada.id)
    .orderBy('id')
    .execute()
  return rows.map(({ kind }) => kind)
}

describe('the right proof at the second door', () => {
  for (const [name, fill] of Object.entries(FORMS))
    it(`${name}, sent twice at once, signs in once [RA-0008]`, async (test) => {
      const scene = await pending(test)
      const form = await fill(scene)
      const before = (await eventsOf(scene)).length

      const came = await postBoth(scene.browser, [form, form])

      assert.equal(came.filter(({ location }) => location === '/account').length, 1)
      const kinds = (await eventsOf(scene)).slice(before)
      assert.equal(kinds.filter((kind) => kind === 'logged-in').length, 1)
      assert.deepEqual(scene.world.faults, [])
    })

  for (const [name, fill] of Object.entries(FORMS))
    for (const isFirst of [true, false])
      it(`${name}, sent just ${isFirst ? 'before' : 'after'} the end of the sign-in, is used up only by signing in [RA-0008 A-121]`, async (test) => {
        const scene = await pending(test)
        const { world, ada, browser } = scene
        const form = await fill(scene)
        const left = await world.identity.codes.left(ada.id)

        const came = await postBoth(browser, isFirst ? [form, cancel(form)] : [cancel(form), form])

        const isIn = came.some(({ location }) => location === '/account')
        const isUsed = name === 'a recovery code' && isIn
        assert.equal(await world.identity.codes.left(ada.id), isUsed ? left - 1 : left)
        assert.equal((await eventsOf(scene)).includes('challenge-cancelled'), !isIn)
        assert.deepEqual(world.faults, [])
      })
})

describe('the second door without a sign-in', () => {
  it('says what has changed when the credentials have [RA-3002]', async (test) => {
    const { browser, world, ada } = await pending(test)
    await browser.open(DOOR)
    await world.identity.users.endSessions(ada.id)

    const { location } = await browser.submit(DOOR, { code: await world.code(ada) })

    assert.equal(location, '/login')
    assert.match((await browser.open('/login')).html, /Your password or second step changed/)
    const kinds = await world.events(ada)
    assert.deepEqual(kinds.slice(-1), ['challenge-outdated'])
    assert.equal(kinds.includes('challenge-expired'), false)
    await browser.password(ada)
    await browser.code(await world.code(ada))
    const { html } = await browser.open('/account/activity')
    assert.match(html, /Sign-in ended, because the sign-in data had changed/)
  })
})
