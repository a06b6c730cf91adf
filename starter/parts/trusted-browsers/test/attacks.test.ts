import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { act, missing } from '../../../test/facts-of-parts.ts'
import { DOOR, enter, leave, mailsOf, enroll, atDoor, CONFIRM, RECOVERY } from '../../../test/flow/steps.ts'
import { databases } from '../../../test/databases.ts'
import { PASSWORD, World } from '../../../test/support.ts'
import { COOKIE, COPIED, DAYS, plant, rows, trust, type Trusting, trusting } from './steps.ts'

const skip = missing('administration')

describe('a token of a trusted browser that somebody has copied', () => {
  for (const isThiefFirst of [false, true])
    it(`opens nothing after ${isThiefFirst ? 'the thief' : 'the owner'} has used it: the second one ends the trust and every session, and the owner is told once [RA-1801]`, async (test) => {
      const owner = await trusting(test)
      const { world, ada } = owner
      const [thief, late] = [owner.browser.twin(), owner.browser.twin()]
      const [first, second] = isThiefFirst ? [thief, owner.browser] : [owner.browser, thief]
      const beside = world.browser()
      world.clock.advance(30)
      await beside.signIn(ada)
      assert.equal(await enter(first, ada), '/account')

      assert.equal(await enter(second, ada), '/login')

      assert.equal(second.client.cookie(COOKIE), undefined)
      for (const each of [first, beside]) assert.equal(await each.isSignedIn(), false)
      for (const each of [second, first, late]) assert.equal(await enter(each, ada), DOOR)
      assert.equal(mailsOf(world, COPIED), 1)
      assert.equal((await world.events(ada)).filter((kind) => kind === 'device-replayed').length, 1)
      assert.deepEqual(await rows(world), [])
    })

  it('is not accepted in another account, and goes on in its own [RA-1801]', async (test) => {
    const { world, ada, browser } = await trusting(test)
    const bob = await world.person('bob', { factor: 'enabled' })

    assert.equal(await enter(browser, bob), DOOR)

    assert.equal(mailsOf(world, COPIED), 0)
    assert.equal(await enter(browser, ada), '/account')
    await leave(browser)
    const copy = browser.twin()
    // The cookie belongs to the last one who asked for it.
    await trust(world, bob, browser)
    assert.equal(await enter(copy, ada), DOOR)
  })

  it('is refused in any other form than its own, and a made-up secret ends it [RA-1801]', async (test) => {
    const { world, ada, browser } = await trusting(test)
    const value = browser.client.cookie(COOKIE) ?? ''
    const [id = '', secret = ''] = value.split('.')
    const unknown = `${crypto.randomUUID()}.${secret}`
    for (const tampered of [id, `${id}.`, `.${secret}`, `${value}x`, unknown, '']) {
      const thief = world.browser()
      plant(thief, tampered)
      assert.equal(await enter(thief, ada), DOOR, tampered)
    }
    assert.equal((await rows(world)).length, 1)
    const thief = world.browser()
    plant(thief, `${id}.${secret.toLowerCase()}`)

    assert.equal(await enter(thief, ada), '/login')

    assert.equal(await enter(browser, ada), DOOR)
    assert.equal(mailsOf(world, COPIED), 1)
  })

  it('makes one sign-in of 20 at once; the others begin again, and the trust ends [RA-1801 R-02]', async (test) => {
    const { world, ada, browser } = await trusting(test)
    const twins = Array.from({ length: 20 }, () => browser.twin())
    for (const twin of twins) await twin.open('/login')

    const pages = await Promise.all(
      twins.map((twin) => twin.submit('/login', { email: ada.email, password: PASSWORD })),
    )

    assert.equal(pages.filter(({ location }) => location !== '/account').length, 19)
    assert.equal((await world.events(ada)).filter((kind) => kind === 'logged-in').length, 2)
    assert.equal(mailsOf(world, COPIED), 1)
    // One of them may be a thief.
    for (const twin of twins) assert.equal(await twin.isSignedIn(), false)
    assert.deepEqual(await rows(world), [])
    assert.deepEqual(world.faults, [])
  })

  it('is used up in the transaction that records the sign-in, or not at all [RA-1801]', async (test) => {
    const { world, ada, browser } = await trusting(test)
    const mend = await databases.breakTable(world.database, 'event', { when: "NEW.kind = 'logged-in'" })
    assert.ok((await browser.password(ada)).status >= 500)
    await mend()

    assert.equal(await enter(browser, ada), '/account')
  })
})

/** What ends the trust in every browser of an account. */
const ENDS: Readonly<
  Record<string, (owner: Trusting & { readonly codes: readonly string[] }) => Promise<unknown>>
> = {
  'any change of the credentials': ({ world, ada }) => world.identity.users.endSessions(ada.id),
  'a recovery code at the second door': async ({ world, ada, codes }) => {
    const browser = await atDoor(world, ada, RECOVERY)
    assert.equal((await browser.submit(RECOVERY, { code: codes[0] ?? '' })).location, '/account')
  },
  'a recovery code at a step-up': async ({ world, ada, codes }) => {
    const browser = world.browser()
    await browser.signIn(ada)
    world.clock.advance(300)
    const path = '/account/recovery-codes'
    await browser.open(`${CONFIRM}?return_url=${path}&recovery=1`)
    const fields = { return_url: path, password: PASSWORD, recovery_code: codes[0] ?? '' }
    assert.equal((await browser.submit(CONFIRM, fields)).location, path)
  },
  ...(skip === false && {
    'the end of everybody’s sessions': async ({ world }) => {
      await act('endEverybodysSessions')(world)
    },
  }),
}

describe('the trust in every browser of an account', () => {
  for (const [what, end] of Object.entries(ENDS))
    it(`ends with ${what} [RA-1802]`, async (test) => {
      const world = await World.create(test, { trustedDeviceDays: DAYS })
      const { person: ada, codes } = await enroll(world, world.browser(), 'ada')
      const browser = world.browser()
      await trust(world, ada, browser)
      const left = await rows(world)
      world.clock.advance(30)

      await end({ world, ada, browser, codes })

      assert.deepEqual(await rows(world), [], 'deleted with the change')
      assert.equal(await enter(browser.twin(), ada), DOOR)
      // A change of the credentials ends what is bound to their version, even if it is there still.
      if (!what.startsWith('a recovery code'))
        await world.database
          .insertInto('trusted_browser')
          .values([...left])
          .execute()
      assert.equal(await enter(browser, ada), DOOR)
      assert.deepEqual(world.faults, [])
    })

  it(
    'ends in the transaction of the change, or not at all, and for this account only [RA-1802]',
    { skip },
    async (test) => {
      const { world, ada, browser } = await trusting(test)
      const bob = await world.person('bob')
      const failing = test.mock.method(world.identity.audit, 'record', () =>
        Promise.reject(new Error('full')),
      )
      await assert.rejects(act('disable')(world, ada.id))
      failing.mock.restore()
      await act('endSessions')(world, bob.id)

      assert.equal(await enter(browser, ada), '/account')
    },
  )
})
