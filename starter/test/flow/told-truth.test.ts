import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ADMINISTRATOR } from '../../parts/administration/permission.ts'
import { PASSWORD, World } from '../support.ts'
import { pathOf, SECURITY, signedIn } from './security-steps.ts'

describe('what pages and mails say about an account', () => {
  it('the account page lists every permission that is held [RA-1001]', async (test) => {
    const { browser } = await signedIn(test, { factor: 'enabled', permissions: [...ADMINISTRATOR] })

    const { html } = await browser.open('/account')

    for (const permission of ADMINISTRATOR)
      assert.ok(html.includes(`<span class="tag">${permission}</span>`), permission)
  })

  it('the last authenticator goes after a warning, with words for an account without one [FACTOR-34 RA-1702]', async (test) => {
    const owner = await signedIn(test)
    const { browser, world, person } = owner
    const remove = await pathOf(owner, 'remove')
    assert.match((await browser.open(remove)).html, /your password alone signs in, and your recovery codes/)

    assert.equal((await browser.submit(remove)).location, SECURITY)

    assert.match((await browser.open(SECURITY)).html, /From now on your password alone signs in/)
    const [mail] = world.mailbox.list()
    assert.deepEqual([mail?.to, mail?.subject], [person.email, 'Your account asks for the password only'])
  })

  it('a link for a new password refuses the present one, and still works [RA-1601]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada')
    const browser = world.browser()
    await browser.open('/forgot')
    await browser.submit('/forgot', { email: ada.email })
    const [link = ''] = world.mailbox.list().flatMap(({ text }) => /\/forgot\/[\w-]+/.exec(text) ?? [])
    await browser.open(link)

    const same = await browser.submit(link, { password: PASSWORD })
    const other = await browser.submit(link, { password: 'ladders lean on the northern wall' })

    assert.equal(same.status, 422)
    assert.match(same.html, /This is your present password/)
    assert.equal(other.location, '/login')
  })

  it('the mail about a disabled account tells nobody that there is nothing to do [RA-2401]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada')
    await world.identity.notices.tell(ada.id, 'account-disabled')
    await world.identity.notices.tell(ada.id, 'account-enabled')

    const texts = world.mailbox.list().map(({ text }) => text)

    assert.equal(texts.length, 2)
    for (const text of texts) {
      assert.match(text, /If you do not know why, ask the administrator/)
      assert.doesNotMatch(text, /there is nothing to do|not-me/)
    }
  })

  it('no mail about an act of the administration says that there is nothing to do [RA-2401]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada')
    await world.identity.notices.tell(ada.id, 'factors-reset')
    await world.identity.notices.tell(ada.id, 'sessions-ended-by-administrator')

    const [ended, reset] = world.mailbox.list().map(({ text }) => text)

    assert.match(reset ?? '', /ask the administrator of the site/)
    assert.match(ended ?? '', /[Aa]n administrator ended the sessions[\s\S]*ask the administrator/)
    for (const text of [reset ?? '', ended ?? '']) assert.doesNotMatch(text, /this was you|nothing to do/)
  })

  it('the mails of two forms say the same of a disabled account, and nothing else tells it [RA-2401]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada')
    await world.disable(ada)
    const browser = world.browser()
    const pages: string[] = []
    for (const path of ['/forgot', '/sign-up'])
      for (const email of [ada.email, 'stranger@example.test']) {
        await browser.open(path)
        pages.push((await browser.submit(path, { email })).location ?? '')
      }

    const mails = world.mailbox.list().filter(({ to }) => to === ada.email)

    assert.deepEqual(pages, ['/forgot/sent', '/forgot/sent', '/sign-up/sent', '/sign-up/sent'])
    assert.equal(mails.length, 2)
    for (const { subject, text } of mails) {
      assert.equal(subject, 'Your account is disabled')
      assert.match(text, /administrator disabled[\s\S]*obody can sign in to it[\s\S]*ask the administrator/)
      assert.doesNotMatch(text, /https?:|sign in instead|There is none/)
    }
    const [unknown] = world.mailbox.list().filter(({ subject }) => subject.startsWith('There is no account'))
    assert.equal(unknown?.to, 'stranger@example.test')
  })

  it('the advice to an account without a second step is not that two are better than one [RA-1002]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()
    await browser.signIn(await world.person('bob'))

    const { html } = await browser.open(SECURITY)

    assert.match(html, /Your account has no second step/)
    assert.match(html, /your password is enough for anyone who learns it/)
    assert.doesNotMatch(html, /losing your phone/)
  })
})
