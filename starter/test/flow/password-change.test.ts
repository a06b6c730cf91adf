import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SECURITY, signedIn } from './steps.ts'

const PATH = '/account/password'
const NEW = 'four ladders lean on the wall'

describe('a change of password', () => {
  it('is recorded, told by mail, and shown once, to a person who reads it; the new password counts in place of the old one [RA-1501 MEND-08]', async (test) => {
    const { world, browser, person } = await signedIn(test)

    const page = await browser.send(PATH, { password: NEW })

    assert.deepEqual([page.status, page.location], [303, SECURITY])
    await browser.client.request('HEAD', SECURITY)
    assert.match((await browser.open(SECURITY)).html, /Password changed/)
    assert.doesNotMatch((await browser.open(SECURITY)).html, /Password changed/)
    assert.equal((await world.events(person)).at(-1), 'password-changed')
    const [mail] = world.mailbox.list()
    assert.deepEqual([mail?.to, mail?.subject], [person.email, 'Your password was changed'])
    assert.equal((await world.browser().password(person)).status, 422)
    assert.equal((await world.browser().password(person, NEW)).location, '/login/2fa')
  })

  it('is not made by a session that was ended while the new password was being hashed [RA-1501 RA-3001]', async (test) => {
    const { world, browser, person } = await signedIn(test)
    await browser.open(PATH)
    const verify = world.hasher.verify.bind(world.hasher)
    test.mock.method(
      world.hasher,
      'verify',
      async (...given: Parameters<typeof verify>) => {
        await world.identity.users.endSessions(person.id)
        return verify(...given)
      },
      { times: 1 },
    )

    const page = await browser.submit(PATH, { password: NEW })

    assert.equal(page.location, SECURITY)
    assert.equal(await browser.isSignedIn(), false)
    assert.equal((await world.browser().password(person, NEW)).status, 422)
    assert.equal((await world.events(person)).includes('password-changed'), false)
  })
})
