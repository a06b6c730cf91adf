import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BRAND } from '../../core/brand.ts'
import { type Browser, type Page, World } from '../support.ts'
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
    const [factor] = await world.database.selectFrom('factor').selectAll().execute()
    assert.equal(factor?.state, 'unverified')
    const secret = eve.secret?.reveal() ?? ''
    const stored = JSON.stringify([factor, await world.database.selectFrom('event').selectAll().execute()])
    assert.equal(stored.includes(secret), false)
    assert.equal(JSON.stringify(await browser.session()).includes(secret), false)
    assert.equal(
      world.mailbox.list().some(({ text }) => text.includes(secret)),
      false,
    )
  })

  it('counts only once a code was right; nobody is signed in before [RA-0104 FACTOR-24 FACTOR-26 A-073]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()
    const eve = await personOf(world, 'eve', await signUp(world, browser, 'eve'))

    const refused = await browser.submit('/enroll', { code: await world.wrongCode(eve) })

    assert.equal(refused.status, 422)
    assert.match(refused.html, /Type the one that the app shows now/)
    assert.equal(await world.identity.secondFactors.isRequired(eve.id), false)
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
    const keys = Object.keys(await browser.session())
    assert.deepEqual(
      [keys.includes('_auth'), keys.includes('enrollment'), keys.includes('_2fa')],
      [true, false, false],
    )
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

  it('ends when the credentials change, when it is cancelled, and with a new login [RA-0002 RA-3002]', async (test) => {
    const world = await World.create(test)
    const proven = async (browser: Browser, name: string): Promise<string> =>
      (await enroll(world, browser, name)).person.id
    const shown = async (browser: Browser, name: string): Promise<string> =>
      (await personOf(world, name, await signUp(world, browser, name))).id
    for (const [name, end] of Object.entries({
      changed: async (_: Browser, id: string) => void (await world.identity.users.endSessions(id)),
      cancelled: async (browser: Browser) => void (await browser.submit('/enroll/cancel')),
      restarted: async (browser: Browser) =>
        void (await browser.password({ email: 'x@example.test' }, 'wrong')),
      left: async (browser: Browser) => void (await browser.submit('/logout')),
    })) {
      const browser = world.browser()
      // What counts by now is not cancelled.
      const id = await (name === 'cancelled' ? shown : proven)(browser, name)
      await browser.open('/enroll')

      await end(browser, id)
      await browser.open('/login')

      assert.equal((await browser.submit('/enroll/done')).location, '/login', name)
      assert.equal(await browser.isSignedIn(), false, name)
    }
  })

  it('needs the token of the form, and has no page without a sign-up [RA-0004]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()
    await signUp(world, browser, 'eve')

    for (const path of ['/enroll', '/enroll/codes', '/enroll/done', '/enroll/cancel'])
      assert.equal((await browser.submit(path, { _csrf: 'x', code: '1' })).status, 403)
    assert.equal((await world.browser().open('/enroll')).location, '/login')
    const other = world.browser()
    await other.open('/login')
    for (const path of ['/enroll', '/enroll/codes', '/enroll/done'])
      assert.equal((await other.submit(path, { code: '123456' })).location, '/login')
  })
})

/** What is sent: a page when it has no fields. */
interface Sent {
  readonly path: string
  readonly fields?: Readonly<Record<string, string>>
}

const PAGE: Sent = { path: '/enroll' }
const CODES: Sent = { path: '/enroll/codes', fields: {} }
const DONE: Sent = { path: '/enroll/done', fields: {} }

describe('two requests of one set-up of a second step', () => {
  for (const [name, isProven, pick] of [
    ['the first code and a reload', false, (code: Sent) => [code, PAGE]],
    ['new codes twice', true, () => [CODES, CODES]],
    ['new codes and a reload', true, () => [CODES, PAGE]],
    ['the end and new codes', true, () => [DONE, CODES]],
  ] as const)
    it(`at the same time do what they do once, and it goes on: ${name} [RA-1104 RA-3001 RA-0405 RA-2502 RA-2702]`, async (test) => {
      const world = await World.create(test)
      const browser = world.browser()
      const eve = await personOf(world, 'eve', await signUp(world, browser, 'eve'))
      const code = { path: '/enroll', fields: { code: await world.code(eve) } }
      if (isProven) await browser.submit(code.path, code.fields)
      const { html } = await browser.open('/enroll')
      const token = /name="_csrf" value="([^"]+)"/.exec(html)?.[1] ?? ''
      const send = ({ path, fields }: Sent): Promise<Page> =>
        fields === undefined ? browser.open(path) : browser.submit(path, { ...fields, _csrf: token })

      const sent = pick(code)
      const pages = await Promise.all(sent.map(send))

      if (sent.includes(DONE)) assert.ok(pages.some(({ location }) => location === '/account'))
      else {
        const shown = pages.filter((page) => codesOf(page).length === 10).length
        assert.ok(isProven ? shown >= 1 : shown === 1, `${shown} times`)
        // The set-up offers new codes, these count, and it ends with a sign-in.
        assert.match((await browser.open('/enroll')).html, /action="\/enroll\/codes"/)
        const [next = ''] = codesOf(await browser.submit('/enroll/codes'))
        assert.equal((await browser.submit('/enroll/done')).location, '/account')
        const other = await atDoor(world, eve, RECOVERY)
        assert.equal((await other.submit(RECOVERY, { code: next })).location, '/account')
      }
      assert.equal(await browser.isSignedIn(), true)
      const logins = sent.includes(DONE) ? 1 : 2
      assert.equal((await world.events(eve)).filter((kind) => kind === 'logged-in').length, logins)
    })
})
