import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { AUTHENTICATOR_LIMIT, FACTOR_LIMIT } from '../../core/limits/limits.ts'
import { type Page, PASSWORD, World } from '../support.ts'
import { enroll } from './newcomer.ts'
import { factorIds } from './security-steps.ts'
import { CONFIRM } from './step-up-steps.ts'
import { failuresOf } from '../failures.ts'
import { type TwoApps, withTwoApps, wrongForBoth } from './two-apps.ts'

const PATH = '/account/recovery-codes'
const ASKED = `${CONFIRM}?return_url=${encodeURIComponent(PATH)}`

/** Whose proofs of the login count no more. */
async function longInside(test: TestContext): Promise<TwoApps> {
  const scene = await withTwoApps(test)
  scene.world.clock.advance(300)
  return scene
}

function named({ html }: Page): string | undefined {
  return /name="factor" value="([^"]+)"/.exec(html)?.[1]
}

async function failures(world: World, subject = ''): Promise<number> {
  const failed = await failuresOf(world.database, `%${subject}%`)
  return failed.filter((each) => !each.startsWith('sign-up')).length
}

describe('the form that confirms', () => {
  it('names its authenticator, and each other one has a page of its own [RA-0301 RA-1401]', async (test) => {
    const { world, ada, spare, app, other, browser } = await longInside(test)

    const first = await browser.open(ASKED)
    const [, link = ''] = /href="([^"]*confirm\?[^"]*factor=[^"]*)"/.exec(first.html) ?? []
    const second = await browser.open(link.replaceAll('&amp;', '&'))

    assert.deepEqual([named(first), named(second)], [other, app])
    assert.match(first.html, /<strong>Authenticator app “Token”<\/strong>/)
    assert.match(second.html, /<strong>Authenticator app<\/strong>/)
    assert.match(second.html, new RegExp(`name="return_url" value="${PATH}"`))
    const fields = { return_url: PATH, password: PASSWORD }
    const crossed = await browser.submit(CONFIRM, { ...fields, code: await world.code(ada), factor: other })
    assert.deepEqual([crossed.status, named(crossed)], [422, other])
    assert.deepEqual([await failures(world, app), await failures(world, other)], [0, 1])
    const page = await browser.submit(CONFIRM, {
      ...fields,
      code: await world.code(spare),
      factor: other,
    })
    assert.equal(page.location, PATH)
    assert.equal((await browser.open(PATH)).status, 200)
  })

  it('without the name is about the one that is asked for [RA-0301]', async (test) => {
    const { world, spare, browser } = await longInside(test)
    await browser.open(ASKED)

    const fields = { return_url: PATH, password: PASSWORD, code: await world.code(spare) }
    assert.equal((await browser.submit(CONFIRM, fields)).location, PATH)
  })

  for (const [what, idOf] of [
    [
      'was removed',
      async ({ world, other }: TwoApps) => {
        await world.database.deleteFrom('factor').where('id', '=', other).execute()
        return other
      },
    ],
    [
      'is of another account',
      async ({ world }: TwoApps) =>
        (await factorIds(world, await world.person('eve', { factor: 'enabled' })))[0] ?? '',
    ],
    ['is long', async () => 'x'.repeat(1000)],
  ] as const)
    it(`says so when its authenticator ${what}, and looks at nothing [RA-0301]`, async (test) => {
      const scene = await longInside(test)
      const { world, ada, app, browser } = scene
      await browser.open(ASKED)
      const factor = await idOf(scene)
      const [before, events] = [await failures(world), await world.events(ada)]
      const fields = { return_url: PATH, password: 'wrong', code: await world.code(ada), factor }

      const page = await browser.submit(CONFIRM, fields)
      const json = await browser.submit(CONFIRM, fields, { headers: { accept: 'application/json' } })

      assert.equal(page.status, 422)
      assert.match(page.html, /That authenticator was removed. Enter the code from this one/)
      assert.doesNotMatch(page.html, /is wrong/)
      assert.equal(json.status, 422)
      assert.deepEqual([await failures(world), await world.events(ada)], [before, events])
      const good = { ...fields, password: PASSWORD, factor: app }
      assert.equal((await browser.submit(CONFIRM, good)).location, PATH)
    })

  it('says so when no authenticator is left [RA-0301]', async (test) => {
    const { world, ada, other, browser } = await longInside(test)
    await browser.open(ASKED)
    await world.database.deleteFrom('factor').where('account_id', '=', ada.id).execute()
    // An account that holds none is asked for its password only, and this form has one.
    const fields = { return_url: PATH, password: PASSWORD, code: '123456', factor: other }

    assert.equal((await browser.submit(CONFIRM, fields)).location, PATH)
  })

  it('goes on with another authenticator when its own is locked, and says which is, and until when [RA-2804]', async (test) => {
    const scene = await longInside(test)
    const { world, ada, app, other, browser } = scene
    await browser.open(ASKED)
    const fields = { return_url: PATH, password: PASSWORD }
    let page: Page | undefined
    for (let times = 0; times < AUTHENTICATOR_LIMIT.failures; times += 1)
      page = await browser.submit(CONFIRM, { ...fields, code: await wrongForBoth(scene), factor: other })
    const locked = await browser.submit(CONFIRM, {
      ...fields,
      code: await wrongForBoth(scene),
      factor: other,
    })
    const shown = await browser.open(ASKED)

    assert.ok(page !== undefined)
    assert.deepEqual([page.status, locked.status, shown.status], [422, 429, 200])
    for (const each of [page, locked, shown]) {
      assert.equal(named(each), app)
      const until =
        /<strong>Authenticator app “Token”<\/strong>:\s*locked until\s*<time datetime="([^"]+)"/.exec(
          each.html,
        )?.[1]
      assert.equal(
        Date.parse(until ?? '') / 1000,
        world.clock.timestamp() + AUTHENTICATOR_LIMIT.windowSeconds,
      )
      assert.match(each.html, /This page now asks for: <strong>Authenticator app<\/strong>/)
    }
    const good = { ...fields, code: await world.code(ada), factor: app }
    assert.equal((await browser.submit(CONFIRM, good)).location, PATH)
  })

  it('says which authenticators are locked when none is left [RA-2804]', async (test) => {
    const scene = await longInside(test)
    const { app, other, browser } = scene
    await browser.open(ASKED)
    const fields = { return_url: PATH, password: PASSWORD, code: await wrongForBoth(scene) }
    for (let times = 0; times < AUTHENTICATOR_LIMIT.failures; times += 1)
      await browser.submit(CONFIRM, { ...fields, factor: other })
    for (let times = AUTHENTICATOR_LIMIT.failures; times < FACTOR_LIMIT.failures; times += 1)
      await browser.submit(CONFIRM, { ...fields, factor: app })

    const { html } = await browser.open(ASKED)

    assert.match(html, /<strong>Authenticator app “Token”<\/strong>:\s*locked until/)
    assert.match(html, /<strong>Authenticator app<\/strong>:\s*locked until/)
    assert.match(html, /Wait 15 minutes/)
    assert.doesNotMatch(html, /now asks for/)
  })
})

describe('the form that confirms, sent twice at once', () => {
  const forms: Readonly<Record<string, (scene: TwoApps) => Promise<Readonly<Record<string, string>>>>> = {
    'an app': async ({ world, ada, app }) => ({ code: await world.code(ada), factor: app }),
    'another app': async ({ world, spare, other }) => ({
      code: await world.code(spare),
      factor: other,
    }),
  }
  for (const [what, fieldsOf] of Object.entries(forms))
    it(`with a code of ${what}, confirms once [RA-1402]`, async (test) => {
      const scene = await longInside(test)
      await assertConfirmedOnce(scene, { ...(await fieldsOf(scene)), password: PASSWORD })
    })

  it('with a recovery code, likewise [RA-1402]', async (test) => {
    const world = await World.create(test)
    const { person: ada, codes } = await enroll(world, world.browser(), 'ada')
    world.clock.advance(30)
    const browser = world.browser()
    await browser.signIn(ada)
    world.clock.advance(300)
    const fields = { recovery_code: codes[0] ?? '', password: PASSWORD }
    await assertConfirmedOnce({ world, ada, browser }, fields, `${ASKED}&with=recovery`)
  })
})

async function assertConfirmedOnce(
  { world, ada, browser }: Pick<TwoApps, 'world' | 'ada' | 'browser'>,
  fields: Readonly<Record<string, string>>,
  page = ASKED,
): Promise<void> {
  await browser.open(page)
  const form = { return_url: PATH, ...fields }
  const missed = browser.twin()
  const before = (await world.events(ada)).length

  const pages = await Promise.all([browser.submit(CONFIRM, form), missed.submit(CONFIRM, form)])

  assert.equal(pages.filter(({ location }) => location === PATH).length, 1)
  const kinds = (await world.events(ada)).slice(before)
  assert.equal(kinds.filter((kind) => kind === 'step-up-confirmed').length, 1)
  const winner = pages[0]?.location === PATH ? browser : missed
  assert.equal((await winner.open(PATH)).status, 200)
  assert.deepEqual(world.faults, [])
}
