import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Browser, World } from '../support.ts'
import { newestLink } from './newcomer.ts'
import { type Owner, signedIn } from './security-steps.ts'

const ELSEWHERE = /ended elsewhere/

async function reset(world: World, browser: Browser, email: string): Promise<void> {
  const other = world.browser()
  await other.open('/forgot')
  await other.submit('/forgot', { email })
  const link = newestLink(world)
  await browser.open(link)
  assert.equal((await browser.submit(link, { password: 'a quiet orchard in the rain' })).location, '/login')
}

/** What ends the session of the person who does it, and says so. */
const ENDS: Readonly<Record<string, (owner: Owner) => Promise<void>>> = {
  'signing out': async ({ browser }) => {
    await browser.open('/account')
    assert.equal((await browser.submit('/logout')).location, '/login')
  },
  'the end of all sessions': async ({ browser }) => {
    await browser.open('/account/sessions')
    assert.match(
      (await browser.submit('/account/sessions/all')).location ?? '',
      /^\/account\/sessions\/ended/,
    )
  },
  'the deletion of the account': async ({ browser, person }) => {
    await browser.open('/account/delete')
    const page = await browser.submit('/account/delete', { email: person.email })
    assert.match(page.location ?? '', /^\/deletion\/asked/)
  },
  'a new password by mail': ({ world, browser, person }) => reset(world, browser, person.email),
}

describe('the login page after an end that its person asked for', () => {
  for (const [name, end] of Object.entries(ENDS))
    it(`does not say after ${name} that the session was ended elsewhere [RA-2801]`, async (test) => {
      const owner = await signedIn(test)

      await end(owner)

      const { status, html } = await owner.browser.open('/login')
      assert.equal(status, 200)
      assert.doesNotMatch(html, ELSEWHERE)
    })

  it('says so in the other browsers [RA-2801]', async (test) => {
    const owner = await signedIn(test)
    const other = owner.world.browser()
    await other.signIn(owner.person)
    assert.equal(await other.isSignedIn(), true)

    await ENDS['the end of all sessions']?.(owner)

    await other.open('/account')
    assert.match((await other.open('/login')).html, ELSEWHERE)
  })
})
