import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { PARALLEL_SECONDS } from '../../identity/devices/trusted-devices.ts'
import type { Browser, Person, World } from '../support.ts'
import { byCode, PROOFS, race, type Race } from './device-race-steps.ts'
import { COOKIE, DAYS, DOOR, enter, FIREFOX, leave, trust, trusting } from './device-steps.ts'
import { passkeySignIn } from './passkey-steps.ts'

const TOLD = /old key of a trusted browser: (.*?)\. That browser is no longer trusted/
const TOLD_GERMAN =
  /alten Schlüssel eines vertrauenswürdigen Browsers benutzt: Firefox unter Linux\. Dieser Browser/
const MAIL = 'Someone may have copied a trusted browser of your account'

/** The owner has ticked the box again and is signed in, and a thief has come back with the earlier token. */
async function robbed(test: TestContext): Promise<Race> {
  const raced = await race(test)
  await byCode(raced, { trust: '1' })
  await leave(raced.browser)
  raced.world.clock.advance(PARALLEL_SECONDS)
  assert.equal(await enter(raced.first, raced.ada), DOOR)
  return raced
}

/** A replay of an account, whoever did it. */
async function replay(world: World, { id: accountId }: Person): Promise<void> {
  const entry = { kind: 'device-replayed', accountId, clientAddress: '', device: 'Firefox/Linux' } as const
  await world.identity.audit.record(entry)
}

async function isTold(browser: Browser): Promise<boolean> {
  return TOLD.test((await browser.open('/account')).html)
}

describe('the account page after a copied token of a trusted browser came back', () => {
  it('tells the owner with the time, the browser and a link, once [RA-1801]', async (test) => {
    const { world, ada, browser } = await robbed(test)
    world.clock.advance(600)

    assert.equal(await enter(browser, ada), '/account')

    const { html } = await browser.open('/account')
    assert.equal(TOLD.exec(html)?.[1], 'Firefox on Linux')
    const warning = /<div class="message warning" role="alert">[^]*?<\/div>/.exec(html)?.[0] ?? ''
    assert.match(warning, /<time datetime="2026-01-01T00:0[1-9]:\d\dZ"[^]*href="\/account\/activity"/)
    assert.equal(await isTold(browser), false)
    await leave(browser)
    assert.equal(await enter(browser, ada), '/account')
    assert.equal(await isTold(browser), false)
    assert.deepEqual(world.faults, [])
  })

  it('comes first, whatever page the owner was about to open [RA-1801 RA-2803]', async (test) => {
    const { ada, browser } = await robbed(test)
    await browser.open('/login?return_url=/account/sessions')

    const { location } = await browser.submit('/login', {
      email: ada.email,
      password: 'a gate of two doors',
      return_url: '/account/sessions',
    })

    assert.equal(location, '/account')
    assert.equal(await isTold(browser), true)
  })

  it('tells it in German [RA-1801 RA-3101]', async (test) => {
    const { ada, browser } = await robbed(test)
    await enter(browser, ada)

    const { html } = await browser.open('/account', { headers: { 'accept-language': 'de' } })

    assert.match(html, TOLD_GERMAN)
  })

  for (const [name, prove] of Object.entries(PROOFS))
    it(`tells it after a sign-in by ${name} [RA-1801]`, async (test) => {
      const raced = await robbed(test)
      const { world, ada } = raced
      const browser = world.browser()
      assert.equal(await enter(browser, ada), DOOR)

      await prove({ ...raced, browser })

      assert.deepEqual([await isTold(browser), await isTold(browser)], [true, false])
    })

  it('tells it after a sign-in by a passkey alone, and by the password alone [RA-1801]', async (test) => {
    const { world, key } = await robbed(test)
    const bob = await world.person('bob')
    await replay(world, bob)
    const [byKey, byPassword] = [world.browser(), world.browser()]

    assert.equal((await passkeySignIn(byKey, key)).location, '/account')
    assert.equal(await enter(byPassword, bob), '/account')

    assert.deepEqual([await isTold(byKey), await isTold(byPassword)], [true, true])
  })

  it('tells it whatever the thief does without a second step [RA-1801]', async (test) => {
    const { world, ada, browser, first } = await robbed(test)
    await first.open(DOOR)
    await first.code(await world.wrongCode(ada))
    await first.open(DOOR)
    await first.submit('/login/2fa/cancel')
    assert.equal(await enter(first.twin(), ada), DOOR)
    const other = world.browser()
    await enter(other, ada)
    assert.doesNotMatch((await other.open(DOOR)).html, /old key of a trusted browser/)

    assert.equal(await enter(browser, ada), '/account')

    assert.equal(await isTold(browser), true)
  })

  it('tells nothing again that the second door of the same sign-in has told [RA-1801]', async (test) => {
    const { world, ada, browser } = await trusting(test)
    await enter(browser.twin(), ada)
    world.clock.advance(PARALLEL_SECONDS)
    assert.equal(await enter(browser, ada), DOOR)
    assert.match((await browser.open(DOOR)).html, /old key of a trusted browser/)

    await browser.code(await world.code(ada))

    assert.equal(await isTold(browser), false)
    await leave(browser)
    world.clock.advance(30)
    await browser.signIn(ada)
    assert.equal(await isTold(browser), false)
  })

  it('tells what was found after the second door of a sign-in that was given up [RA-1801]', async (test) => {
    const { world, ada, browser } = await trusting(test)
    await enter(browser.twin(), ada)
    world.clock.advance(PARALLEL_SECONDS)
    assert.equal(await enter(browser, ada), DOOR)
    world.clock.advance(600)

    await browser.signIn(ada)

    assert.equal(await isTold(browser), true)
  })

  it('tells it to nobody else who signs in with the same browser [RA-1801]', async (test) => {
    const { world, ada, browser } = await robbed(test)
    const bob = await world.person('bob')
    await enter(browser, ada)
    await browser.open('/account/security')
    await browser.submit('/logout')

    await enter(browser, bob)

    assert.equal(await isTold(browser), false)
  })
})

describe('the mails about a trusted browser', () => {
  it('read like an alarm, and say that another browser of the same name is not affected [RA-1801 RA-2401]', async (test) => {
    const { world } = await robbed(test)

    const mail = world.mailbox.list().find(({ subject }) => subject === MAIL)

    assert.match(mail?.text ?? '', /trusted browser[^]*: Firefox on Linux\./)
    assert.match(
      mail?.text ?? '',
      /have ended\. The browser of the same name that is trusted now is not affected/,
    )
  })

  it('say nothing about others where no other one has the name [RA-1801 RA-2401]', async (test) => {
    const { world, ada, browser } = await trusting(test)
    await trust(world, ada, world.browser())
    const thief = world.browser({ userAgent: FIREFOX })
    thief.client.setCookie(`${COOKIE}=${browser.client.cookie(COOKIE)}; Path=/; Secure`)
    await enter(browser, ada)
    world.clock.advance(PARALLEL_SECONDS)

    await enter(thief, ada)

    const mail = world.mailbox.list().find(({ subject }) => subject === MAIL)
    assert.match(mail?.text ?? '', /have ended\. This happens/)
  })

  it('give the date on which the trust ends [RA-1801 RA-2401]', async (test) => {
    const { world } = await trusting(test)

    const mail = world.mailbox.list().find(({ subject }) => subject.startsWith('A browser was trusted'))

    assert.match(mail?.text ?? '', new RegExp(`Until ${DAYS + 1} January 2026 at 00:00 UTC, your password`))
  })
})
