import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { AUTHENTICATOR_LIMIT, FACTOR_LIMIT, RECOVERY_LIMIT } from '../../core/limits/limits.ts'
import { type Browser, type Page, World } from '../support.ts'
import { enroll } from './newcomer.ts'
import { factorIds } from './security-steps.ts'
import { failuresOf } from '../failures.ts'
import { type TwoApps, withTwoApps, wrongForBoth } from './two-apps.ts'

const DOOR = '/login/2fa'

/** At the second door, in another browser. */
async function atDoor(test: TestContext): Promise<TwoApps> {
  const scene = await withTwoApps(test)
  const { world, ada } = scene
  world.clock.advance(60)
  const browser = world.browser()
  await browser.password(ada)
  return { ...scene, browser }
}

async function tabOf(browser: Browser, factor: string): Promise<string> {
  await browser.open(DOOR)
  await browser.submit(`${DOOR}/choose`, { factor })
  const { html } = await browser.open(DOOR)
  const named = /name="factor" value="([^"]+)">\s*<div class="field">/.exec(html)?.[1] ?? ''
  assert.equal(named, factor)
  return named
}

async function failures(world: World): Promise<number> {
  return (await failuresOf(world.database, '%factor%')).length
}

function named(page: Page): string | undefined {
  return /name="factor" value="([^"]+)">\s*<div class="field">/.exec(page.html)?.[1]
}

const LOCKED_SPARE = /<strong>Authenticator app “Token”<\/strong>:\s*locked until\s*<time/

/** The first deadline that the page tells of a locked factor, as a Unix timestamp. */
function lockedUntil({ html }: Page): number {
  return Date.parse(/<\/strong>:\s*locked until\s*<time datetime="([^"]+)"/.exec(html)?.[1] ?? '') / 1000
}

/** Types wrong codes until the spare app is locked: so many in a first sign-in, and the others in a second one. */
async function lockSpare(
  scene: TwoApps,
  before: number,
): Promise<{ readonly page: Page; readonly browser: Browser }> {
  const { world, ada, other } = scene
  let { browser } = scene
  let page: Page | undefined
  for (let count = 0; count < AUTHENTICATOR_LIMIT.failures; count += 1) {
    if (count === 0 || count === before) {
      browser = world.browser()
      await browser.password(ada)
      await browser.open(DOOR)
    }
    page = await browser.submit(DOOR, { code: await wrongForBoth(scene), factor: other })
    world.clock.advance(1)
  }
  assert.ok(page !== undefined)
  return { page, browser }
}

describe('the form of the second door', () => {
  it('is about the authenticator that its page names, whatever another tab has chosen since [RA-0301]', async (test) => {
    const { world, ada, spare, app, other, browser } = await atDoor(test)
    const [ofSpare, ofApp] = [await tabOf(browser, other), await tabOf(browser, app)]
    assert.notEqual(ofSpare, ofApp)

    const page = await browser.submit(DOOR, { code: await world.code(spare), factor: ofSpare })

    assert.equal(page.location, '/account')
    const elsewhere = world.browser()
    await elsewhere.password(ada)
    await tabOf(elsewhere, other)
    const second = await elsewhere.submit(DOOR, { code: await world.code(ada), factor: ofApp })
    assert.equal(second.location, '/account')
  })

  for (const [what, idOf] of [
    [
      'an authenticator that was removed',
      async ({ world, other }: TwoApps) => {
        await world.database.deleteFrom('factor').where('id', '=', other).execute()
        return other
      },
    ],
    [
      'an authenticator of another account',
      async ({ world }: TwoApps) => {
        const eve = await world.person('eve', { factor: 'enabled' })
        return (await factorIds(world, eve))[0] ?? ''
      },
    ],
    ['the recovery codes', async () => 'recovery'],
    ['nothing that is known', async () => 'x'],
    ['something long', async () => 'x'.repeat(1000)],
  ] as const)
    it(`that names ${what} is no attempt, and the page says so [RA-0301]`, async (test) => {
      const scene = await atDoor(test)
      const { world, ada, app, browser } = scene
      await tabOf(browser, app)
      const factor = await idOf(scene)
      const [before, events] = [await failures(world), await world.events(ada)]
      const fields = { code: await world.code(ada), factor }

      const page = await browser.submit(DOOR, fields)
      const json = await browser.submit(DOOR, fields, { headers: { accept: 'application/json' } })

      assert.deepEqual([page.status, page.location, json.status], [303, DOOR, 404])
      assert.match((await browser.open(DOOR)).html, /not available for this sign-in/)
      assert.deepEqual([await failures(world), await world.events(ada)], [before, events])
      assert.equal((await browser.submit(DOOR, { ...fields, factor: app })).location, '/account')
    })

  it('goes on with another factor when a code has locked its own, and says which is locked, and until when [RA-2804]', async (test) => {
    const scene = await atDoor(test)
    const { world, ada, app, other } = scene

    const { page, browser } = await lockSpare(scene, 3)

    assert.deepEqual([page.status, named(page)], [422, app])
    assert.match(page.html, /Too many wrong codes/)
    assert.match(page.html, LOCKED_SPARE)
    assert.equal(lockedUntil(page), world.clock.timestamp() - 1 + AUTHENTICATOR_LIMIT.windowSeconds)
    assert.match(page.html, /This page now asks for: <strong>Authenticator app<\/strong>/)
    assert.doesNotMatch(page.html, /attempts? left|code is wrong/)
    const again = await browser.open(DOOR)
    assert.deepEqual([again.status, named(again)], [200, app])
    assert.match(again.html, LOCKED_SPARE)
    const locked = await browser.submit(DOOR, { code: await wrongForBoth(scene), factor: other })
    assert.deepEqual([locked.status, named(locked)], [429, app])
    assert.match(locked.html, LOCKED_SPARE)
    assert.ok(Number(locked.headers.get('retry-after')) > 0)
    const german = await browser.open(DOOR, { headers: { 'accept-language': 'de' } })
    assert.match(german.html, /gesperrt bis[^]*Gefragt ist jetzt:/)
    const code = await world.code(ada)
    assert.equal((await browser.submit(DOOR, { code, factor: app })).location, '/account')
  })

  it('says which factors are locked when none is left, and when the first lock ends [RA-2804]', async (test) => {
    const scene = await atDoor(test)
    const { world, ada, app } = scene
    await lockSpare(scene, 3)
    const browser = world.browser()
    await browser.password(ada)
    await browser.open(DOOR)
    let page: Page | undefined
    for (let count = AUTHENTICATOR_LIMIT.failures; count < FACTOR_LIMIT.failures; count += 1)
      page = await browser.submit(DOOR, { code: await wrongForBoth(scene), factor: app })

    for (const shown of [page, await browser.open(DOOR)]) {
      assert.ok(shown !== undefined)
      const warning = /role="alert">([^]*?)<\/div>/.exec(shown.html)?.[1] ?? ''
      assert.match(warning, LOCKED_SPARE)
      assert.match(warning, /<strong>Authenticator app<\/strong>:\s*locked until/)
      assert.match(warning, /Wait 15 minutes/)
      assert.equal(lockedUntil(shown), world.clock.timestamp() + FACTOR_LIMIT.windowSeconds)
      assert.doesNotMatch(warning, /now asks for/)
    }
  })

  it('of a recovery code goes on with an authenticator [RA-2804]', async (test) => {
    const world = await World.create(test)
    const { person: ada } = await enroll(world, world.browser(), 'ada')
    const path = `${DOOR}/recovery`
    const browser = world.browser()
    let page: Page | undefined
    for (let count = 0; count < RECOVERY_LIMIT.failures; count += 1) {
      if (count % 4 === 0) await browser.password(ada)
      await browser.open(path)
      page = await browser.submit(path, { code: '0000-0000-0000' })
    }

    assert.equal(page?.status, 422)
    assert.match(page.html, /<strong>Recovery code<\/strong>:\s*locked until\s*<time/)
    assert.match(page.html, /name="code"[^>]* inputmode="numeric"/)
    world.clock.advance(30)
    assert.equal((await browser.submit(DOOR, { code: await world.code(ada) })).location, '/account')
  })
})
