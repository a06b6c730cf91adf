import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { HeldRequest } from 'sallyport-app/testing'
import { ledgerOf } from '../crash/ledger.ts'
import { ofParts } from '../facts-of-parts.ts'
import { duringRequest } from '../held-read.ts'
import { type Browser, type Person, World } from '../support.ts'
import { ADD, atDoor, DOOR, signedIn, withSecretOf, ownerOf } from './steps.ts'

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
  for (const browser of [thief, owner]) {
    await browser.signIn(ada)
    world.clock.advance(30)
  }
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
  ...Object.fromEntries(
    Object.entries(ofParts('guarded')).map(([path, fields]) => [
      `the form of ${path}`,
      () => ({ path, fields }),
    ]),
  ),
}

async function changePassword(owner: Browser): Promise<void> {
  assert.equal((await owner.send('/account/password', { password: NEW })).location, '/account/security')
}

describe('a form whose session is ended while its body arrives', () => {
  for (const [name, isEnded] of [
    // The first one shows that the form would do something.
    [Object.keys(FORMS)[0] ?? '', false],
    ...Object.keys(FORMS).map((form) => [form, true] as const),
  ] as const)
    it(`${name} ${isEnded ? 'does nothing any more, after a change of password' : 'is made otherwise'} [RA-1901 RA-3001]`, async (test) => {
      const scene = await two(test)
      const { thief, owner, url } = scene
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
      if (isEnded) await changePassword(owner)
      const before = await ledgerOf(scene.world.database)

      const { statusCode, headers: told } = await held.finish()

      const said = `${statusCode} ${told.location ?? ''}`
      assert.match(said, isEnded ? /^303 \/login|^403 / : /^(?:200|303) /)
      if (isEnded) assert.deepEqual(await ledgerOf(scene.world.database), before)
      else assert.notDeepEqual(await ledgerOf(scene.world.database), before)
      assert.equal(isEnded && (await thief.isSignedIn()), false)
    })
})

describe('a slow request', () => {
  it('across the challenge loses no rotation: the login stays, and the old identifier is nobody [RA-2704]', async (test) => {
    const { world, person: ada } = await ownerOf(test)
    const browser = await atDoor(world, ada)
    const before = browser.twin()
    const [code, wrong] = [await world.code(ada), await world.wrongCode(ada)]

    await duringRequest(
      { world, test },
      () => browser.submit(DOOR, { code: wrong }),
      () => browser.submit(DOOR, { code }),
    )

    assert.deepEqual([await browser.isSignedIn(), await before.isSignedIn()], [true, false])
  })

  it('across signing out revives nobody, neither by the old cookie nor by the one that it sets [RA-2704]', async (test) => {
    const { world, owner } = await two(test)
    await owner.open('/account/password')
    const before = owner.twin()

    await duringRequest(
      { world, test },
      () => owner.submit('/account/password', { password: NEW }),
      () => owner.submit('/logout'),
    )

    assert.deepEqual([await owner.isSignedIn(), await before.isSignedIn()], [false, false])
  })

  for (const [name, send] of [
    ['a page of another tab', (tab: Browser) => tab.open('/account/security')],
    ['the same form again', (tab: Browser) => tab.submit('/account/password', { password: NEW })],
  ] as const)
    it(`of a session in which the credentials are changed meanwhile ends nothing: ${name} [RA-3001]`, async (test) => {
      const { world, browser } = await signedIn(test)
      await browser.open('/account/password')
      const tab = browser.twin()
      let status = 0

      await duringRequest(
        { world, test },
        async () => (status = (await send(tab)).status),
        () => changePassword(browser),
      )

      assert.ok(status === 200 || status === 303, String(status))
      assert.deepEqual([await browser.isSignedIn(), (await browser.open('/account')).status], [true, 200])
    })
})
