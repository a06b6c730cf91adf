import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { withoutSqlite } from '../databases.ts'
import { atDoor, DOOR, ownerOf } from './steps.ts'

describe('a pending login', () => {
  for (const [path, said] of [
    ['/login/2fa/cancel', /Sign-in cancelled/],
    ['/logout', /You are signed out/],
  ] as const)
    it(`is ended by POST ${path}: no challenge, a new id, and the code stays unused [FLOW-38 FLOW-39 RA-2301 RA-2701]`, async (test) => {
      const { world, person: ada } = await ownerOf(test)
      const browser = await atDoor(world, ada)
      const before = browser.sessionId
      const code = await world.code(ada)

      const page = await browser.submit(path)

      assert.deepEqual([page.status, page.location], [303, '/login'])
      assert.notEqual(browser.sessionId, before)
      const session = await browser.session()
      for (const key of ['_2fa', '_auth', '_csrf', 'challenge']) assert.equal(key in session, false, key)
      assert.match((await browser.open('/login')).html, said)
      const late = await browser.submit(DOOR, { code })
      assert.deepEqual([late.status, late.location], [303, '/login'])
      assert.deepEqual(await world.events(ada), ['password-accepted', 'challenge-cancelled'])
      await browser.password(ada)
      assert.equal((await browser.code(code)).location, '/account')
    })
})

describe('POST /logout', () => {
  it('ends an identity and keeps unrelated data [RA-2701 FLOW-41 SESS-09 SESS-10 SESS-11 SESS-13 RA-2301]', async (test) => {
    const { world, person: ada, browser } = await ownerOf(test, { factor: 'none' })
    await browser.signIn(ada)
    await browser.write('cart', ['a lamp'])
    await browser.write('_2fa', { identifier: ada.id, expires_at: 1 })
    await browser.open('/account')
    const before = browser.twin()

    const page = await browser.submit('/logout')

    assert.deepEqual([page.status, page.location], [303, '/login'])
    const session = await browser.session()
    for (const key of ['_2fa', '_auth', '_csrf']) assert.equal(key in session, false, key)
    assert.deepEqual(session['cart'], ['a lamp'])
    assert.notEqual(browser.sessionId, before.sessionId)
    assert.equal(await browser.isSignedIn(), false)
    assert.equal(await before.isSignedIn(), false)
    assert.match((await browser.open('/login')).html, /You are signed out/)
    assert.deepEqual(await world.events(ada), ['logged-in', 'logged-out', 'challenge-cancelled'])
  })

  it('without a live session says that nobody is signed in [RA-2802 RA-2301]', async (test) => {
    const { world, person, browser: nobody } = await ownerOf(test, { factor: 'none' })
    const ended = await world.inside(person)
    world.clock.advance(1800)

    for (const browser of [ended, nobody]) {
      const page = await browser.submit('/logout')
      assert.deepEqual([page.status, page.location], [303, '/logout'])
      assert.match((await browser.open('/logout')).html, /<h1>You are signed out<\/h1>/)
    }
  })

  it(
    'says that one is still signed in when the store cannot write, and works afterwards [A-124 RA-2802]',
    { skip: withoutSqlite },
    async (test) => {
      const { world, person: ada, browser } = await ownerOf(test, { factor: 'none' })
      await browser.signIn(ada)
      await browser.open('/account')
      const sessions = new DatabaseSync(join(world.directory, 'sessions.sqlite'))
      test.after(() => sessions.close())
      const full =
        "CREATE TRIGGER full BEFORE INSERT ON sallyport_session BEGIN SELECT RAISE(ABORT, 'full'); END"
      sessions.exec(`${full}; ${full.replace('full BEFORE INSERT', 'filled BEFORE UPDATE')}`)

      const page = await browser.submit('/logout')

      assert.equal(page.status, 503)
      assert.match(page.html, /<h1>You are still signed in<\/h1>/)
      assert.match(page.html, /href="\/logout"/)
      sessions.exec('DROP TRIGGER full; DROP TRIGGER filled')
      // The page there offers the button, and changes nothing.
      assert.match((await browser.open('/logout')).html, /<form method="post" action="\/logout">/)
      assert.equal(await browser.isSignedIn(), true)
      assert.equal((await browser.submit('/logout')).location, '/login')
      assert.equal(await browser.isSignedIn(), false)
    },
  )
})
