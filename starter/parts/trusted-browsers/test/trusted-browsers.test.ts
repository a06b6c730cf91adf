import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { demanding } from '../../../test/demanding.ts'
import { act, missing, ofParts } from '../../../test/facts-of-parts.ts'
import { readEnvironment } from '../../../core/boot/environment.ts'
import { trustedBrowsers } from '../part.ts'
import {
  atDoor,
  CONFIRM,
  DOOR,
  enroll,
  enter,
  leave,
  mailsOf,
  RECOVERY,
  SECURITY,
} from '../../../test/flow/steps.ts'
import { listen } from 'sallyport-app/testing'
import { databases } from '../../../test/databases.ts'
import { type Browser, World } from '../../../test/support.ts'
import { MAX_TRUSTED_BROWSERS } from '../trusted-browsers.ts'
import { COOKIE, DAYS, LIFE_SECONDS, rows, trust, trusting } from './steps.ts'

// Kinds of factors that accounts hold, beside an authenticator.
const HELD = Object.entries(ofParts('doors')).filter(([, { hold }]) => hold !== undefined)

const JSON_ONLY = { headers: { accept: 'application/json' } }

describe('a trusted browser', () => {
  it('is off by default: no box, no cookie, no part of a page, whatever is posted [RA-1801]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const browser = await atDoor(world, ada)

    assert.doesNotMatch((await browser.open(DOOR)).html, /name="trust"/)
    await browser.submit(DOOR, { code: await world.code(ada), trust: '1' })

    assert.equal(browser.client.cookie(COOKIE), undefined)
    assert.doesNotMatch((await browser.open(SECURITY)).html, /Trusted browsers/)
    assert.equal((await browser.submit(`${SECURITY}/devices/revoke-all`)).status, 404)
  })

  it('asks for no second step after the right password, and for all of it after a wrong one or elsewhere [RA-1801]', async (test) => {
    const { world, ada, browser } = await trusting(test)

    assert.equal((await browser.password(ada, 'wrong')).status, 422)
    assert.equal(await browser.isSignedIn(), false)
    for (let times = 0; times < 3; times += 1) {
      assert.equal(await enter(browser, ada), '/account')
      await leave(browser)
    }

    assert.equal(await enter(world.browser(), ada), DOOR)
    assert.deepEqual(world.faults, [])
  })

  it('is what the owner ticks, and nothing else [RA-1801]', async (test) => {
    const world = await World.create(test, { trustedDeviceDays: DAYS })
    const ada = await world.person('ada', { factor: 'enabled' })
    const browser = await atDoor(world, ada)

    const { html } = await browser.open(DOOR)
    const refused = await browser.submit(DOOR, { code: await world.wrongCode(ada), trust: '1' })
    const page = await browser.submit(DOOR, { code: await world.code(ada), trust: 'yes' })

    assert.match(html, /name="trust"/)
    assert.doesNotMatch(html, /name="trust"[^>]* checked/)
    assert.match(refused.html, /name="trust"[^>]* checked/)
    assert.equal(page.location, '/account')
    assert.deepEqual(await rows(world), [])
  })

  it('has a random token in a cookie that only the site reads, and the database has its digest only [RA-1801]', async (test) => {
    const lines = listen(test)
    const { world, ada, browser } = await trusting(test)
    const [id, secret = ''] = (browser.client.cookie(COOKIE) ?? '').split('.')

    const page = await browser.password(ada)

    const line = page.headers.getSetCookie().find((each) => each.startsWith(`${COOKIE}=`)) ?? ''
    for (const attribute of ['Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax'])
      assert.ok(line.split('; ').includes(attribute), `${attribute} in ${line}`)
    assert.doesNotMatch(line, /Domain/i)
    assert.equal(Buffer.from(secret, 'base64url').length, 32)
    const [same, next = ''] = (browser.client.cookie(COOKIE) ?? '').split('.')
    assert.equal(same, id)
    assert.notEqual(next, secret)
    const stored = await databases.stored(world.directory)
    for (const each of [secret, next])
      assert.deepEqual([stored.includes(each), lines.join().includes(each)], [false, false])
  })

  it('proves no factor: a step-up asks for one, and the list of sessions says what this one began with [RA-1801]', async (test) => {
    const { world, ada, browser } = await trusting(test)
    world.clock.advance(300)
    assert.equal(await enter(browser, ada), '/account')

    const asked = await browser.open(`${SECURITY}/add`)

    assert.match(asked.location ?? '', new RegExp(`^${CONFIRM}`))
    const { html } = await browser.open(asked.location ?? '')
    assert.match(html, /name="code"/)
    assert.doesNotMatch(html, /name="password"|name="trust"/)
    if (!missing('sessions'))
      assert.match((await browser.open('/account/sessions')).html, /password \+ trusted browser/)
  })

  for (const [name, { page, prove }] of HELD)
    it(`becomes trusted by ${name}, too, and each one is told by mail [RA-1801]`, async (test) => {
      const world = await World.create(test, { trustedDeviceDays: DAYS })
      const ada = await world.person('ada', { factor: 'enabled' })
      const browser = world.browser()
      await browser.password(ada)
      const fields = await prove(browser, world)
      assert.match((await browser.open(page)).html, /name="trust"/)

      await browser.submit(page, { ...fields, trust: '1' })
      await leave(browser)

      assert.equal(await enter(browser, ada), '/account')
      assert.equal(mailsOf(world, /^A browser was trusted/), 1)
    })

  it('is not offered after a recovery code or a code by mail, nor at an enrollment [RA-1801]', async (test) => {
    const world = await World.create(test, { ...ofParts('settings'), trustedDeviceDays: DAYS })
    const first = world.browser()
    const { person, codes } = await enroll(world, first, 'ada')
    assert.doesNotMatch((await first.open('/enroll')).html, /name="trust"/)
    await first.submit('/enroll/done', { trust: '1' })
    const browser = await atDoor(world, person)

    if (!missing('mail-codes')) assert.doesNotMatch((await browser.open('/mail-code')).html, /name="trust"/)
    assert.doesNotMatch((await browser.open(RECOVERY)).html, /name="trust"/)
    const page = await browser.submit(RECOVERY, { code: codes[0] ?? '', trust: '1' })
    assert.equal(page.location, '/account')
    assert.deepEqual(await rows(world), [])
  })

  for (const kinds of [['totp'] as const, undefined])
    it(`never stands in where a rule asks for ${kinds?.join(' or ') ?? 'any factor'} [RA-1801 RA-2203]`, async (test) => {
      const demanded = { holders: 'admin.access', ...(kinds && { kinds }) }
      const { world, ada, browser } = await trusting(test, demanding(demanded))
      const grant = { account_id: ada.id, permission: 'admin.access' }
      await world.database.insertInto('account_permission').values(grant).execute()
      const later = browser.twin()

      assert.equal(await enter(browser, ada), DOOR)

      assert.doesNotMatch((await browser.open(DOOR)).html, /name="trust"/)
      world.clock.advance(30)
      await browser.submit(DOOR, { code: await world.code(ada), trust: '1' })
      assert.equal((await rows(world)).length, 1, 'nothing is added')
      await world.database.deleteFrom('account_permission').execute()
      assert.equal(await enter(later, ada), '/account')
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

  it(
    'stops no recovery, because it is not what is said to be lost [RA-1801 RA-2101]',
    { skip: missing('lost-factor') },
    async (test) => {
      const { world, ada, browser } = await trusting(test)
      await act('loseFactors')(world, ada)

      assert.equal(await enter(browser, ada), '/account')

      assert.ok(!(await world.events(ada)).includes('recovery-cancelled'))
      assert.match((await browser.open('/account')).html, /action="\/lost\/stop"/)
    },
  )
})

function idOf(browser: Browser): string {
  return browser.client.cookie(COOKIE)?.split('.')[0] ?? ''
}

describe('the list of trusted browsers', () => {
  it('has the newest first, and removes one or all of them without a proof [RA-1801 RA-1001]', async (test) => {
    const { world, ada, browser } = await trusting(test)
    const others = [world.browser({ userAgent: 'Firefox/140.0' }), world.browser()]
    for (const other of others) await trust(world, ada, other)
    assert.equal(await enter(browser, ada), '/account')

    const { html } = await browser.open(SECURITY)

    const shown = [...html.matchAll(/devices\/([0-9a-f-]{36})\/revoke/g)].map(([, id]) => id)
    assert.deepEqual(shown, (await rows(world)).map(({ id }) => id).toReversed())
    assert.equal(html.match(/This browser/g)?.length, 1)
    assert.equal((await browser.submit(`${SECURITY}/devices/${idOf(browser)}/revoke`)).location, SECURITY)
    assert.equal(browser.client.cookie(COOKIE), undefined)
    assert.equal((await rows(world)).length, 2)
    await browser.open(SECURITY)
    await browser.submit(`${SECURITY}/devices/revoke-all`)
    for (const other of others) assert.equal(await enter(other, ada), DOOR)
    assert.deepEqual(
      (await world.events(ada)).filter((kind) => kind.endsWith('-revoked')),
      ['device-revoked', 'devices-revoked'],
    )
  })

  it('shows and removes the own ones only: another one is not found [RA-1801 RA-2801]', async (test) => {
    const { world, ada, browser } = await trusting(test)
    const bob = await world.person('bob', { factor: 'enabled' })
    const other = world.browser()
    await trust(world, bob, other)
    await enter(other, bob)
    const id = idOf(browser)
    assert.doesNotMatch((await other.open(SECURITY)).html, new RegExp(id))

    assert.equal((await other.submit(`${SECURITY}/devices/${id}/revoke`, {}, JSON_ONLY)).status, 404)
    await other.open(SECURITY)
    assert.equal((await other.submit(`${SECURITY}/devices/revoke-all`)).location, SECURITY)

    assert.equal(await enter(browser, ada), '/account')
  })

  it(`holds ${MAX_TRUSTED_BROWSERS} browsers at most, and the oldest leaves [RA-1801 RA-2501]`, async (test) => {
    const { world, ada, browser } = await trusting(test)
    for (let count = 0; count < MAX_TRUSTED_BROWSERS; count += 1) await trust(world, ada, world.browser())

    assert.equal((await rows(world)).length, MAX_TRUSTED_BROWSERS)
    assert.equal(await enter(browser, ada), DOOR)
  })

  it('ends each after its days, which its use does not prolong, and deletes it later; it counts for nothing before it was made, nor longer than the days of the installation [RA-1801 RA-2708]', async (test) => {
    const { world, ada, browser } = await trusting(test)
    const twin = browser.twin()
    world.clock.advance(-3600)
    assert.equal(await enter(twin, ada), DOOR)
    world.clock.advance(3600 + LIFE_SECONDS - 100)
    assert.equal(await enter(browser, ada), '/account')
    await leave(browser)
    const [kept] = await rows(world)
    const shortened = { trusted_at: (kept?.trusted_at ?? 0) - LIFE_SECONDS }
    await world.database.updateTable('trusted_browser').set(shortened).execute()
    assert.equal(await enter(browser.twin(), ada), DOOR)
    await world.database.updateTable('trusted_browser').set({ trusted_at: kept?.trusted_at }).execute()
    world.clock.advance(100)

    assert.equal(await enter(browser, ada), DOOR)
    assert.equal(mailsOf(world, /copied/), 0)
    world.clock.advance(LIFE_SECONDS)
    await world.identity.leftovers.delete()
    assert.deepEqual(await rows(world), [])
  })
})

describe('trusted browsers', () => {
  it('are there only where that is switched on, for 30 days or what is set [RA-1801]', () => {
    const daysOf = (variables: Readonly<Record<string, string>>): unknown =>
      readEnvironment(variables, [trustedBrowsers]).ofParts[0]?.settings.trustedDeviceDays

    assert.equal(daysOf({ TRUSTED_DEVICE_DAYS: '7' }), undefined)
    assert.equal(daysOf({ TRUSTED_DEVICES: '0' }), undefined)
    assert.equal(daysOf({ TRUSTED_DEVICES: '1' }), 30)
    assert.equal(daysOf({ TRUSTED_DEVICES: '1', TRUSTED_DEVICE_DAYS: '90' }), 90)
  })
})
