import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { ENROLLMENT_MAIL_LIMIT, ENROLLMENT_SECONDS } from '../../core/limits/limits.ts'
import { demanding } from '../demanding.ts'
import { newestLink, type Owner, ownerOf, personOf } from './steps.ts'

/** An account without a factor that must have one. */
function overdue(test: TestContext): Promise<Owner> {
  return ownerOf(test, { ...demanding(), factor: 'none' })
}

describe('an account that must have a second factor', () => {
  it('is anonymous after the password, and sets one up behind the link in the mail, in the same browser [RA-0901]', async (test) => {
    const { world, person: ada, browser } = await overdue(test)
    const other = world.browser()
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
    const page = await browser.open('/enroll')
    assert.match(page.html, /Your account must have a second step[^]*class="secret"/)
    assert.equal((await browser.submit('/enroll/done')).location, '/enroll')
    const keys = Object.keys(await browser.session())
    assert.deepEqual([keys.includes('_auth'), keys.includes('_2fa')], [false, false])
    assert.equal(JSON.stringify(await browser.session()).includes(link.split('/').at(-1) ?? 'none'), false)
    for (const path of ['/account', '/account/security', '/account/recovery-codes', '/login/2fa'])
      assert.match((await browser.open(path)).location ?? '', /^\/login/, path)
  })

  it('a link that is opened and confirmed again leads to the step that is due, and nothing happens twice [RA-0901]', async (test) => {
    const { world, person: ada, browser } = await overdue(test)
    await browser.password(ada)
    const link = newestLink(world)
    await browser.send(link)
    const first = await personOf(world, 'ada', await browser.open('/enroll'))
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
    const { world, person: ada, browser } = await overdue(test)
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
    const { person, browser } = await ownerOf(test, { ...demanding(), factor: 'none', sendsMails: false })

    const begun = await browser.password(person)

    assert.equal(begun.location, '/enroll')
    assert.match((await browser.open('/enroll')).html, /class="secret"/)
  })
})
