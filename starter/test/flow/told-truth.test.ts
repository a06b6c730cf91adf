import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PASSWORD, World } from '../support.ts'
import { pathOf, SECURITY, signedIn } from './security-steps.ts'

describe('what pages and mails say about an account', () => {
  it('the last authenticator goes after a warning, with words for an account without one [FACTOR-34 RA-1702]', async (test) => {
    const owner = await signedIn(test)
    const { browser, world, person } = owner
    const remove = await pathOf(owner, 'remove')
    assert.match(
      (await browser.open(remove)).html,
      /you sign in with your password only, and your recovery codes/,
    )

    assert.equal((await browser.submit(remove)).location, SECURITY)

    assert.match((await browser.open(SECURITY)).html, /You sign in with your password only/)
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
})
