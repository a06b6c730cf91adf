import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { CHOSEN_FACTOR_KEY, PENDING_LOGIN_KEY } from '../../core/challenges/pending-login.ts'
import { type Browser, type Person, World } from '../support.ts'
import { enroll } from './newcomer.ts'

const CHOOSE = '/login/2fa/choose'
const RECOVERY = '/login/2fa/recovery'

interface AtDoor {
  readonly world: World
  readonly ada: Person
  readonly code: string
  readonly browser: Browser
  readonly app: string
  readonly codes: string
}

/** Somebody at the second door, with an authenticator app and recovery codes. */
async function atDoor(test: TestContext): Promise<AtDoor> {
  const world = await World.create(test)
  const { person: ada, codes } = await enroll(world, world.browser(), 'ada')
  world.clock.advance(30)
  const browser = world.browser()
  await browser.password(ada)
  await browser.open('/login/2fa')
  const usable = await world.identity.secondFactors.usable(ada.id)
  const idOf = (kind: string): string => usable.find((factor) => factor.kind === kind)?.id ?? ''
  return { world, ada, code: codes[0] ?? '', browser, app: idOf('totp'), codes: idOf('recovery') }
}

describe('the choice of a factor at the second door', () => {
  it('is kept beside _2fa, which stays byte for byte what the password wrote [RA-0302]', async (test) => {
    const { world, ada, browser, codes, app } = await atDoor(test)
    const before = await browser.session()
    const written = { identifier: ada.id, expires_at: world.clock.timestamp() + 300 }
    assert.deepEqual(before[PENDING_LOGIN_KEY], written)
    assert.equal(CHOSEN_FACTOR_KEY in before, false)

    for (const [chosen, page] of [
      [codes, RECOVERY],
      [app, null],
      [codes, RECOVERY],
    ] as const) {
      world.clock.advance(1)
      assert.equal((await browser.submit(CHOOSE, { factor: chosen })).location, '/login/2fa')
      assert.equal((await browser.open('/login/2fa')).location, page)

      const { [CHOSEN_FACTOR_KEY]: kept, ...rest } = await browser.session()
      assert.equal(kept, chosen)
      assert.deepEqual(rest, before)
    }
  })

  it('in _2fa would make it malformed: the login restarts at the password [RA-0302]', async (test) => {
    const { world, ada, browser, codes } = await atDoor(test)
    const written = { identifier: ada.id, expires_at: world.clock.timestamp() + 300 }
    await browser.write(PENDING_LOGIN_KEY, { ...written, factor: codes })

    const page = await browser.open('/login/2fa')

    assert.equal(page.location, '/login')
    assert.equal(PENDING_LOGIN_KEY in (await browser.session()), false)
  })

  it('of a factor of somebody else, or of none, changes nothing [RA-0302]', async (test) => {
    const { world, browser, code } = await atDoor(test)
    const bob = await world.person('bob', { factor: 'enabled' })
    const [theirs] = await world.identity.factors.list(bob.id)
    const shown = (await browser.open('/login/2fa', { follow: true })).html

    for (const factor of [theirs?.id ?? '', bob.id, 'nothing', '', 'x'.repeat(200)]) {
      assert.equal((await browser.submit(CHOOSE, { factor })).location, '/login/2fa')
      const page = await browser.open('/login/2fa', { follow: true })
      assert.equal(/<h1>[^<]*/.exec(page.html)?.[0], /<h1>[^<]*/.exec(shown)?.[0])
    }
    const foreign = await browser.submit('/login/2fa', { code: await world.code(bob) })
    assert.equal(foreign.status, 422)
    await browser.open(RECOVERY)
    assert.equal((await browser.submit(RECOVERY, { code })).location, '/account')
  })

  it('refills no attempts, and ends with the login, its cancellation and a new password [RA-0302]', async (test) => {
    const { world, ada, browser, app } = await atDoor(test)
    const wrong = await world.wrongCode(ada)
    for (let times = 0; times < 4; times += 1) {
      await browser.submit(CHOOSE, { factor: app })
      assert.equal((await browser.code(wrong)).status, 422)
    }
    await browser.submit(CHOOSE, { factor: app })
    assert.equal((await browser.code(wrong)).location, '/login')
    assert.equal(CHOSEN_FACTOR_KEY in (await browser.session()), false)

    await browser.password(ada)
    await browser.open('/login/2fa')
    await browser.submit(CHOOSE, { factor: app })
    await browser.submit('/login/2fa/cancel')
    assert.equal(CHOSEN_FACTOR_KEY in (await browser.session()), false)

    await browser.password(ada)
    await browser.open('/login/2fa')
    await browser.submit(CHOOSE, { factor: app })
    await browser.password(ada)
    assert.equal(CHOSEN_FACTOR_KEY in (await browser.session()), false)
    await browser.open('/login/2fa')
    await browser.submit(CHOOSE, { factor: app })
    await browser.code(await world.code(ada))
    assert.equal(CHOSEN_FACTOR_KEY in (await browser.session()), false)
    assert.equal(await browser.isSignedIn(), true)
  })

  it('needs the token of a form and a pending login, and is nothing that GET or HEAD does [RA-0302]', async (test) => {
    const { browser, codes } = await atDoor(test)

    assert.equal((await browser.submit(CHOOSE, { _csrf: 'x', factor: codes })).status, 403)
    assert.equal((await browser.client.get(`${CHOOSE}?factor=${codes}`)).status, 405)
    assert.equal((await browser.client.request('HEAD', `${CHOOSE}?factor=${codes}`)).status, 405)
    assert.equal(CHOSEN_FACTOR_KEY in (await browser.session()), false)
    await browser.open('/login/2fa', { follow: true })
    await browser.submit('/login/2fa/cancel')
    await browser.open('/login')
    assert.equal((await browser.submit(CHOOSE, { factor: codes })).location, '/login')
    assert.equal(CHOSEN_FACTOR_KEY in (await browser.session()), false)
  })
})
