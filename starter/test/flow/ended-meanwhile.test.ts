import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { HeldRequest } from 'sallyport-app/testing'
import { ledgerOf } from '../crash/ledger.ts'
import { ofParts } from '../facts-of-parts.ts'
import { duringRequest } from '../held-read.ts'
import { type Browser, type Person, World } from '../support.ts'
import { ADD, atDoor, DOOR, signedIn, withSecretOf, ownerOf } from './steps.ts'

const NEW = 'four ladders lean on the wall'

// A form of somebody who must go, filled in.
type Filled = readonly [path: string, fields: Readonly<Record<string, string>>]

const FORMS: Readonly<Record<string, (thief: Browser, world: World, ada: Person) => Promise<Filled>>> = {
  'a change of password': async () => ['/account/password', { password: NEW }],
  'new recovery codes': async () => ['/account/recovery-codes', {}],
  async 'another authenticator'(thief, world, ada) {
    const added = withSecretOf(ada, await thief.open(ADD))
    return [ADD, { label: 'Tablet', code: await world.code(added) }]
  },
  ...Object.fromEntries(
    Object.entries(ofParts('guarded')).map(([path, fields]) => [
      `the form of ${path}`,
      async (): Promise<Filled> => [path, fields],
    ]),
  ),
}

async function changePassword(owner: Browser): Promise<void> {
  assert.equal((await owner.send('/account/password', { password: NEW })).location, '/account/security')
}

describe('a form whose session is ended while its body arrives', () => {
  for (const [name, fill] of Object.entries(FORMS))
    it(`does nothing any more, after a change of password: ${name} [RA-1901 RA-3001]`, async (test) => {
      // One of them shows what a form does otherwise.
      for (const isEnded of name === 'a change of password' ? [false, true] : [true]) {
        let url = ''
        const world = await World.create(test, { origin: () => url })
        url = await world.listen(test)
        const ada = await world.person('ada', { factor: 'enabled' })
        const thief = await world.inside(ada)
        world.clock.advance(30)
        const owner = await world.inside(ada)
        world.clock.advance(30)
        const [path, fields] = await fill(thief, world, ada)
        const { html } = await thief.open(path)
        const token = /name="_csrf" value="([^"]+)"/.exec(html)?.[1] ?? ''
        const held = new HeldRequest(
          new URL(path, url).href,
          String(new URLSearchParams({ ...fields, _csrf: token })),
          {
            'content-type': 'application/x-www-form-urlencoded',
            cookie: `sid-${new URL(url).port}=${thief.sessionId ?? ''}`,
          },
        )
        await pause(50)
        if (isEnded) await changePassword(owner)
        const before = await ledgerOf(world.database)

        const { statusCode, headers } = await held.finish()

        const said = `${statusCode} ${headers.location ?? ''}`
        const after = await ledgerOf(world.database)
        assert.match(said, isEnded ? /^303 \/login|^403 / : /^(?:200|303) /)
        if (isEnded) assert.deepEqual(after, before)
        else assert.notDeepEqual(after, before)
        assert.equal(isEnded && (await thief.isSignedIn()), false)
      }
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
    const { world, browser } = await signedIn(test)
    await browser.open('/account/password')
    const before = browser.twin()

    await duringRequest(
      { world, test },
      () => browser.submit('/account/password', { password: NEW }),
      () => browser.submit('/logout'),
    )

    assert.deepEqual([await browser.isSignedIn(), await before.isSignedIn()], [false, false])
  })
})
