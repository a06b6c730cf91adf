import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Browser, PASSWORD, type Person, World } from '../support.ts'
import { codesOf, enroll } from './newcomer.ts'

const PATH = '/account/recovery-codes'

interface Owner {
  readonly browser: Browser
  readonly person: Person
  readonly codes: readonly string[]
}

async function signedIn(world: World, name: string): Promise<Owner> {
  const browser = world.browser()
  const { person, codes } = await enroll(world, browser, name)
  await browser.open('/enroll')
  await browser.submit('/enroll/done')
  world.clock.advance(30)
  await browser.open(PATH)
  return { browser, person, codes }
}

describe('new recovery codes', () => {
  it('RA-1301, RA-0603: are shown once for the password and a code, in place of the old ones, and a mail tells it', async (test) => {
    const world = await World.create(test)
    const { browser, person, codes } = await signedIn(world, 'eve')
    assert.match((await browser.open('/account')).html, /href="\/account\/recovery-codes">Make new codes/)
    assert.match((await browser.open(PATH)).html, /You have 10 recovery codes left/)

    const page = await browser.submit(PATH, { password: PASSWORD, code: await world.code(person) })

    const renewed = codesOf(page)
    assert.equal(renewed.length, 10)
    assert.equal(await world.identity.codes.left(person.id), 10)
    assert.equal(page.headers.get('cache-control'), 'no-store')
    assert.deepEqual(codesOf(await browser.open(PATH)), [])
    assert.match(world.mailbox.list()[0]?.subject ?? '', /New recovery codes/)
    assert.equal((await world.events(person)).at(-1), 'recovery-codes-renewed')
    for (const [code, location] of [
      [codes[0], null],
      [renewed[0], '/account'],
    ] as const) {
      const later = world.browser()
      await later.password(person)
      await later.open('/login/2fa/recovery')
      assert.equal((await later.submit('/login/2fa/recovery', { code: code ?? '' })).location, location)
    }
  })

  it('RA-1301, RA-3001: sign out every other session, and keep this one', async (test) => {
    const world = await World.create(test)
    const { browser, person } = await signedIn(world, 'eve')
    const other = world.browser()
    await other.signIn(person)
    world.clock.advance(30)

    await browser.submit(PATH, { password: PASSWORD, code: await world.code(person) })

    assert.deepEqual([await browser.isSignedIn(), await other.isSignedIn()], [true, false])
  })

  it('RA-1301: are refused to a session alone, to a password alone, to a code alone and to a used code', async (test) => {
    const world = await World.create(test)
    const { browser, person, codes } = await signedIn(world, 'eve')
    const right = { password: PASSWORD, code: await world.code(person) }
    const wrong = await world.wrongCode(person)
    const tried: readonly Readonly<Record<string, string>>[] = [
      {},
      { password: PASSWORD, code: '' },
      { password: PASSWORD, code: wrong },
      { password: 'wrong', code: right.code },
      { password: PASSWORD, code: codes[0] ?? '' },
      { password: PASSWORD, code: await world.code(person, -1) },
    ]

    for (const fields of tried) {
      const page = await browser.submit(PATH, fields)
      assert.deepEqual([page.status, codesOf(page)], [422, []])
    }
    assert.equal((await browser.submit(PATH, { ...right, _csrf: 'x' })).status, 403)
    const kinds = await world.events(person)
    assert.equal(kinds.filter((kind) => kind === 'password-refused').length, 1)
    assert.equal(kinds.filter((kind) => kind === 'code-refused').length, 3)
    assert.equal(codesOf(await browser.submit(PATH, right)).length, 10)
  })

  it('FACTOR-18: are limited as a login is, and say for how long', async (test) => {
    const world = await World.create(test)
    const { browser, person } = await signedIn(world, 'eve')
    for (let times = 0; times < 10; times += 1)
      await browser.submit(PATH, { password: 'wrong', code: '000000' })

    const page = await browser.submit(PATH, { password: PASSWORD, code: await world.code(person) })

    assert.equal(page.status, 429)
    assert.match(page.html, /Too many attempts\. Wait 15 minutes/)
  })

  it('need a login, and a second factor', async (test) => {
    const world = await World.create(test)
    assert.match((await world.browser().open(PATH)).location ?? '', /^\/login/)
    const browser = world.browser()
    await browser.signIn(await world.person('bob'))

    assert.equal((await browser.open(PATH)).location, '/account')
    await browser.open('/account')
    assert.equal((await browser.submit(PATH, { password: PASSWORD, code: '000000' })).status, 422)
  })
})
