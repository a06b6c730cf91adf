import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Browser, PASSWORD, type Person, World } from '../support.ts'
import { enroll, signUp } from './newcomer.ts'
import { ADD, signedIn } from './security-steps.ts'
import { CONFIRM } from './step-up-steps.ts'

const DOOR = '/login/2fa'
const RECOVERY = '/login/2fa/recovery'
const JSON_CLIENT = { headers: { accept: 'application/json' } }
const NO_SIX_DIGITS = [
  '',
  ' ',
  'no',
  '12345',
  '1234567',
  '0123456',
  '12345a',
  '1'.repeat(10_000),
  '12\u066034',
  '-123.45',
  'Ⅻ3456',
]
const NO_RECOVERY_CODES = ['', 'no', '123456', 'ABCD-EFGH', 'ABCD-EFGH-JKMU', 'ABCD-EFGH-JKMN-PQRS']

/** All that is counted, recorded or mailed. */
async function traces(world: World): Promise<unknown> {
  const { database, mailbox } = world
  return {
    attempts: await database.selectFrom('attempt').selectAll().execute(),
    challenges: await database.selectFrom('challenge').selectAll().execute(),
    events: await database.selectFrom('event').select('id').execute(),
    mails: mailbox.list().length,
  }
}

async function pending(world: World, ada: Person): Promise<Browser> {
  const browser = world.browser()
  await browser.password(ada)
  await browser.open(DOOR)
  return browser
}

describe('what cannot be a code', () => {
  it('of the authenticator is refused at once, and is no attempt [RA-0404 FLOW-28 FLOW-30]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const browser = await pending(world, ada)
    const before = await traces(world)

    for (const code of NO_SIX_DIGITS) {
      const page = await browser.submit(DOOR, { code })
      assert.equal(page.status, 422, code)
      assert.match(
        page.html,
        /id="code-error">(?:Fill in|Six digits are needed\. This did not count as an attempt)/,
      )
    }
    for (const fields of [{ 'code[]': ['123456', '654321'] }, { code: ['123456', '123456'] }, {}])
      assert.equal((await browser.submit(DOOR, fields)).status, 422)

    assert.deepEqual(await traces(world), before)
    assert.equal(await browser.isSignedIn(), false)
    assert.equal((await browser.code(await world.code(ada))).location, '/account')
  })

  it('is told to a JSON client with a code of its own [RA-0404 RA-0007]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const browser = await pending(world, ada)

    const page = await browser.submit(DOOR, { code: '12345' }, JSON_CLIENT)

    assert.equal(page.status, 422)
    const { violations } = JSON.parse(page.html) as { violations: readonly { field: string; code: string }[] }
    assert.deepEqual(
      violations.map(({ field, code }) => [field, code]),
      [['code', 'invalid_format']],
    )
  })

  it('gets the same answer whether or not the account is locked [RA-0404 FACTOR-02]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const open = await pending(world, ada)
    const free = await open.submit(DOOR, { code: 'no' })
    for (let times = 0; times < 10; times += 1) {
      const attacker = await pending(world, ada)
      await attacker.submit(DOOR, { code: await world.wrongCode(ada) })
    }
    const browser = await pending(world, ada)
    assert.equal((await browser.submit(DOOR, { code: await world.wrongCode(ada) })).status, 429)
    const before = await traces(world)

    const locked = await browser.submit(DOOR, { code: 'no' })

    assert.equal(locked.status, free.status)
    const said = (html: string): string => /id="code-error">([^<]+)/.exec(html)?.[1] ?? ''
    assert.equal(said(locked.html), said(free.html))
    assert.equal(locked.headers.get('retry-after'), null)
    assert.deepEqual(await traces(world), before)
  })

  it('of a recovery code is refused at once, and is no attempt [RA-0603 RA-0404]', async (test) => {
    const world = await World.create(test)
    const { person, codes } = await enroll(world, world.browser(), 'eve')
    const browser = world.browser()
    await browser.password(person)
    await browser.open(RECOVERY)
    const before = await traces(world)

    for (const code of NO_RECOVERY_CODES) {
      const page = await browser.submit(RECOVERY, { code })
      assert.equal(page.status, 422, code)
      assert.match(page.html, /id="code-error">(?:Fill in|A recovery code has twelve letters and digits)/)
    }

    assert.deepEqual(await traces(world), before)
    const [code = ''] = codes
    const typed = code.toLowerCase().replaceAll('-', ' ')
    assert.equal((await browser.submit(RECOVERY, { code: typed })).location, '/account')
  })

  it('in a step-up is refused before password and code are looked at [RA-1402 RA-1401]', async (test) => {
    const { world, person, browser } = await signedIn(test)
    world.clock.advance(300)
    await browser.open(CONFIRM)
    const before = await traces(world)

    for (const password of [PASSWORD, 'wrong', ''])
      for (const code of ['', '12345', 'no']) {
        const page = await browser.submit(CONFIRM, { password, code })
        assert.equal(page.status, 422)
        assert.match(page.html, /id="code-error">(?:Fill in|Six digits are needed)/)
      }
    const json = await browser.submit(CONFIRM, { password: PASSWORD, code: '12345' }, JSON_CLIENT)
    assert.deepEqual([json.status, /"invalid_format"/.test(json.html)], [422, true])

    assert.deepEqual(await traces(world), before)
    const code = await world.code(person)
    assert.equal((await browser.submit(CONFIRM, { password: PASSWORD, code })).status, 303)
  })

  it('of a recovery code in a step-up is refused alike [RA-1402]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()
    await enroll(world, browser, 'eve')
    await browser.submit('/enroll/done')
    world.clock.advance(300)
    await browser.open(`${CONFIRM}?with=recovery`)
    const before = await traces(world)

    for (const recovery_code of NO_RECOVERY_CODES.slice(1)) {
      const page = await browser.submit(CONFIRM, { password: PASSWORD, recovery_code })
      assert.equal(page.status, 422)
      assert.match(page.html, /id="recovery_code-error">A recovery code has twelve/)
    }

    assert.deepEqual(await traces(world), before)
  })

  it('of the first code leaves the enrollment as it is [RA-0902 FACTOR-26]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()
    const shown = await signUp(world, browser, 'eve')
    const before = await traces(world)

    for (const code of NO_SIX_DIGITS) {
      const page = await browser.submit('/enroll', { code })
      assert.equal(page.status, 422, code)
      assert.match(page.html, /id="code-error">(?:Fill in|Six digits are needed)/)
      const secret = /class="secret"[^>]*>([^<]+)/
      assert.equal(secret.exec(page.html)?.[1], secret.exec(shown.html)?.[1])
    }

    assert.deepEqual(await traces(world), before)
  })

  it('of an authenticator that is added is no attempt [RA-1101 FACTOR-26]', async (test) => {
    const { world, browser } = await signedIn(test)
    await browser.open(ADD)
    const before = await traces(world)

    for (const code of NO_SIX_DIGITS) {
      const page = await browser.submit(ADD, { label: 'Tablet', code })
      assert.equal(page.status, 422, code)
      assert.match(page.html, /id="code-error">(?:Fill in|Six digits are needed)/)
    }

    assert.deepEqual(await traces(world), before)
  })
})
