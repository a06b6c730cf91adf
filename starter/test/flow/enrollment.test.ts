import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BRAND } from '../../core/brand.ts'
import { type Browser, World } from '../support.ts'
import { atDoor, codesOf, enroll, personOf, RECOVERY, signUp, enrolled } from './steps.ts'

async function isAnonymous(browser: Browser): Promise<boolean> {
  return !('_auth' in (await browser.session())) && !(await browser.isSignedIn())
}

describe('the first factor', () => {
  it('is shown as a picture in the page and as a key, and nowhere else [RA-1103 FACTOR-23]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()

    const page = await signUp(world, browser, 'eve')
    const eve = await personOf(world, 'eve', page)

    assert.match(page.html, /role="img"[^>]*>\s*<svg/)
    // The link that opens the app on this device is in no history: its scheme is none of the browser.
    assert.deepEqual(page.html.match(/otpauth:[^?]*/g), [
      `otpauth://totp/${encodeURIComponent(BRAND.name)}:eve%40example.test`,
    ])
    assert.doesNotMatch(page.html, /<img/)
    const factors = await world.database.selectFrom('factor').selectAll().execute()
    const kept = JSON.stringify([factors, await browser.session(), world.mailbox.list()])
    assert.equal(kept.includes(eve.secret?.reveal() ?? ''), false)
  })

  it('counts only once a code was right; nobody is signed in before [RA-0104 FACTOR-24 FACTOR-26 A-073]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()
    const eve = await personOf(world, 'eve', await signUp(world, browser, 'eve'))

    const refused = await browser.submit('/enroll', { code: await world.wrongCode(eve) })

    assert.equal(refused.status, 422)
    assert.match(refused.html, /Type the one that the app shows now/)
    assert.deepEqual(await world.identity.secondFactors.usable(eve.id), [])
    assert.equal(await isAnonymous(browser), true)
    assert.equal((await world.browser().password(eve)).location, '/account')
  })

  it('is enabled by its first code, then the recovery codes are shown, then the person is signed in [RA-0902 RA-1104 FACTOR-25]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()
    const before = await browser.open('/login').then(() => browser.sessionId)

    const { person: eve, codes } = await enroll(world, browser, 'eve')
    const wasAnonymous = await isAnonymous(browser)
    const during = browser.sessionId
    await browser.open('/enroll')
    const done = await browser.submit('/enroll/done')

    assert.equal(wasAnonymous, true)
    assert.equal(new Set(codes).size, 10)
    assert.deepEqual([done.status, done.location], [303, '/account'])
    assert.equal(await browser.isSignedIn(), true)
    assert.equal(new Set([before, during, browser.sessionId]).size, 3)
    const session = await browser.session()
    for (const key of ['enrollment', '_2fa']) assert.equal(key in session, false, key)
    assert.deepEqual(await world.events(eve), ['account-created', 'factor-enabled', 'logged-in'])
    assert.equal((await world.browser().password(eve)).location, '/login/2fa')
  })

  it('shows the codes once, and makes new ones in place of those that were not kept [RA-1301]', async (test) => {
    const { world, browser, person: eve, codes } = await enrolled(test)

    const again = await browser.open('/enroll')
    const renewed = codesOf(await browser.submit('/enroll/codes'))

    assert.deepEqual(codesOf(again), [])
    assert.equal(renewed.length, 10)
    const later = await atDoor(world, eve, RECOVERY)
    assert.equal((await later.submit(RECOVERY, { code: codes[0] ?? '' })).status, 422)
    assert.equal((await later.submit(RECOVERY, { code: renewed[0] ?? '' })).location, '/account')
  })

  for (const [name, end] of Object.entries<(browser: Browser, world: World, id: string) => Promise<unknown>>({
    'when the credentials change': (_, world, id) => world.identity.users.endSessions(id),
    'with a new login': (browser) => browser.password({ email: 'x@example.test' }, 'wrong'),
    'with signing out': (browser) => browser.submit('/logout'),
    // What counts by now is not cancelled.
    'when it is cancelled before its code': (browser) => browser.submit('/enroll/cancel'),
  }))
    it(`ends ${name}, and has no page then [RA-0002 RA-3002 RA-0004]`, async (test) => {
      const world = await World.create(test)
      const browser = world.browser()
      const eve = await personOf(world, 'eve', await signUp(world, browser, 'eve'))
      if (!name.includes('cancelled')) await browser.submit('/enroll', { code: await world.code(eve) })
      await browser.open('/enroll')

      await end(browser, world, eve.id)
      await browser.open('/login')

      for (const path of ['/enroll', '/enroll/codes', '/enroll/done'])
        assert.equal((await browser.submit(path, { code: '123456' })).location, '/login', path)
      assert.equal((await browser.open('/enroll')).location, '/login')
      assert.equal(await browser.isSignedIn(), false)
    })
})

describe('two requests of one set-up of a second step', () => {
  for (const [one, other] of [
    ['code', 'page'],
    ['codes', 'codes'],
    ['codes', 'page'],
    ['done', 'codes'],
  ] as const)
    it(`at the same time do what they do once, and it goes on: ${one} and ${other} [RA-1104 RA-3001 RA-0405 RA-2502 RA-2702]`, async (test) => {
      const world = await World.create(test)
      const browser = world.browser()
      const eve = await personOf(world, 'eve', await signUp(world, browser, 'eve'))
      const code = await world.code(eve)
      if (one !== 'code') await browser.submit('/enroll', { code })
      const { html } = await browser.open('/enroll')
      const [, _csrf = ''] = /name="_csrf" value="([^"]+)"/.exec(html) ?? []
      const send = {
        code: () => browser.submit('/enroll', { code, _csrf }),
        page: () => browser.open('/enroll'),
        codes: () => browser.submit('/enroll/codes', { _csrf }),
        done: () => browser.submit('/enroll/done', { _csrf }),
      }

      const pages = await Promise.all([send[one](), send[other]()])

      if (one === 'done') assert.ok(pages.some(({ location }) => location === '/account'))
      else {
        assert.ok(pages.some((page) => codesOf(page).length === 10))
        // The set-up offers new codes, these count, and it ends with a sign-in.
        assert.match((await browser.open('/enroll')).html, /action="\/enroll\/codes"/)
        const [next = ''] = codesOf(await browser.submit('/enroll/codes'))
        assert.equal((await browser.submit('/enroll/done')).location, '/account')
        const door = await atDoor(world, eve, RECOVERY)
        assert.equal((await door.submit(RECOVERY, { code: next })).location, '/account')
      }
      assert.equal(await browser.isSignedIn(), true)
    })
})
