import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SECURITY, signedIn } from './steps.ts'

const PATH = '/account/password'
const NEW = 'four ladders lean on the wall'

describe('a change of password', () => {
  it('ends the other sessions and pending logins, and a mail tells it [RA-1501 RA-3001 RA-3002]', async (test) => {
    const { world, browser, person } = await signedIn(test)
    const other = await world.inside(person)
    world.clock.advance(30)
    const pending = world.browser()
    await pending.password(person)
    await browser.open(PATH)
    const before = browser.sessionId

    const page = await browser.submit(PATH, { password: NEW })

    assert.deepEqual([page.status, page.location], [303, SECURITY])
    assert.match((await browser.open(SECURITY)).html, /Password changed/)
    assert.deepEqual([await browser.isSignedIn(), await other.isSignedIn()], [true, false])
    assert.notEqual(browser.sessionId, before)
    assert.equal((await pending.open('/login/2fa')).location, '/login')
    assert.ok((await world.events(person)).includes('password-changed'))
    const [mail] = world.mailbox.list()
    assert.deepEqual([mail?.to, mail?.subject], [person.email, 'Your password was changed'])
    assert.equal((await world.browser().password(person)).status, 422)
    const login = world.browser()
    assert.equal((await login.password(person, NEW)).location, '/login/2fa')
    assert.equal((await login.code(await world.code(person))).location, '/account')
  })

  it('of many changes at once, one is made [RA-1501 RA-2502]', async (test) => {
    const { world, browser, person } = await signedIn(test)
    await browser.open(PATH)
    const chosen = Array.from({ length: 6 }, (_, index) => `${NEW} number ${index}`)
    const twins = chosen.map((password) => ({ password, twin: browser.twin() }))

    await Promise.all(twins.map(({ password, twin }) => twin.submit(PATH, { password })))

    assert.equal((await world.events(person)).filter((kind) => kind === 'password-changed').length, 1)
    const logins = await Promise.all(chosen.map((password) => world.browser().password(person, password)))
    assert.equal(logins.filter(({ location }) => location === '/login/2fa').length, 1)
    assert.deepEqual(world.faults, [])
  })

  it('is not made by a session that was ended while the new password was being hashed [RA-1501 RA-3001]', async (test) => {
    const { world, browser, person } = await signedIn(test)
    await browser.open(PATH)
    const verify = world.hasher.verify.bind(world.hasher)
    world.hasher.verify = async (password, hash) => {
      await world.identity.users.endSessions(person.id)
      return verify(password, hash)
    }

    const page = await browser.submit(PATH, { password: NEW })
    world.hasher.verify = verify

    assert.equal(page.location, SECURITY)
    assert.equal(await browser.isSignedIn(), false)
    assert.equal((await world.browser().password(person, NEW)).status, 422)
    assert.equal((await world.events(person)).includes('password-changed'), false)
  })
})
