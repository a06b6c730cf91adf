import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { generate } from 'otplib/functional'
import { AUTHENTICATOR_LIMIT } from '../../identity/limits/limits.ts'
import { type Browser, type Page, type Person, World } from '../support.ts'
import { factorIds, withSecretOf } from './security-steps.ts'

const DOOR = '/login/2fa'
const ADD_COUNTER = '/account/security/add-counter'

/** Somebody with an app and a code generator, at the second door. */
interface Scene {
  readonly world: World
  readonly ada: Person
  readonly generator: Person
  readonly app: string
  readonly counter: string
  readonly browser: Browser
}

function press({ secret }: Person, counter: number): Promise<string> {
  assert.ok(secret !== undefined)
  return generate({ strategy: 'hotp', secret: secret.reveal(), counter })
}

async function atDoor(test: TestContext): Promise<Scene> {
  const world = await World.create(test)
  const ada = await world.person('ada', { factor: 'enabled' })
  const first = world.browser()
  await first.signIn(ada)
  world.clock.advance(1)
  const generator = withSecretOf(ada, await first.open(ADD_COUNTER))
  await first.submit(ADD_COUNTER, { label: 'Token', code: await press(generator, 0) })
  const [app = '', counter = ''] = await factorIds(world, ada)
  world.clock.advance(60)
  const browser = world.browser()
  await browser.password(ada)
  return { world, ada, generator, app, counter, browser }
}

async function tabOf(browser: Browser, factor: string): Promise<string> {
  await browser.open(DOOR)
  await browser.submit(`${DOOR}/choose`, { factor })
  const { html } = await browser.open(DOOR)
  const named = /name="factor" value="([^"]+)">\s*<div class="field">/.exec(html)?.[1] ?? ''
  assert.equal(named, factor)
  return named
}

async function wrong({ world, ada, generator }: Scene): Promise<string> {
  const near = await Promise.all(Array.from({ length: 100 }, (_, counter) => press(generator, counter)))
  const taken = new Set([...near, await world.code(ada)])
  return ['000000', '111111', '222222', '333333'].find((code) => !taken.has(code)) ?? ''
}

async function failures(world: World): Promise<number> {
  const { count } = await world.database
    .selectFrom('attempt')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('subject', 'like', '%factor%')
    .executeTakeFirstOrThrow()
  return count
}

function named(page: Page): string | undefined {
  return /name="factor" value="([^"]+)">\s*<div class="field">/.exec(page.html)?.[1]
}

describe('the form of the second door', () => {
  it('RA-0301: is about the authenticator that its page names, whatever another tab has chosen since', async (test) => {
    const { world, ada, generator, app, counter, browser } = await atDoor(test)
    const [ofGenerator, ofApp] = [await tabOf(browser, counter), await tabOf(browser, app)]
    assert.notEqual(ofGenerator, ofApp)

    const page = await browser.submit(DOOR, { code: await press(generator, 1), factor: ofGenerator })

    assert.equal(page.location, '/account')
    const other = world.browser()
    await other.password(ada)
    await tabOf(other, counter)
    const second = await other.submit(DOOR, { code: await world.code(ada), factor: ofApp })
    assert.equal(second.location, '/account')
  })

  it('RA-0301: is shown again for the same one when its code was wrong', async (test) => {
    const scene = await atDoor(test)
    const { app, counter, browser } = scene
    await tabOf(browser, counter)
    await tabOf(browser, app)

    const page = await browser.submit(DOOR, { code: await wrong(scene), factor: counter })
    const malformed = await browser.submit(DOOR, { code: '12', factor: app })

    assert.deepEqual([page.status, named(page)], [422, counter])
    assert.deepEqual([malformed.status, named(malformed)], [422, app])
  })

  it('RA-0301: without the name is about the one that is asked for', async (test) => {
    const { generator, app, counter, browser } = await atDoor(test)
    await tabOf(browser, app)
    await tabOf(browser, counter)

    assert.equal((await browser.submit(DOOR, { code: await press(generator, 1) })).location, '/account')
  })

  for (const [what, idOf] of [
    [
      'an authenticator that was removed',
      async ({ world, counter }: Scene) => {
        await world.database.deleteFrom('factor').where('id', '=', counter).execute()
        return counter
      },
    ],
    [
      'an authenticator of another account',
      async ({ world }: Scene) => {
        const eve = await world.person('eve', { factor: 'enabled' })
        return (await factorIds(world, eve))[0] ?? ''
      },
    ],
    ['the recovery codes', async () => 'recovery'],
    ['nothing that is known', async () => 'x'],
    ['something long', async () => 'x'.repeat(1000)],
  ] as const)
    it(`RA-0301: that names ${what} is no attempt, and the page says so`, async (test) => {
      const scene = await atDoor(test)
      const { world, ada, app, browser } = scene
      await tabOf(browser, app)
      const factor = await idOf(scene)
      const [before, events] = [await failures(world), await world.events(ada)]
      const fields = { code: await world.code(ada), factor }

      const page = await browser.submit(DOOR, fields)
      const json = await browser.submit(DOOR, fields, { headers: { accept: 'application/json' } })

      assert.deepEqual([page.status, named(page)], [422, app])
      assert.match(page.html, /That authenticator is not there any more/)
      const { violations } = JSON.parse(json.html) as { violations: readonly { code: string }[] }
      assert.deepEqual([json.status, violations.map(({ code }) => code)], [422, ['unknown_factor']])
      assert.deepEqual([await failures(world), await world.events(ada)], [before, events])
      assert.equal((await browser.submit(DOOR, { ...fields, factor: app })).location, '/account')
    })

  it('RA-2804: says that a code has locked its authenticator, and until when, and counts for no other', async (test) => {
    const scene = await atDoor(test)
    const { world, ada, app, counter } = scene
    let { browser } = scene
    let page: Page | undefined
    for (let count = 0; count < AUTHENTICATOR_LIMIT.failures; count += 1) {
      if (count % 4 === 0) {
        browser = world.browser()
        await browser.password(ada)
        await browser.open(DOOR)
      }
      page = await browser.submit(DOOR, { code: await wrong(scene), factor: counter })
      world.clock.advance(1)
    }

    assert.ok(page !== undefined)
    assert.deepEqual([page.status, named(page)], [422, counter])
    assert.match(page.html, /Too many wrong codes/)
    assert.doesNotMatch(page.html, /attempts? left/)
    const locked = await browser.submit(DOOR, { code: await wrong(scene), factor: counter })
    assert.equal(locked.status, 429)
    assert.equal(
      (await browser.submit(DOOR, { code: await world.code(ada), factor: app })).location,
      '/account',
    )
  })
})
