import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Browser, PASSWORD, type Person, World } from '../support.ts'
import { codesOf, enroll } from './newcomer.ts'
import { confirm } from './step-up-steps.ts'

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
  await browser.open('/account')
  return { browser, person, codes }
}

describe('new recovery codes', () => {
  it('are shown once after password and code, in place of the old ones, and a mail tells it [RA-1301 RA-0603]', async (test) => {
    const world = await World.create(test)
    const { browser, person, codes } = await signedIn(world, 'eve')
    assert.match((await browser.open('/account')).html, /href="\/account\/recovery-codes">Make new codes/)
    await confirm(world, browser, { person, path: PATH })
    assert.match((await browser.open(PATH)).html, /You have 10 recovery codes left/)

    const page = await browser.submit(PATH)

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

  it('sign out every other session, and keep this one [RA-1301 RA-3001]', async (test) => {
    const world = await World.create(test)
    const { browser, person } = await signedIn(world, 'eve')
    const other = world.browser()
    await other.signIn(person)
    world.clock.advance(30)
    await confirm(world, browser, { person, path: PATH })

    await browser.open(PATH)
    await browser.submit(PATH)

    assert.deepEqual([await browser.isSignedIn(), await other.isSignedIn()], [true, false])
  })

  it('are refused to a session alone, whatever its form holds [RA-1301]', async (test) => {
    const world = await World.create(test)
    const { browser, person } = await signedIn(world, 'eve')
    // What the enrollment proved counts no more.
    world.clock.advance(300)
    const code = await world.code(person)

    for (const fields of [{}, { password: PASSWORD }, { code }, { password: PASSWORD, code }]) {
      const page = await browser.submit(PATH, fields)
      assert.deepEqual(
        [page.status, page.location, codesOf(page)],
        [303, '/account/confirm?return_url=%2Faccount%2Frecovery-codes', []],
      )
    }
    assert.equal((await browser.submit(PATH, { _csrf: 'x' })).status, 403)
    assert.equal(await world.identity.codes.left(person.id), 10)
  })

  it('need a login, and a second factor', async (test) => {
    const world = await World.create(test)
    assert.match((await world.browser().open(PATH)).location ?? '', /^\/login/)
    const browser = world.browser()
    await browser.signIn(await world.person('bob'))

    assert.equal((await browser.open(PATH)).location, '/account/security')
    await browser.open('/account')
    assert.equal((await browser.submit(PATH)).location, '/account/security')
  })
})
