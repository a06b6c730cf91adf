import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PARALLEL_SECONDS } from '../../identity/devices/trusted-devices.ts'
import { byCode, PROOFS, race } from './device-race-steps.ts'
import { COOKIE, DOOR, enter, leave, mailsOf, rows, trust } from './device-steps.ts'

const TOLD = /Someone used your password and an old key of a trusted browser/
const ELSEWHERE = /this session was ended elsewhere/
const REPLAYED = /^Someone may have copied a trusted browser/

describe('a token of a trusted browser that two clients use within a minute', () => {
  for (const [name, prove] of Object.entries(PROOFS))
    it(`ends the session of the first when the second proves the second step by ${name}, and alarms nobody [RA-1801]`, async (test) => {
      const raced = await race(test)
      const { world, ada, browser, first } = raced
      const before = await rows(world)

      await prove(raced)

      assert.deepEqual([await first.isSignedIn(), await browser.isSignedIn()], [false, true])
      assert.match((await first.open('/login')).html, ELSEWHERE)
      const left = await rows(world)
      assert.ok(!left.some(({ id }) => id === before[0]?.id))
      assert.equal(left.length, name.endsWith('box') ? 1 : 0)
      assert.doesNotMatch((await browser.open('/account/sessions')).html, /trusted browser/)
      assert.equal(mailsOf(world, REPLAYED), 0)
      const events = await world.events(ada)
      assert.ok(events.includes('device-forgotten'))
      assert.ok(!events.includes('device-replayed'))
      assert.deepEqual(world.faults, [])
    })

  it('leaves the session of the first alone while nobody proves the second step [RA-1801]', async (test) => {
    const { world, browser, first } = await race(test)

    await browser.open(DOOR)
    assert.equal((await browser.submit(DOOR, { code: '000000' })).status, 422)

    assert.equal(await first.isSignedIn(), true)
    assert.equal((await rows(world)).length, 1)
  })

  it('ends that session even if the store of sessions fails [RA-1801 RA-2501]', async (test) => {
    const raced = await race(test)
    const { world, browser, first } = raced
    const failing = test.mock.method(world.store, 'sessionsOf', () => Promise.reject(new Error('gone')))
    await byCode(raced)
    failing.mock.restore()

    assert.deepEqual([await first.isSignedIn(), await browser.isSignedIn()], [false, true])
  })

  it('leaves every session alone that began with a second step, or with another trusted browser [RA-1801]', async (test) => {
    const raced = await race(test)
    const other = raced.world.browser()
    await trust(raced.world, raced.ada, other)
    await leave(other)
    assert.equal(await enter(other, raced.ada), '/account')
    const both = raced.world.browser()
    raced.world.clock.advance(30)
    await both.signIn(raced.ada)

    await byCode(raced)

    assert.deepEqual([await other.isSignedIn(), await both.isSignedIn()], [true, true])
    assert.equal(await raced.first.isSignedIn(), false)
  })

  it('is told as a theft when the first comes back with the token that only it was given, once [RA-1801]', async (test) => {
    const raced = await race(test)
    const { world, ada, browser, first } = raced
    await byCode(raced)
    const thieves = Array.from({ length: 5 }, () => first.twin())

    const attempts = await Promise.all(thieves.map((thief) => enter(thief, ada)))

    assert.deepEqual([...new Set(attempts)], [DOOR])
    assert.equal(mailsOf(world, REPLAYED), 1)
    const events = await world.events(ada)
    assert.equal(events.filter((kind) => kind === 'device-replayed').length, 1)
    // The session of the owner began with the second step.
    assert.equal(await browser.isSignedIn(), true)
    await leave(browser)
    assert.equal(await enter(browser, ada), DOOR)
    assert.match((await browser.open(DOOR)).html, TOLD)
    assert.equal(browser.client.cookie(COOKIE), undefined)
    assert.deepEqual(world.faults, [])
  })

  it('is no theft when the second shows its own old token again, or one that was made up [RA-1801]', async (test) => {
    const raced = await race(test)
    const { world, ada, browser } = raced
    const old = browser.twin()
    await byCode(raced)
    const [id = ''] = (old.client.cookie(COOKIE) ?? '').split('.')
    const guess = world.browser()
    guess.client.setCookie(`${COOKIE}=${id}.${'A'.repeat(43)}; Path=/; Secure`)
    world.clock.advance(PARALLEL_SECONDS)

    assert.equal(await enter(old, ada), DOOR)
    assert.equal(await enter(guess, ada), DOOR)

    assert.equal(mailsOf(world, REPLAYED), 0)
    assert.equal(await browser.isSignedIn(), true)
  })

  for (const isWanted of [false, true])
    it(`is told as a theft when the first uses the next one before the second has proven the second step, ${isWanted ? 'with' : 'without'} the box [RA-1801]`, async (test) => {
      const raced = await race(test)
      const { world, ada, browser, first } = raced
      await leave(first)
      assert.equal(await enter(first, ada), '/account')

      await byCode(raced, isWanted ? { trust: '1' } : {})

      assert.match((await browser.open('/account')).html, TOLD)
      assert.deepEqual([await first.isSignedIn(), await browser.isSignedIn()], [false, true])
      assert.equal(mailsOf(world, REPLAYED), 1)
      assert.equal(await enter(first, ada), DOOR)
      assert.equal((await rows(world)).length, isWanted ? 1 : 0)
      await leave(browser)
      assert.equal(await enter(browser, ada), isWanted ? '/account' : DOOR)
    })
})
