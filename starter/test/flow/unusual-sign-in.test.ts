import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { World } from '../support.ts'
import { mailsOf, ownerOf } from './steps.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/129.0.0.0 Safari/537.36'
const HOME = { clientAddress: '203.0.113.7', userAgent: FIREFOX }
const AWAY = { clientAddress: '198.51.100.9', userAgent: CHROME }

function told(world: World): number {
  return mailsOf(world, /^New sign-in to your account$/)
}

describe('a sign-in from an unusual place', () => {
  it('is recorded and told, with device, network and time, once somebody was signed in [RA-2401]', async (test) => {
    const { world, person: ada } = await ownerOf(test)
    await world.browser(HOME).signIn(ada)
    const thief = world.browser(AWAY)
    await thief.password(ada)
    await thief.code(await world.wrongCode(ada))
    assert.equal(told(world), 0)

    world.clock.advance(60)
    await thief.code(await world.code(ada))

    assert.equal(told(world), 1)
    const [mail] = world.mailbox.list()
    assert.equal(mail?.to, ada.email)
    assert.match(mail?.text ?? '', /Device: Chrome on Windows\nFrom: network 198\.51\.100\.0\/24/)
    assert.match(mail?.text ?? '', /1 January 2026 at 00:01 UTC/)
    assert.equal((await world.events(ada)).at(-1), 'unusual-sign-in')
  })

  it('is told once, of many sign-ins at once [RA-2401]', async (test) => {
    const { world, person: ada } = await ownerOf(test, { factor: 'none' })
    await world.browser(HOME).signIn(ada)

    await Promise.all(Array.from({ length: 9 }, () => world.browser(AWAY).password(ada)))

    assert.equal(told(world), 1)
    assert.equal((await world.events(ada)).filter((kind) => kind === 'unusual-sign-in').length, 1)
  })
})

describe('mails about wrong codes', () => {
  it('tell that the password was right and the second step wrong again and again, once for each login, and of a lock, once, with its minutes [RA-2401 RA-0205 RA-0803]', async (test) => {
    const { world, person: ada, browser } = await ownerOf(test)
    const told = (): readonly number[] => [
      mailsOf(world, /^Your password was right, the second step was not/),
      mailsOf(world, /^A second step of your account is locked/),
    ]
    for (let times = 1; times <= 15; times += 1) {
      if (browser.sessionId === undefined || !('_2fa' in (await browser.session())))
        await browser.password(ada)
      assert.deepEqual(told(), [Number(times > 5), Number(times > 7)], `before code ${times}`)
      await browser.code(await world.wrongCode(ada))
    }

    assert.deepEqual(told(), [1, 1])
    const mail = world.mailbox.list().find(({ subject }) => subject.includes('is locked'))
    assert.equal(mail?.to, ada.email)
    assert.match(mail.text, /: Authenticator app\. It is not asked for 15 minutes/)
  })
})

describe('a password whose login was never finished', () => {
  it('is recorded, and shown to the owner, who is not warned of finished ones [RA-0205]', async (test) => {
    const { world, person: ada } = await ownerOf(test)
    const owner = await world.inside(ada)
    world.clock.advance(600)
    const quiet = await owner.open('/account')
    const thief = world.browser()
    await thief.password(ada)
    world.clock.advance(299)
    const early = await owner.open('/account')
    world.clock.advance(1)

    const told = await owner.open('/account')

    for (const { html } of [quiet, early])
      assert.doesNotMatch(
        html,
        /didn.{1,5}t complete the second step/,
        'nobody who is still typing, or has finished, is one',
      )
    assert.match(told.html, /Right password, but the sign-in was never finished/)
    assert.match(told.html, /class="message warning"><p>Someone entered your password/)
    assert.deepEqual(await world.events(ada), ['password-accepted', 'logged-in', 'password-accepted'])
  })
})
