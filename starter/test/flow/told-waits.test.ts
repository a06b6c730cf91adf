import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { ENROLLMENT_LIMIT } from '../../identity/limits/limits.ts'
import { catalogues } from '../../messages/catalogue.ts'
import { type Browser, type Page, type Person, World } from '../support.ts'
import { personOf, signUp } from './newcomer.ts'
import { ADD, SECURITY, signedIn } from './security-steps.ts'
import { CONFIRM, confirm } from './step-up-steps.ts'

const QUARTER = 15 * 60

/** The wait that a page tells in minutes, as seconds; undefined when it tells none. */
function toldWait({ html }: Page): number | undefined {
  const minutes = /Wait (\d+) minutes?/.exec(html)?.[1]
  return minutes === undefined ? undefined : Number(minutes) * 60
}

/** The deadline of the warning, as a Unix timestamp; undefined when there is none. */
function toldDeadline({ html }: Page): number | undefined {
  const time = /You can try again from:\s*<time datetime="([^"]+)"/.exec(html)?.[1]
  return time === undefined ? undefined : Date.parse(time) / 1000
}

/** Says from when on, and nothing about waiting here. */
function assertDeadline(world: World, page: Page, seconds: number): void {
  assert.equal(toldWait(page), undefined)
  assert.equal(toldDeadline(page), world.clock.timestamp() + seconds)
}

async function failCodes(world: World, person: Person, path = '/login/2fa'): Promise<void> {
  for (let done = 0; done < 10; done += 1) {
    const browser = world.browser()
    await browser.password(person)
    await browser.open(path)
    await browser.submit(path, {
      code: path === '/login/2fa' ? await world.wrongCode(person) : 'AAAA-AAAA-AAAA',
    })
  }
}

async function lockedFactor(test: TestContext): Promise<{ readonly world: World; readonly ada: Person }> {
  const world = await World.create(test)
  const ada = await world.person('ada', { factor: 'enabled' })
  await failCodes(world, ada)
  return { world, ada }
}

/** Asks for links until there are no more. */
async function askTooOften(browser: Browser, path: string): Promise<Page> {
  await browser.open(path)
  for (let times = 0; times < 5; times += 1) {
    assert.equal((await browser.submit(path, { email: 'ada@example.test' })).status, 303)
    await browser.open(path)
  }
  return browser.submit(path, { email: 'ada@example.test' })
}

describe('a page that tells a wait', () => {
  it('at the second door tells a deadline when the pending login ends before it [RA-2804]', async (test) => {
    const { world, ada } = await lockedFactor(test)
    const browser = world.browser()
    await browser.password(ada)

    const shown = await browser.open('/login/2fa')
    const refused = await browser.submit('/login/2fa', { code: await world.code(ada) })

    assertDeadline(world, shown, QUARTER)
    assertDeadline(world, refused, QUARTER)
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, String(QUARTER)])
    assert.match(shown.html, /This page ends before that. Start again with your password then/)
  })

  it('at the second door tells a wait that can be waited there [RA-2804]', async (test) => {
    const { world, ada } = await lockedFactor(test)
    world.clock.advance(QUARTER - 200)
    const browser = world.browser()
    await browser.password(ada)

    const page = await browser.open('/login/2fa')
    world.clock.advance(toldWait(page) ?? 0)
    const entered = await browser.submit('/login/2fa', { code: await world.code(ada) })

    assert.equal(toldWait(page), 240)
    assert.equal(entered.location, '/account')
  })

  it('rounds no wait up past the end of the page [RA-2804]', async (test) => {
    const { world, ada } = await lockedFactor(test)
    world.clock.advance(QUARTER - 290)
    const browser = world.browser()
    await browser.password(ada)

    const fresh = await browser.open('/login/2fa')

    assertDeadline(world, fresh, 290)
    world.clock.advance(100)
    // Four minutes, where 200 seconds of the pending login are left.
    assertDeadline(world, await browser.open('/login/2fa'), 190)
    world.clock.advance(70)
    assert.equal(toldWait(await browser.open('/login/2fa')), 120)
  })

  it('of recovery codes, and of a recovery that was asked for too often, does so too [RA-2804]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    await failCodes(world, ada, '/login/2fa/recovery')
    const browser = world.browser()
    await browser.password(ada)
    const recovery = await browser.open('/login/2fa/recovery')

    await browser.open('/lost')
    for (let times = 0; times < 5; times += 1) await browser.submit('/lost')
    const lost = await browser.submit('/lost')

    assertDeadline(world, recovery, QUARTER)
    assert.equal(lost.status, 429)
    assertDeadline(world, lost, 12 * 60 * 60)
  })

  it('shows another factor that is locked with its own deadline [RA-2804]', async (test) => {
    const { world, ada } = await lockedFactor(test)
    const browser = world.browser()
    await browser.password(ada)

    const { html } = await browser.open('/login/2fa/recovery')

    const until = new Date((world.clock.timestamp() + QUARTER) * 1000).toISOString().replace('.000', '')
    assert.match(html, new RegExp(`locked until\\s*<time datetime="${until}"`))
  })

  for (const path of ['/sign-up', '/forgot'])
    it(`at ${path} tells an hour as a deadline, and 20 minutes as a wait that can be waited [RA-2804]`, async (test) => {
      const world = await World.create(test)
      await world.person('ada')
      const browser = world.browser()

      const hour = await askTooOften(browser, path)
      const from = world.clock.timestamp() + 60 * 60
      world.clock.advance(40 * 60)
      await browser.open(path)
      const minutes = await browser.submit(path, { email: 'ada@example.test' })
      world.clock.advance(toldWait(minutes) ?? 0)
      const sent = await browser.submit(path, { email: 'ada@example.test' })

      assert.equal(hour.status, 429)
      assert.deepEqual([toldWait(hour), toldDeadline(hour)], [undefined, from])
      assert.match(hour.html, /This page ends before that. Open it again then/)
      assert.equal(toldWait(minutes), 20 * 60)
      assert.equal(sent.status, 303)
    })

  it('at the first door tells a wait, because the form is still good after it [RA-2804]', async (test) => {
    const world = await World.create(test)
    const bob = await world.person('bob')
    const browser = world.browser()
    await browser.open('/login')
    for (let times = 0; times < 10; times += 1)
      await browser.submit('/login', { email: bob.email, password: 'no' })
    const page = await browser.submit('/login', { email: bob.email, password: 'no' })

    world.clock.advance(toldWait(page) ?? 0)
    const entered = await browser.submit('/login', { email: bob.email, password: 'a gate of two doors' })

    assert.equal(toldWait(page), QUARTER)
    assert.equal(entered.location, '/account')
  })

  it('of an enrollment tells a deadline, because the enrollment does not outlive the wait [RA-2804]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()
    const eve = await personOf(world, 'eve', await signUp(world, browser, 'eve'))
    world.clock.advance(60)
    const code = await world.wrongCode(eve)
    for (let times = 0; times < ENROLLMENT_LIMIT.failures; times += 1)
      await browser.submit('/enroll', { code })

    const page = await browser.submit('/enroll', { code })

    assert.equal(page.status, 429)
    assertDeadline(world, page, QUARTER)
  })

  it('of a set-up tells a deadline for the same reason, and another page of the session a wait [RA-2804]', async (test) => {
    const { world, browser, person } = await signedIn(test)
    await confirm(world, browser, { person, path: ADD })
    const code = '000000'
    for (let times = 0; times < ENROLLMENT_LIMIT.failures; times += 1)
      await browser.submit(ADD, { label: 'Second', code })

    const page = await browser.submit(ADD, { label: 'Second', code })

    assert.equal(page.status, 429)
    assertDeadline(world, page, QUARTER)
    assert.match(page.html, /Open it again then/)
  })

  it('that asks to confirm tells a wait, but not in the last minutes of the session [RA-2804]', async (test) => {
    const { world, browser, person } = await signedIn(test)
    await browser.open('/account')
    for (let minutes = 0; minutes < 11.5 * 60; minutes += 20) {
      world.clock.advance(20 * 60)
      assert.equal((await browser.open('/account')).status, 200)
    }
    await failCodes(world, person)
    const early = await browser.open(`${CONFIRM}?return_url=${ADD}`)
    world.clock.advance(16 * 60)
    await browser.open('/account')
    await failCodes(world, person)

    const late = await browser.open(`${CONFIRM}?return_url=${ADD}`)

    assert.equal(toldWait(early), QUARTER)
    assertDeadline(world, late, QUARTER)
  })

  it('shows the deadline of a locked factor on the security page [RA-2804]', async (test) => {
    const { world, browser, person } = await signedIn(test)
    await failCodes(world, person)

    const { html } = await browser.open(SECURITY)

    const until = new Date((world.clock.timestamp() + QUARTER) * 1000).toISOString().replace('.000', '')
    assert.match(html, new RegExp(`Paused until\\s*<time datetime="${until}"`))
  })

  it('has one message for it, in each language [RA-2804]', () => {
    for (const { messages } of Object.values(catalogues)) {
      const waits = Object.entries(messages).filter(
        ([id, text]) => /\{minutes, plural/.test(text) && !id.startsWith('notice.'),
      )
      assert.deepEqual(
        waits.map(([id]) => id),
        ['wait.minutes'],
      )
    }
  })
})
