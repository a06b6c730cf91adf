import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { spendChallenge } from 'sallyport-app/webauthn'
import { type Browser, type Page, World } from '../../../test/support.ts'
import { Passkeys } from '../passkeys.ts'
import { atPasskeyDoor, type KeyOwner, keyOwner, PASSKEY_DOOR, removePasskey } from './steps.ts'

async function pending(
  test: TestContext,
): Promise<KeyOwner & { readonly browser: Browser; readonly page: Page }> {
  const owner = await keyOwner(test)
  return { ...owner, ...(await atPasskeyDoor(owner.world, owner.ada)) }
}

describe('the second door with a passkey', () => {
  it('opens to a plain form post of the response, and stores the use [RA-0504 RA-0503 FLOW-33]', async (test) => {
    const { world, ada, key, browser, page } = await pending(test)
    world.clock.advance(10)

    const next = await browser.submit(PASSKEY_DOOR, { response: key.respond(page.html) })

    assert.deepEqual([next.status, next.location], [303, '/account'])
    assert.equal(await browser.isSignedIn(), true)
    const [passkey] = await world.app.get(Passkeys).list(ada.id)
    assert.deepEqual([passkey?.usedAt, passkey?.counter], [world.clock.timestamp(), 1])
    assert.deepEqual((await world.events(ada)).slice(-3), ['password-accepted', 'passkey-used', 'logged-in'])
  })

  it('ends the pending login after five wrong responses, each recorded, and programs are refused, too [FLOW-28 RA-0404]', async (test) => {
    const { world, ada, browser } = await pending(test)
    const json = { headers: { accept: 'application/json' } }

    const told = await browser.submit(PASSKEY_DOOR, { response: '{}' })
    const refused = await browser.submit(PASSKEY_DOOR, { response: '{}' }, json)
    for (let times = 0; times < 2; times += 1) await browser.submit(PASSKEY_DOOR, { response: '' })
    const last = await browser.submit(PASSKEY_DOOR, {})

    assert.deepEqual([told.status, refused.status, last.location], [422, 422, '/login'])
    assert.equal((await browser.open(PASSKEY_DOOR)).location, '/login')
    assert.ok((await world.events(ada)).filter((kind) => kind === 'passkey-refused').length >= 4)
  })

  it('wrong responses lock nothing: nobody keeps the owner of a passkey out [RA-0801 RA-0802]', async (test) => {
    const { world, ada, key } = await pending(test)
    for (let times = 0; times < 30; times += 1) {
      const { browser } = await atPasskeyDoor(world, ada)
      await browser.submit(PASSKEY_DOOR, { response: '{}' })
    }

    const { browser, page } = await atPasskeyDoor(world, ada)
    const right = await browser.submit(PASSKEY_DOOR, { response: key.respond(page.html) })

    assert.equal(right.location, '/account')
  })

  it('a disabled account and a removed passkey end the pending login [FLOW-26 RA-3002]', async (test) => {
    const { world, ada, key, browser, page } = await pending(test)
    const other = await atPasskeyDoor(world, ada)
    await removePasskey(world, ada)
    const gone = await other.browser.submit(PASSKEY_DOOR, { response: key.respond(other.page.html) })
    await world.disable(ada)

    const disabled = await browser.submit(PASSKEY_DOOR, { response: key.respond(page.html) })

    assert.deepEqual([gone.location, disabled.location], ['/login', '/login'])
    assert.deepEqual([await browser.isSignedIn(), await other.browser.isSignedIn()], [false, false])
  })

  it('a clock that is set back lets no challenge be answered again [RA-2708]', async (test) => {
    const world = await World.create(test)
    world.clock.advance(48 * 60 * 60)
    const spend = (): Promise<boolean> => spendChallenge(world.database, 'challenge', world.clock.timestamp())
    assert.equal(await spend(), true)

    world.clock.advance(-24 * 60 * 60)

    assert.equal(await spend(), false)
  })
})
