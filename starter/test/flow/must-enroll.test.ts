import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { ENROLLMENT_MAIL_LIMIT, ENROLLMENT_SECONDS } from '../../core/limits/limits.ts'
import { demanding } from '../demanding.ts'
import { type Browser, type Page, type Person, World } from '../support.ts'
import { newestLink, personOf } from './steps.ts'

/** An account without a factor that must have one. */
async function overdue(test: TestContext): Promise<{ readonly world: World; readonly ada: Person }> {
  const world = await World.create(test, demanding())
  return { world, ada: await world.person('ada') }
}

/** Enters the password, and opens the link in the mail. */
async function reachSetUp(world: World, browser: Browser, who: Person): Promise<Page> {
  assert.equal((await browser.password(who)).location, '/enroll')
  const link = newestLink(world)
  assert.equal((await browser.send(link)).location, '/enroll')
  return browser.open('/enroll')
}

async function isAnonymous(browser: Browser): Promise<boolean> {
  const keys = Object.keys(await browser.session())
  return !keys.includes('_auth') && !keys.includes('_2fa') && !(await browser.isSignedIn())
}

describe('an account that must have a second factor', () => {
  it('is anonymous after the password, and can only enroll [RA-0901]', async (test) => {
    const { world, ada } = await overdue(test)
    const browser = world.browser()
    const before = await browser.open('/login').then(() => browser.sessionId)

    const page = await reachSetUp(world, browser, ada)

    assert.match(page.html, /Your account must have a second step/)
    assert.equal(await isAnonymous(browser), true)
    assert.notEqual(browser.sessionId, before)
    for (const path of ['/account', '/account/security', '/account/recovery-codes'])
      assert.match((await browser.open(path)).location ?? '', /^\/login/, path)
    assert.equal((await browser.open('/login/2fa')).location, '/login')
    await browser.open('/enroll')
    assert.equal((await browser.submit('/enroll/done')).location, '/enroll')
    assert.equal(await isAnonymous(browser), true)
  })

  it('the password alone decides nothing: the link in the mail comes first, in the same browser [RA-0901]', async (test) => {
    const { world, ada } = await overdue(test)
    const [browser, other] = [world.browser(), world.browser()]
    await browser.password(ada)
    const link = newestLink(world)
    assert.match(link, /^\/enroll\/confirm\/[\w-]{43}$/)

    const waiting = await browser.open('/enroll')
    const early = await browser.submit('/enroll', { code: '123456' })
    const elsewhere = await other.open(link)

    assert.match(waiting.html, /Check your email[^]*ada@example\.test/)
    assert.doesNotMatch(waiting.html + early.html, /class="secret"/)
    assert.equal((await world.database.selectFrom('factor').selectAll().execute()).length, 0)
    assert.deepEqual([elsewhere.status, /does not work here/.test(elsewhere.html)], [410, true])
    await other.open('/login')
    assert.equal((await other.submit(link)).status, 410)
    // Opening it, as programs do that check mails, is not confirming it.
    assert.equal((await browser.open(link)).status, 200)
    assert.match((await browser.open('/enroll')).html, /Check your email/)
    assert.equal((await browser.send(link, { _csrf: 'x' })).status, 403)
    assert.equal((await browser.send(link)).location, '/enroll')
    assert.match((await browser.open('/enroll')).html, /class="secret"/)
    assert.equal(JSON.stringify(await browser.session()).includes(link.split('/').at(-1) ?? 'none'), false)
  })

  it('a link that is opened and confirmed again leads to the step that is due, and nothing happens twice [RA-0901]', async (test) => {
    const { world, ada } = await overdue(test)
    const browser = world.browser()
    const first = await personOf(world, 'ada', await reachSetUp(world, browser, ada))
    const link = newestLink(world)
    const events = await world.events(ada)
    const mails = world.mailbox.list().length

    for (let times = 0; times < 2; times += 1) {
      assert.equal((await browser.submit(link)).location, '/enroll')
      assert.equal((await browser.open(link)).location, '/enroll')
    }
    const again = await personOf(world, 'ada', await browser.open('/enroll'))

    assert.deepEqual(again.secret, first.secret)
    assert.deepEqual([await world.events(ada), world.mailbox.list().length], [events, mails])
    await browser.submit('/enroll', { code: await world.code(first) })
    assert.equal((await browser.open(link)).location, '/enroll')
    assert.match((await browser.open('/enroll')).html, /Did you keep your recovery codes/)
  })

  it('another link ends the one before, mails are limited, and late links restart at the password [RA-0901]', async (test) => {
    const { world, ada } = await overdue(test)
    const browser = world.browser()
    await browser.password(ada)
    const first = newestLink(world)
    for (let times = 1; times < ENROLLMENT_MAIL_LIMIT.failures; times += 1) {
      await browser.open('/enroll')
      assert.equal((await browser.submit('/enroll/mail')).location, '/enroll')
    }
    const last = newestLink(world)

    const refused = await browser.submit('/enroll/mail')
    assert.deepEqual([refused.status, /Too many links were sent/.test(refused.html)], [429, true])
    assert.equal((await browser.open(first)).status, 410)
    assert.equal((await browser.open(last)).status, 200)
    // Logging in again sends no more of them, and still asks for the link.
    const sent = world.mailbox.list().length
    const again = world.browser()
    assert.equal((await again.password(ada)).location, '/enroll')
    assert.equal(world.mailbox.list().length, sent)
    assert.equal((await again.open(last)).status, 410)
    world.clock.advance(ENROLLMENT_SECONDS)
    assert.equal((await browser.open(last)).status, 410)
    assert.equal((await browser.open('/enroll')).location, '/login')
  })

  it('where no mail can be sent, the password has to do [RA-0901]', async (test) => {
    const world = await World.create(test, { ...demanding(), sendsMails: false })
    const browser = world.browser()

    const begun = await browser.password(await world.person('ada'))

    assert.equal(begun.location, '/enroll')
    assert.match((await browser.open('/enroll')).html, /class="secret"/)
  })
})
