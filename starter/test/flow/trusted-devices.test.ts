import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SessionPolicy } from 'sallyport/session'
import { MAX_TRUSTED_DEVICES, PARALLEL_SECONDS } from '../../identity/devices/trusted-devices.ts'
import { EVERYONE } from '../../identity/policy/factor-rules.ts'
import { PASSWORD, World } from '../support.ts'
import {
  COOKIE,
  DAYS,
  DOOR,
  enter,
  FIREFOX,
  leave,
  LIFE_SECONDS,
  mailsOf,
  rows,
  SECURITY,
  trust,
  trusting,
} from './device-steps.ts'
import { filesOf, listen } from './listening.ts'
import { enroll } from './newcomer.ts'
import { atPasskeyDoor, PASSKEY_DOOR, withPasskey } from './passkey-steps.ts'
import { CONFIRM } from './step-up-steps.ts'

const TRUSTED = /^A browser was trusted/
const TOLD = /Someone used your password and an old key of a trusted browser/
const REPLAYED = /^Someone may have copied a trusted browser/
const JSON_ONLY = { headers: { accept: 'application/json' } }

describe('a trusted browser', () => {
  it('is off by default: no box, no cookie, no part of a page, whatever is posted [RA-1801]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const browser = world.browser()
    await browser.password(ada)

    const { html } = await browser.open(DOOR)
    const page = await browser.submit(DOOR, { code: await world.code(ada), trust: '1' })

    assert.doesNotMatch(html, /name="trust"/)
    assert.equal(page.location, '/account')
    assert.equal(browser.client.cookie(COOKIE), undefined)
    assert.deepEqual(await rows(world), [])
    const { html: overview } = await browser.open(SECURITY)
    assert.doesNotMatch(overview, /Trusted browsers/)
    assert.equal((await browser.submit(`${SECURITY}/devices/revoke-all`)).status, 404)
  })

  it('asks for no second step after the right password, and for all of it after a wrong one [RA-1801]', async (test) => {
    const { world, ada, browser } = await trusting(test)

    assert.equal((await browser.password(ada, 'wrong')).status, 422)
    assert.equal(await browser.isSignedIn(), false)
    assert.equal(await enter(browser, ada), '/account')

    assert.equal(await browser.isSignedIn(), true)
    assert.equal(await enter(world.browser(), ada), DOOR)
    assert.equal((await world.events(ada)).at(-1), 'password-accepted')
    assert.deepEqual(world.faults, [])
  })

  it('is what the owner ticks, in both languages, and nobody else [RA-1801]', async (test) => {
    const world = await World.create(test, { trustedDeviceDays: DAYS })
    const ada = await world.person('ada', { factor: 'enabled' })
    const browser = world.browser()
    await browser.password(ada)

    const [english, german] = [
      await browser.open(DOOR),
      await browser.open(DOOR, { headers: { 'accept-language': 'de' } }),
    ]
    assert.match(
      english.html,
      /<input type="checkbox" name="trust"[^>]*>\s*Do not ask for the second step on this browser for 30 days/,
    )
    assert.match(german.html, /In diesem Browser 30 Tage lang nicht nach dem zweiten Schritt fragen/)
    assert.doesNotMatch(english.html, /name="trust"[^>]* checked/)
    // What was ticked stays ticked when the code is refused.
    const refused = await browser.submit(DOOR, { code: await world.wrongCode(ada), trust: '1' })
    assert.match(refused.html, /name="trust"[^>]* checked/)
    assert.equal(browser.client.cookie(COOKIE), undefined)
    const page = await browser.submit(DOOR, { code: await world.code(ada), trust: 'yes' })
    assert.equal(page.location, '/account')
    assert.deepEqual(await rows(world), [])
  })

  it('has a random token in a cookie that only the site reads, and the database has its digest only [RA-1801]', async (test) => {
    const lines = listen(test)
    const { world, ada, browser } = await trusting(test)
    const token = browser.client.cookie(COOKIE) ?? ''
    const [id, secret = ''] = token.split('.')

    const page = await browser.password(ada)

    const line = page.headers.getSetCookie().find((each) => each.startsWith(`${COOKIE}=`)) ?? ''
    for (const part of ['Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax'])
      assert.ok(line.split('; ').includes(part), `${part} in ${line}`)
    assert.doesNotMatch(line, /Domain/i)
    assert.equal(Buffer.from(secret, 'base64url').length, 32)
    const next = (browser.client.cookie(COOKIE) ?? '').split('.')
    assert.equal(next[0], id)
    assert.notEqual(next[1], secret)
    for (const each of [secret, next[1] ?? '?'])
      assert.deepEqual([filesOf(world).includes(each), lines.join().includes(each)], [false, false])
  })

  it('proves no factor: a step-up asks for one, and the pages say what the session began with [RA-1801]', async (test) => {
    const { world, ada, browser } = await trusting(test)
    world.clock.advance(300)
    assert.equal(await enter(browser, ada), '/account')

    const asked = await browser.open(`${SECURITY}/add`)
    assert.match(asked.location ?? '', new RegExp(`^${CONFIRM}`))
    const { html } = await browser.open(asked.location ?? '')
    assert.match(html, /name="code"/)
    assert.doesNotMatch(html, /name="password"|name="trust"/)
    assert.match((await browser.open('/account/sessions')).html, /password \+ trusted browser/)
    const activity = await browser.open('/account/activity')
    assert.match(activity.html, /Signed in\s*<span class="hint">\(trusted browser\)/)
    assert.match(activity.html, /Browser trusted: no second step there/)
    const exported = await browser.client.get('/account/activity/json')
    assert.match(await exported.text(), /"event":"device-trusted"/)
  })

  it('is bound to its account: another one that signs in with this browser passes its own door [RA-1801]', async (test) => {
    const { world, ada, browser } = await trusting(test)
    const bob = await world.person('bob', { factor: 'enabled' })

    assert.equal(await enter(browser, bob), DOOR)
    await browser.code(await world.code(bob))
    await leave(browser)
    assert.equal(await enter(browser, ada), '/account')
    await leave(browser)
    // The cookie belongs to the last one who asked for it, and what the browser lost counts no more.
    const copy = browser.twin()
    await trust(world, bob, browser)
    await leave(browser)
    assert.deepEqual(
      (await rows(world)).map((row) => row.account_id),
      [bob.id],
    )
    assert.equal(await enter(browser, bob), '/account')
    assert.equal(await enter(copy, ada), DOOR)
    assert.ok((await world.events(ada)).includes('device-forgotten'))
  })

  it('ends after its days, which its use does not prolong [RA-1801]', async (test) => {
    const { world, ada, browser } = await trusting(test)
    world.clock.advance(LIFE_SECONDS - 100)
    assert.equal(await enter(browser, ada), '/account')
    await leave(browser)
    assert.equal(await world.identity.devices.deleteExpired(), 0)
    world.clock.advance(100)

    assert.equal(await enter(browser, ada), DOOR)
    assert.equal(await world.identity.devices.deleteExpired(), 1)
    assert.deepEqual(await rows(world), [])
  })

  it('counts for nothing where the clock says that it is from the future [RA-1801 RA-2708]', async (test) => {
    const { world, ada, browser } = await trusting(test)
    world.clock.advance(-3600)

    assert.equal(await enter(browser, ada), DOOR)
  })

  it('becomes trusted by a passkey, too, and each one is told by mail [RA-1801]', async (test) => {
    const world = await World.create(test, { trustedDeviceDays: DAYS })
    const ada = await world.person('ada', { factor: 'enabled' })
    const key = await withPasskey(world, ada)
    const { browser, page } = await atPasskeyDoor(world, ada)
    assert.match(page.html, /name="trust"/)

    const done = await browser.submit(PASSKEY_DOOR, { response: key.respond(page.html), trust: '1' })
    assert.equal(done.location, '/account')
    await leave(browser)

    assert.equal(await enter(browser, ada), '/account')
    assert.equal(mailsOf(world, TRUSTED), 1)
  })

  it('is not offered after a recovery code or a code by mail, nor to a rule or an enrollment [RA-1801]', async (test) => {
    const world = await World.create(test, { trustedDeviceDays: DAYS, mailCodes: true })
    const first = world.browser()
    const { person, codes } = await enroll(world, first, 'ada')
    assert.doesNotMatch((await first.open('/enroll')).html, /name="trust"/)
    await first.submit('/enroll/done', { trust: '1' })
    const browser = world.browser()
    await browser.password(person)

    assert.match((await browser.open(DOOR)).html, /name="trust"/)
    assert.doesNotMatch((await browser.open('/mail-code')).html, /name="trust"/)
    const { html } = await browser.open(`${DOOR}/recovery`)
    assert.doesNotMatch(html, /name="trust"/)
    const page = await browser.submit(`${DOOR}/recovery`, { code: codes[0] ?? '', trust: '1' })
    assert.equal(page.location, '/account')
    assert.equal(browser.client.cookie(COOKIE), undefined)
    assert.deepEqual(await rows(world), [])
  })

  for (const kinds of [['totp'], ['passkey'], ['totp', 'hotp', 'passkey']] as const)
    it(`never stands in where a rule asks for ${kinds.join(' or ')} [RA-1801 RA-2203]`, async (test) => {
      const rule = { holders: 'admin.access', from: 0, graceSeconds: 0, kinds }
      const { world, ada, browser } = await trusting(test, { factorRules: [rule] })
      await world.database
        .insertInto('account_permission')
        .values({ account_id: ada.id, permission: 'admin.access' })
        .execute()

      const later = browser.twin()
      assert.equal(await enter(browser, ada), DOOR)
      assert.doesNotMatch((await browser.open(DOOR)).html, /name="trust"/)
      world.clock.advance(30)
      await browser.submit(DOOR, { code: await world.code(ada), trust: '1' })
      assert.equal((await rows(world)).length, 1, 'nothing is added')
      await world.database.deleteFrom('account_permission').execute()
      assert.equal(await enter(later, ada), '/account')
    })

  it('never replaces an enrollment that is due [RA-1801 RA-0901]', async (test) => {
    const rule = { holders: EVERYONE, from: 0, graceSeconds: 0, kinds: ['totp'] as const }
    const world = await World.create(test, { trustedDeviceDays: DAYS, factorRules: [rule] })
    const bob = await world.person('bob')
    const browser = world.browser()
    browser.client.setCookie(`${COOKIE}=${crypto.randomUUID()}.${'x'.repeat(43)}; Path=/; Secure`)

    assert.equal(await enter(browser, bob), '/enroll')
  })

  it('does not stand in while a factor is locked [RA-1801 RA-0801]', async (test) => {
    const { world, ada, browser } = await trusting(test)
    for (let challenge = 0; challenge < 2; challenge += 1) {
      const guessing = world.browser()
      await guessing.password(ada)
      for (let tries = 0; tries < 5; tries += 1) await guessing.code(await world.wrongCode(ada))
    }

    assert.equal(await enter(browser, ada), DOOR)
    world.clock.advance(15 * 60)
    assert.equal(await enter(browser, ada), '/account')
  })

  it('stops no recovery, because it is not what is said to be lost [RA-1801 RA-2101]', async (test) => {
    const { world, ada, browser } = await trusting(test)
    const asking = world.browser()
    await asking.password(ada)
    await asking.open('/lost')
    await asking.submit('/lost')
    const link = /https:\/\/app\.test(\/lost\/confirm\/[\w-]{43})/
    const path =
      world.mailbox
        .list()
        .map(({ text }) => link.exec(text)?.[1])
        .find(Boolean) ?? ''
    await asking.open(path)
    await asking.submit(path)

    assert.equal(await enter(browser, ada), '/account')

    assert.ok(!(await world.events(ada)).includes('recovery-cancelled'))
    assert.match((await browser.open('/account')).html, /action="\/lost\/stop"/)
  })
})

describe('the token of a trusted browser', () => {
  it('is replaced by each use: of 50 posts at once one signs in, the rest stand at the second door [RA-1801 RA-2502]', async (test) => {
    const { world, ada, browser } = await trusting(test)
    const token = browser.client.cookie(COOKIE) ?? ''
    const tabs = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const tab = world.browser()
        tab.client.setCookie(`${COOKIE}=${token}; Path=/; Secure`)
        await tab.open('/login')
        return tab
      }),
    )

    const pages = await Promise.all(
      tabs.map((tab) => tab.submit('/login', { email: ada.email, password: PASSWORD })),
    )

    const locations = pages.map(({ location }) => location)
    assert.equal(locations.filter((each) => each === '/account').length, 1)
    assert.equal(locations.filter((each) => each === DOOR).length, 49)
    const winner = tabs[locations.indexOf('/account')]
    assert.ok(winner !== undefined)
    // Within a minute they may be tabs of one browser, and no thief: the one that won goes on.
    assert.equal(mailsOf(world, REPLAYED), 0)
    await leave(winner)
    assert.equal(await enter(winner, ada), '/account')
    assert.equal((await world.events(ada)).filter((kind) => kind === 'logged-in').length, 3)
    assert.deepEqual(world.faults, [])
  })

  it('that is used again ends the trust of both, and is told once [RA-1801]', async (test) => {
    const { world, ada, browser } = await trusting(test)
    const thief = browser.twin()
    assert.equal(await enter(browser, ada), '/account')
    await leave(browser)
    world.clock.advance(PARALLEL_SECONDS)

    const attempts = await Promise.all(Array.from({ length: 5 }, () => enter(thief.twin(), ada)))

    assert.deepEqual([...new Set(attempts)], [DOOR])
    assert.equal(await enter(browser, ada), DOOR)
    assert.deepEqual(await rows(world), [])
    const events = await world.events(ada)
    assert.equal(events.filter((kind) => kind === 'device-replayed').length, 1)
    assert.equal(mailsOf(world, REPLAYED), 1)
  })

  it('that a thief used first is told when the owner comes, and ends with the thief [RA-1801]', async (test) => {
    const { world, ada, browser } = await trusting(test)
    const thief = browser.twin()
    assert.equal(await enter(thief, ada), '/account')
    await leave(thief)
    world.clock.advance(PARALLEL_SECONDS)

    assert.equal(await enter(browser, ada), DOOR)

    assert.equal(mailsOf(world, REPLAYED), 1)
    assert.equal(await enter(thief, ada), DOOR)
  })

  for (const first of ['the owner', 'the thief'] as const)
    it(`that is used again after ${first} used it ends the sessions that the trust began, and no others [RA-1801]`, async (test) => {
      const { world, ada, browser } = await trusting(test)
      const [earlier, later] = first === 'the owner' ? [browser, browser.twin()] : [browser.twin(), browser]
      const other = world.browser({ userAgent: FIREFOX })
      await trust(world, ada, other)
      assert.equal(await enter(earlier, ada), '/account')
      const both = world.browser()
      world.clock.advance(PARALLEL_SECONDS)
      await both.signIn(ada)

      assert.equal(await enter(later, ada), DOOR)

      assert.deepEqual([await earlier.isSignedIn(), await later.isSignedIn()], [false, false])
      assert.deepEqual([await other.isSignedIn(), await both.isSignedIn()], [true, true])
      assert.match((await later.open(DOOR)).html, TOLD)
      assert.doesNotMatch((await both.open('/account/sessions')).html, /password \+ trusted browser/)
      // The other one learns of it with its next sign-in, in either language, and once.
      assert.equal(await enter(earlier, ada), DOOR)
      const german = await earlier.open(DOOR, { headers: { 'accept-language': 'de' } })
      assert.match(german.html, /einen alten Schlüssel eines vertrauenswürdigen Browsers benutzt/)
      assert.equal(earlier.client.cookie(COOKIE), undefined)
      world.clock.advance(30)
      assert.equal((await earlier.code(await world.code(ada))).location, '/account')
      assert.doesNotMatch((await earlier.open('/account')).html, TOLD)
      await leave(earlier)
      await enter(earlier, ada)
      assert.doesNotMatch((await earlier.open(DOOR)).html, TOLD)
      assert.equal(mailsOf(world, REPLAYED), 1)
      assert.deepEqual(world.faults, [])
    })

  it('that is older than the one used last ends the trust at once, however often a thief signs in [RA-1801]', async (test) => {
    const { world, ada, browser } = await trusting(test)
    const thief = browser.twin()
    for (let round = 0; round < 3; round++) {
      assert.equal(await enter(thief, ada), '/account')
      await leave(thief)
      world.clock.advance(PARALLEL_SECONDS - 10)
    }
    assert.equal(await enter(thief, ada), '/account')

    assert.equal(await enter(browser, ada), DOOR)

    assert.deepEqual([await thief.isSignedIn(), await browser.isSignedIn()], [false, false])
    assert.match((await browser.open(DOOR)).html, TOLD)
    assert.equal(mailsOf(world, REPLAYED), 1)
    assert.equal(await enter(thief, ada), DOOR)
  })

  it('that is used again voids its sessions even if the store of sessions fails [RA-1801 RA-2501]', async (test) => {
    const { world, ada, browser } = await trusting(test)
    const thief = browser.twin()
    assert.equal(await enter(thief, ada), '/account')
    world.clock.advance(PARALLEL_SECONDS)
    const failing = test.mock.method(world.store, 'sessionsOf', () => Promise.reject(new Error('gone')))
    assert.equal(await enter(browser, ada), DOOR)
    failing.mock.restore()

    const page = await thief.open('/account')

    assert.match(page.location ?? '', /^\/login/)
    assert.match((await thief.open(page.location ?? '')).html, TOLD)
  })

  it('a trust that ended so is remembered longer than any session lasts, and then forgotten [RA-1801 RA-2708]', async (test) => {
    const { world, ada, browser } = await trusting(test)
    await enter(browser.twin(), ada)
    world.clock.advance(PARALLEL_SECONDS)
    await enter(browser, ada)

    world.clock.advance(world.app.get(SessionPolicy).absoluteMilliseconds / 1000)
    assert.equal(await world.identity.devices.deleteExpired(), 0)
    world.clock.advance(90 * 24 * 60 * 60)

    assert.equal(await world.identity.devices.deleteExpired(), 1)
  })

  it('that was replaced by a response which got lost costs a second step, and alarms nobody [RA-1801]', async (test) => {
    const { world, ada, browser } = await trusting(test)
    // The response to this copy is the one that got lost.
    assert.equal(await enter(browser.twin(), ada), '/account')

    assert.equal(await enter(browser, ada), DOOR)
    world.clock.advance(30)
    assert.equal((await browser.code(await world.code(ada))).location, '/account')
    await leave(browser)
    world.clock.advance(PARALLEL_SECONDS)
    assert.equal(await enter(browser, ada), DOOR)

    assert.equal(mailsOf(world, REPLAYED), 0)
    assert.deepEqual(await rows(world), [])
    assert.ok((await world.events(ada)).includes('device-forgotten'))
  })

  it('changes nothing when it is malformed, of nobody, or of a known row with another secret [RA-1801]', async (test) => {
    const { world, ada, browser } = await trusting(test)
    const [id = '', secret = ''] = (browser.client.cookie(COOKIE) ?? '').split('.')
    const values = ['', 'x', id, `${id}.`, `.${secret}`, `${crypto.randomUUID()}.${secret}`]
    for (const value of [
      ...values,
      `${id}.${secret}x`,
      `${id}.${secret.toLowerCase()}`,
      `${id}.${secret}%00`,
    ]) {
      const other = world.browser()
      other.client.setCookie(`${COOKIE}=${value}; Path=/; Secure`)
      assert.equal(await enter(other, ada), DOOR, value)
      assert.equal((await other.password(ada, 'wrong')).status, 422)
    }

    assert.equal(await enter(browser, ada), '/account')
    assert.deepEqual(world.faults, [])
  })

  it('is replaced in the transaction that records the login, or not at all [RA-1801 RA-2502]', async (test) => {
    const { world, ada, browser } = await trusting(test)
    const before = await rows(world)
    const failing = test.mock.method(world.identity.audit, 'record', () => Promise.reject(new Error('full')))

    assert.equal((await browser.password(ada)).status, 500)
    failing.mock.restore()

    assert.deepEqual(await rows(world), before)
    assert.equal(await enter(browser, ada), '/account')
  })
})

describe('the list of trusted browsers', () => {
  it('names each browser, since when, the last use and the end [RA-1801 RA-1001]', async (test) => {
    const { world, ada, browser } = await trusting(test)
    await enter(browser, ada)

    const { html } = await browser.open(SECURITY)

    const section = /<section[^>]*devices-heading[^]*?<\/section>/.exec(html)?.[0] ?? ''
    assert.match(section, /Firefox on Linux/)
    assert.match(section, /This browser/)
    assert.match(section, /Trusted:[^]*1 Jan 2026[^]*Last used:[^]*1 Jan 2026[^]*Until:[^]*31 Jan 2026/)
    assert.doesNotMatch(html, new RegExp((await rows(world))[0]?.digest ?? 'x'))
    const other = world.browser()
    world.clock.advance(30)
    await other.signIn(ada)
    const elsewhere = /<section[^>]*devices-heading[^]*?<\/section>/.exec((await other.open(SECURITY)).html)
    assert.doesNotMatch(elsewhere?.[0] ?? '', /This browser/)
  })

  it('removes one, and all, by a form with its token; the next sign-in asks again [RA-1801]', async (test) => {
    const { world, ada, browser } = await trusting(test)
    const second = world.browser({ userAgent: FIREFOX })
    await trust(world, ada, second)
    const [own] = (browser.client.cookie(COOKIE) ?? '').split('.')
    const path = `${SECURITY}/devices/${own}/revoke`
    await second.open(SECURITY)

    assert.equal((await second.client.post(path, { form: {} })).status, 403)
    for (const method of ['GET', 'HEAD'] as const)
      assert.equal((await second.client.request(method, path)).status, 405)
    assert.equal((await rows(world)).length, 2)
    assert.equal((await second.submit(path)).location, SECURITY)
    assert.match((await second.open(SECURITY)).html, /The browser is no longer trusted/)
    assert.equal((await second.submit(path, {}, JSON_ONLY)).status, 404)
    assert.equal(await enter(browser, ada), DOOR)
    const all = await second.submit(`${SECURITY}/devices/revoke-all`)
    assert.equal(all.location, SECURITY)
    await leave(second)

    assert.equal(await enter(second, ada), DOOR)
    assert.deepEqual(await rows(world), [])
    const events = await world.events(ada)
    assert.deepEqual([events.includes('device-revoked'), events.includes('devices-revoked')], [true, true])
  })

  it('shows and removes the own ones only: another one is not found [RA-1801]', async (test) => {
    const { world, ada, browser } = await trusting(test)
    const bob = await world.person('bob', { factor: 'enabled' })
    const other = world.browser()
    await trust(world, bob, other)
    const [id] = (browser.client.cookie(COOKIE) ?? '').split('.')
    assert.doesNotMatch((await other.open(SECURITY)).html, new RegExp(id ?? 'x'))

    assert.equal((await other.submit(`${SECURITY}/devices/${id}/revoke`, {}, JSON_ONLY)).status, 404)
    assert.equal((await other.submit(`${SECURITY}/devices/revoke-all`)).location, SECURITY)

    assert.deepEqual(
      (await rows(world)).map((row) => row.account_id),
      [ada.id],
    )
    const anonymous = world.browser()
    await anonymous.open('/login')
    assert.equal((await anonymous.submit(`${SECURITY}/devices/${id}/revoke`)).status, 401)
    assert.equal(await enter(browser, ada), '/account')
  })

  it(`holds ${MAX_TRUSTED_DEVICES} browsers at most, and the oldest leaves [RA-1801]`, async (test) => {
    const { world, ada, browser } = await trusting(test)
    for (let count = 0; count < MAX_TRUSTED_DEVICES; count += 1) await trust(world, ada, world.browser())

    assert.equal((await rows(world)).length, MAX_TRUSTED_DEVICES)
    assert.equal(await enter(browser, ada), DOOR)
  })

  it('has one line for a browser that is trusted again [RA-1801]', async (test) => {
    const { world, ada, browser } = await trusting(test)
    await world.database.updateTable('account').set({ credential_version: 2 }).execute()
    await trust(world, ada, browser)

    assert.equal((await rows(world)).length, 1)
  })

  it('goes with its account [RA-2001 RA-2501]', async (test) => {
    const { world, ada } = await trusting(test)
    assert.equal((await rows(world)).length, 1)

    await world.database.deleteFrom('account').where('id', '=', ada.id).execute()

    assert.deepEqual(await rows(world), [])
  })
})
