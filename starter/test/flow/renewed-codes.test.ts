import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { type Browser, type Person, World } from '../support.ts'
import { codesOf, enroll, confirm } from './steps.ts'

const PATH = '/account/recovery-codes'

interface Owner {
  readonly world: World
  readonly browser: Browser
  readonly person: Person
  readonly codes: readonly string[]
}

/** Somebody who has signed up, in a session whose proofs still count. */
async function signedUp(test: TestContext): Promise<Owner> {
  const world = await World.create(test)
  const browser = world.browser()
  const { person, codes } = await enroll(world, browser, 'eve')
  await browser.open('/enroll')
  await browser.submit('/enroll/done')
  world.clock.advance(30)
  await browser.open(PATH)
  return { world, browser, person, codes }
}

describe('new recovery codes', () => {
  it('are shown once, in place of the old ones; a mail tells it, and other sessions end [RA-1301 RA-0603 RA-3001]', async (test) => {
    const { world, browser, person, codes } = await signedUp(test)
    const other = world.browser()
    await other.signIn(person)
    world.clock.advance(30)
    await confirm(world, browser, { person, path: PATH })
    assert.match((await browser.open(PATH)).html, /You have 10 recovery codes left/)

    const page = await browser.submit(PATH)

    const renewed = codesOf(page)
    assert.equal(renewed.length, 10)
    assert.match(page.html, /<a class="button" href="\/account\/security">I&#39;ve saved them<\/a>/)
    assert.equal(page.headers.get('cache-control'), 'no-store')
    assert.deepEqual(codesOf(await browser.open(PATH)), [])
    assert.match(world.mailbox.list()[0]?.subject ?? '', /New recovery codes/)
    assert.equal((await world.events(person)).at(-1), 'recovery-codes-renewed')
    assert.deepEqual([await browser.isSignedIn(), await other.isSignedIn()], [true, false])
    const later = world.browser()
    await later.password(person)
    await later.open('/login/2fa/recovery')
    assert.equal((await later.submit('/login/2fa/recovery', { code: codes[0] ?? '' })).status, 422)
    assert.equal((await later.submit('/login/2fa/recovery', { code: renewed[0] ?? '' })).location, '/account')
  })
})
