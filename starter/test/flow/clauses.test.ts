import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { generate } from 'otplib/functional'
import { AUTHENTICATOR_LIMIT, CHALLENGE_ATTEMPTS, FACTOR_LIMIT } from '../../core/limits/limits.ts'
import { PENDING_LOGIN_SECONDS } from '../../core/challenges/pending-login.ts'
import { type Browser, PASSWORD, type Person, World } from '../support.ts'

describe('the login form', () => {
  it('takes email, password and the token in _csrf, from the form of the page [FLOW-43]', async (test) => {
    const world = await World.create(test)
    const bob = await world.person('bob')
    const browser = world.browser()
    const page = await browser.open('/login')
    const [, token = ''] = /name="_csrf" value="([^"]+)"/.exec(page.html) ?? []
    const send = async (fields: Readonly<Record<string, string>>, twin: Browser = browser.twin()) =>
      (await twin.client.post('/login', { form: fields })).status

    assert.match(page.html, /<form[^>]*method="post" action="\/login"/)
    for (const name of ['email', 'password', '_csrf']) assert.match(page.html, new RegExp(`name="${name}"`))
    const right = { email: bob.email, password: PASSWORD, _csrf: token }
    const { email: _email, ...withoutEmail } = right
    const { password: _password, ...withoutPassword } = right
    const { _csrf: _token, ...withoutToken } = right
    assert.equal(await send(withoutEmail), 422)
    assert.equal(await send(withoutPassword), 422)
    assert.equal(await send(withoutToken), 403)
    assert.equal(await send({ ...withoutToken, csrf: token }), 403)
    assert.equal(await send(right), 303)
  })
})

describe('the clock', () => {
  it('is one for codes and pending logins: where it goes, both go [FLOW-56]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const browser = world.browser()

    for (const years of [5, -12, 30]) {
      world.clock.advance(years * 31_536_000)
      const twin = world.browser()
      await twin.password(ada)
      const { expires_at: end } = (await twin.session())['_2fa'] as { readonly expires_at: number }
      assert.equal(end, world.clock.timestamp() + PENDING_LOGIN_SECONDS)
      // The code of the machine's own time is of no use, and that of the clock is right.
      assert.equal((await twin.code(await machineCode(ada))).status, 422)
      assert.equal((await twin.code(await world.code(ada))).location, '/account')
    }
    assert.equal(await browser.isSignedIn(), false)
  })

  it('accepts the code of the present step, of the one before for 29 seconds of it, and no other [RA-0402]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const accepted = async (steps: number, seconds: number): Promise<boolean> => {
      world.clock.advance(300)
      // To the beginning of a step, and then that far into it.
      world.clock.advance(30 - (world.clock.timestamp() % 30) + seconds)
      const browser = world.browser()
      await browser.password(ada)
      const page = await browser.code(await world.code(ada, steps))
      // A client that says what time it is changes nothing.
      return page.location === '/account'
    }

    const answers = []
    for (const [steps, seconds] of [
      [0, 0],
      [0, 29],
      [-1, 0],
      [-1, 28],
      [-1, 29],
      [-2, 0],
      [1, 29],
    ] as const)
      answers.push([steps, seconds, await accepted(steps, seconds)])

    assert.deepEqual(answers, [
      [0, 0, true],
      [0, 29, true],
      [-1, 0, true],
      [-1, 28, true],
      [-1, 29, false],
      [-2, 0, false],
      [1, 29, false],
    ])
  })
})

describe('the second door', () => {
  it('is that of the account of the pending login, as it is now, whatever else is sent [RA-0401]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const eve = await world.person('eve', { factor: 'enabled' })
    const browser = world.browser()
    await browser.password(ada)
    await browser.open('/login/2fa')

    const claims = { email: eve.email, identifier: eve.id, account: eve.id, id: eve.id, user: eve.email }
    const refused = await browser.submit('/login/2fa', { code: await world.code(eve), ...claims })
    await world.database.updateTable('account').set({ name: 'Countess' }).where('id', '=', ada.id).execute()
    const entered = await browser.submit('/login/2fa', { code: await world.code(ada), ...claims })

    assert.deepEqual([refused.status, entered.location], [422, '/account'])
    assert.equal((await browser.session())['_auth'], ada.id)
    assert.match((await browser.open('/account')).html, /Countess/)
  })

  it('takes five codes for one login, then ends it, and a right code opens nothing any more [RA-0404]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const browser = world.browser()
    await browser.password(ada)

    const statuses = []
    for (let tries = 0; tries < CHALLENGE_ATTEMPTS; tries += 1)
      statuses.push(await tryCode(browser, await world.wrongCode(ada)))
    const late = await browser.submit('/login/2fa', { code: await world.code(ada) })

    assert.deepEqual(
      statuses.slice(0, -1),
      Array.from({ length: CHALLENGE_ATTEMPTS - 1 }, () => 422),
    )
    assert.deepEqual([late.status, late.location], [303, '/login'])
    assert.equal(await browser.isSignedIn(), false)
    assert.equal('_2fa' in (await browser.session()), false)
  })

  it('takes seven codes of one authenticator over any number of logins, and never falls through [RA-0404]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })

    let wrong = 0
    while (wrong < AUTHENTICATOR_LIMIT.failures) {
      const browser = world.browser()
      await browser.password(ada)
      for (let tries = 0; tries < 3 && wrong < AUTHENTICATOR_LIMIT.failures; tries += 1) {
        assert.equal(await tryCode(browser, await world.wrongCode(ada)), 422)
        wrong += 1
      }
    }
    const browser = world.browser()
    await browser.password(ada)

    assert.equal(await tryCode(browser, await world.code(ada)), 429)
    assert.equal(await browser.isSignedIn(), false)
    world.clock.advance(FACTOR_LIMIT.windowSeconds)
    const later = world.browser()
    await later.password(ada)
    assert.equal(await tryCode(later, await world.code(ada)), 303)
  })

  it('is skipped by nothing that a browser kept, unless trusted browsers are switched on [RA-1801]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const browser = world.browser()
    const given = new Set<string>()
    const collect = (headers: Headers): void => {
      for (const cookie of headers.getSetCookie()) given.add(cookie.slice(0, cookie.indexOf('=')))
    }
    await browser.open('/login')
    for (const extra of ['trust', 'remember', 'remember_me', 'trusted_device']) {
      const first = await browser.submit('/login', { email: ada.email, password: PASSWORD, [extra]: '1' })
      collect(first.headers)
      await browser.open('/login/2fa')
      const second = await browser.submit('/login/2fa', { code: await world.code(ada), [extra]: '1' })
      collect(second.headers)
      assert.equal(second.location, '/account')
      await browser.open('/account')
      collect((await browser.submit('/logout')).headers)
      world.clock.advance(30)
      await browser.open('/login')
    }

    // The same browser, with every cookie that it was ever given, right after it passed both doors.
    const again = await browser.password(ada)
    assert.equal(again.location, '/login/2fa')
    assert.equal(await browser.isSignedIn(), false)
    // `seen` tells when the last session began and was used, so that its end can be explained.
    assert.deepEqual([...given].toSorted(), ['__Host-sid', 'seen'])
    // What clients are called, for the activity and for mails: no login reads it.
    const names = (await sqlNames(world)).filter((name) => /trust|device|remember/i.test(name))
    assert.deepEqual(names.filter((name) => !name.startsWith('trusted_browser')).toSorted(), [
      'event.device',
      'known_client.device',
    ])
  })
})

async function tryCode(browser: Browser, code: string): Promise<number> {
  await browser.open('/login/2fa')
  return (await browser.submit('/login/2fa', { code })).status
}

async function sqlNames(world: World): Promise<readonly string[]> {
  const tables = await world.database.introspection.getTables()
  return tables.flatMap(({ name, columns }) => [name, ...columns.map((column) => `${name}.${column.name}`)])
}

// The code that the machine's own time gives, which no test stops.
function machineCode({ secret }: Person): Promise<string> {
  assert.ok(secret !== undefined)
  return generate({ secret: secret.reveal() })
}
