import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { CHOSEN_FACTOR_KEY, PENDING_LOGIN_KEY } from '../../core/challenges/pending-login.ts'
import { AUTHENTICATOR_LIMIT, FACTOR_LIMIT, RECOVERY_LIMIT } from '../../core/limits/limits.ts'
import { failuresOf } from '../failures.ts'
import { type Browser, type Page, type Person, World } from '../support.ts'
import { atDoor, DOOR, enroll, factorIds, RECOVERY } from './steps.ts'

const CHOOSE = `${DOOR}/choose`
const LOCKED_TABLET =
  /<strong>Authenticator app “Tablet”<\/strong>:\s*locked until\s*<time datetime="([^"]+)"/

/** Somebody with two authenticators and recovery codes, at the second door. */
interface Several {
  readonly world: World
  /** With the secret of the phone. */
  readonly ada: Person
  readonly tablet: Person
  readonly ids: { readonly phone: string; readonly tablet: string; readonly codes: string }
  readonly codes: readonly string[]
  readonly browser: Browser
}

async function several(test: TestContext): Promise<Several> {
  const world = await World.create(test)
  const { person: ada, codes } = await enroll(world, world.browser(), 'ada')
  const [phone = ''] = await factorIds(world, ada)
  const { id, secret } = await world.identity.factors.add(ada.id, 'Tablet', world.clock)
  await world.identity.factors.enableUnproven(id, world.clock)
  world.clock.advance(30)
  const browser = await pending(world, ada)
  const ids = { phone, tablet: id, codes: ada.id }
  return { world, ada, tablet: { ...ada, secret }, ids, codes, browser }
}

/** A browser in which the password was proven, and a factor chosen. Default: none. */
async function pending(world: World, person: Person, factor?: string): Promise<Browser> {
  const browser = await atDoor(world, person)
  if (factor !== undefined) await browser.submit(CHOOSE, { factor })
  return browser
}

/** Types wrong codes for a factor, each in a login of its own. */
async function fail(
  { world, ada, tablet }: Several,
  factor: string,
  times: number,
): Promise<readonly Page[]> {
  const near = [ada, tablet].flatMap((person) => [-1, 0, 1].map((step) => world.code(person, step)))
  const taken = new Set(await Promise.all(near))
  const wrong = ['000000', '111111', '222222'].find((code) => !taken.has(code)) ?? ''
  const pages: Page[] = []
  for (let time = 0; time < times; time += 1) {
    const browser = await pending(world, ada, factor)
    const path = factor === ada.id ? RECOVERY : DOOR
    await browser.open(path)
    const fields = factor === ada.id ? { code: '0000-0000-0000' } : { code: wrong, factor }
    pages.push(await browser.submit(path, fields))
  }
  return pages
}

/** The factor that the page asks for. */
function asked(page: Page): string | undefined {
  return /name="factor" value="([^"]+)">\s*<div class="field">/.exec(page.html)?.[1]
}

async function chosen(browser: Browser): Promise<unknown> {
  return (await browser.session())[CHOSEN_FACTOR_KEY]
}

describe('the choice of a factor at the second door', () => {
  it('is kept beside _2fa, which stays byte for byte what the password wrote [RA-0302]', async (test) => {
    const { world, ada, browser, ids } = await several(test)
    const before = await browser.session()
    const written = { identifier: ada.id, expires_at: world.clock.timestamp() + 300 }
    assert.deepEqual(before[PENDING_LOGIN_KEY], written)

    for (const [factor, page] of [
      [ids.codes, RECOVERY],
      [ids.phone, null],
    ] as const) {
      assert.equal((await browser.submit(CHOOSE, { factor })).location, DOOR)
      assert.equal((await browser.open(DOOR)).location, page)
      const { [CHOSEN_FACTOR_KEY]: kept, ...rest } = await browser.session()
      assert.deepEqual([kept, rest], [factor, before])
    }
    await browser.write(PENDING_LOGIN_KEY, { ...written, factor: ids.codes })
    assert.equal((await browser.open(DOOR)).location, '/login', 'in _2fa it is malformed')
  })

  it('of a factor of somebody else, or of none, is told and changes nothing [RA-0301 RA-0302]', async (test) => {
    const { world, browser, ids, codes } = await several(test)
    const bob = await world.person('bob', { factor: 'enabled' })
    const [theirs = ''] = await factorIds(world, bob)
    await browser.submit(CHOOSE, { factor: ids.phone })

    for (const factor of [theirs, bob.id, 'nothing', '', 'x'.repeat(200)]) {
      assert.equal((await browser.submit(CHOOSE, { factor })).location, DOOR)
      const page = await browser.open(DOOR)
      assert.match(page.html, /is not available for this sign-in/)
      assert.deepEqual([asked(page), await chosen(browser)], [ids.phone, ids.phone])
    }
    assert.equal((await browser.code(await world.code(bob))).status, 422)
    await browser.open(RECOVERY)
    assert.equal((await browser.submit(RECOVERY, { code: codes[0] ?? '' })).location, '/account')
  })

  it('refills no attempts, and ends with the login, its cancellation and a new password [RA-0302]', async (test) => {
    const { world, ada, browser, ids } = await several(test)
    const wrong = await world.wrongCode(ada)
    const choose = async (): Promise<void> => {
      await browser.open(DOOR)
      await browser.submit(CHOOSE, { factor: ids.phone })
    }
    for (const end of [
      async () => {
        for (let times = 0; times < 5; times += 1) {
          await choose()
          await browser.code(wrong)
        }
        assert.equal(PENDING_LOGIN_KEY in (await browser.session()), false)
      },
      () => browser.submit(`${DOOR}/cancel`),
      () => browser.password(ada),
      async () => browser.code(await world.code(ada)),
    ]) {
      await browser.password(ada)
      await choose()
      await end()
      assert.equal(await chosen(browser), undefined)
    }
    assert.equal(await browser.isSignedIn(), true)
  })
})

describe('the form of the second door', () => {
  it('is about the authenticator that its page names, whatever another tab has chosen since [RA-0301]', async (test) => {
    const { world, tablet, ids, browser } = await several(test)
    await browser.submit(CHOOSE, { factor: ids.tablet })
    assert.equal(asked(await browser.open(DOOR)), ids.tablet)
    await browser.submit(CHOOSE, { factor: ids.phone })

    const page = await browser.submit(DOOR, { code: await world.code(tablet), factor: ids.tablet })

    assert.equal(page.location, '/account')
  })

  it('that names no authenticator of the account is no attempt, and the page says so [RA-0301]', async (test) => {
    const { world, ada, ids, browser } = await several(test)
    const [foreign = ''] = await factorIds(world, await world.person('eve', { factor: 'enabled' }))
    await world.database.deleteFrom('factor').where('id', '=', ids.tablet).execute()
    const before = [await failuresOf(world.database), await world.events(ada)]

    for (const factor of [ids.tablet, foreign, 'recovery', 'x', 'x'.repeat(1000)]) {
      const page = await browser.submit(DOOR, { code: await world.code(ada), factor })
      assert.deepEqual([page.status, page.location], [303, DOOR])
      assert.match((await browser.open(DOOR)).html, /not available for this sign-in/)
    }

    assert.deepEqual([await failuresOf(world.database), await world.events(ada)], before)
    const page = await browser.submit(DOOR, { code: await world.code(ada), factor: ids.phone })
    assert.equal(page.location, '/account')
  })
})

describe('the lock of a factor', () => {
  it('leaves the others: of an authenticator the other one and the codes, and the other way around [RA-0801]', async (test) => {
    const scene = await several(test)
    const { world, ada, tablet, ids, codes } = scene
    const enter = async (factor: string, path: string, code: string): Promise<Page> => {
      const browser = await pending(world, ada, factor)
      await browser.open(path)
      return browser.submit(path, path === DOOR ? { code, factor } : { code })
    }
    await fail(scene, ids.phone, AUTHENTICATOR_LIMIT.failures)
    assert.equal((await enter(ids.phone, DOOR, await world.code(ada))).status, 429)
    assert.equal((await enter(ids.tablet, DOOR, await world.code(tablet))).location, '/account')

    await fail(scene, ids.codes, RECOVERY_LIMIT.failures)
    assert.equal((await enter(ids.codes, RECOVERY, codes[0] ?? '')).status, 429)
    world.clock.advance(30)
    assert.equal((await enter(ids.tablet, DOOR, await world.code(tablet))).location, '/account')
  })

  it('gives nobody more tries than the account has, whatever factors they are for [RA-0801]', async (test) => {
    const scene = await several(test)
    const pages: Page[] = []
    for (const factor of Object.values(scene.ids)) pages.push(...(await fail(scene, factor, 8)))

    const statuses = pages.map(({ status }) => status)

    assert.equal(statuses.filter((status) => status === 422).length, FACTOR_LIMIT.failures)
    assert.equal(statuses.filter((status) => status === 429).length, 24 - FACTOR_LIMIT.failures)
  })

  it('is told with its deadline, and the page goes on with another factor, as long as there is one [RA-2804 RA-0301 RA-0803]', async (test) => {
    const scene = await several(test)
    const { world, ada, ids } = scene
    const until = (page: Page): number => Date.parse(LOCKED_TABLET.exec(page.html)?.[1] ?? '') / 1000
    const now = world.clock.timestamp()

    const page = (await fail(scene, ids.tablet, AUTHENTICATOR_LIMIT.failures)).at(-1)

    assert.ok(page !== undefined)
    assert.deepEqual([page.status, asked(page)], [422, ids.phone])
    assert.match(page.html, /Too many wrong codes/)
    assert.match(page.html, /This page now asks for: <strong>Authenticator app<\/strong>/)
    assert.equal(until(page), now + AUTHENTICATOR_LIMIT.windowSeconds)
    const browser = await pending(world, ada, ids.tablet)
    const locked = await browser.submit(DOOR, { code: await world.code(ada), factor: ids.tablet })
    assert.deepEqual([locked.status, asked(locked)], [429, ids.phone])
    assert.ok(Number(locked.headers.get('retry-after')) > 0)

    await fail(scene, ids.phone, FACTOR_LIMIT.failures - AUTHENTICATOR_LIMIT.failures)
    const all = await browser.open(DOOR)
    assert.match(all.html, LOCKED_TABLET)
    assert.match(all.html, /<strong>Authenticator app<\/strong>:\s*locked until/)
    assert.match(all.html, /Wait 15 minutes/)
    assert.doesNotMatch(all.html, /now asks for/)
    const told = (await world.events(ada)).filter((kind) => kind === 'code-locked')
    assert.equal(told.length, 2, 'each of them, also at the same time')
  })
})
