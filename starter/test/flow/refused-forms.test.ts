import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { type Browser, type Page, PASSWORD, type Person, type World } from '../support.ts'
import { leave } from './device-steps.ts'
import { inside } from './twin-steps.ts'

const REFUSED = /The form that you just sent was not carried out\. If you sent it more than once/
const GERMAN = /Das Formular, das Sie gerade abgeschickt haben, wurde nicht ausgeführt\. Wenn/
const PROFILE = '/account/profile'

interface Named {
  readonly world: World
  readonly ada: Person
  readonly browser: Browser
  /** Token of the form. */
  readonly token: string
}

/** Somebody who has typed a new name, and has not sent it yet. */
async function typing(test: TestContext): Promise<Named> {
  const { world, ada, browser } = await inside(test)
  const { html } = await browser.open(PROFILE)
  const token = /name="_csrf" value="([^"]+)"/.exec(html)?.[1] ?? ''
  return { world, ada, browser, token }
}

async function nameOf({ world, ada }: Named): Promise<string | undefined> {
  const row = world.database.selectFrom('account').select('name').where('id', '=', ada.id)
  return (await row.executeTakeFirst())?.name
}

async function send({ browser, token }: Named): Promise<Page> {
  const page = await browser.submit(PROFILE, { _csrf: token, name: 'Another' })
  assert.match(page.location ?? '', /^\/login/)
  return page
}

/** What ends the session before the form is sent, and what the login page says of that. */
const ENDS: Readonly<
  Record<string, { readonly end: (named: Named) => Promise<void>; readonly says: RegExp }>
> = {
  'ended elsewhere': {
    end: async ({ world, ada }) => {
      const other = world.browser()
      await other.signIn(ada)
      await other.open('/account/sessions')
      await other.submit('/account/sessions/others')
    },
    says: /this session was ended elsewhere/,
  },
  'without activity for too long': {
    end: async ({ world }) => world.clock.advance(31 * 60),
    says: /after 30 minutes without activity/,
  },
  'signed out in another window': {
    end: ({ browser }) => leave(browser),
    says: /<h1>Sign in<\/h1>/,
  },
}

describe('a form of somebody who is not signed in any more', () => {
  for (const [name, { end, says }] of Object.entries(ENDS))
    it(`${name}: the login page says once that the form was not carried out [RA-2801]`, async (test) => {
      const named = await typing(test)
      const before = await nameOf(named)
      await end(named)

      const { location } = await send(named)

      const { html } = await named.browser.open(location ?? '')
      assert.match(html, says)
      assert.match(html, REFUSED)
      assert.equal(await nameOf(named), before)
      assert.doesNotMatch((await named.browser.open(location ?? '')).html, REFUSED)
      assert.deepEqual(named.world.faults, [])
    })

  it('says so in German [RA-2801]', async (test) => {
    const named = await typing(test)
    await ENDS['ended elsewhere']?.end(named)

    const { location } = await send(named)

    const headers = { 'accept-language': 'de' }
    assert.match((await named.browser.open(location ?? '', { headers })).html, GERMAN)
  })

  it('says nothing of the kind of a page that is opened [RA-2801]', async (test) => {
    const named = await typing(test)
    await ENDS['ended elsewhere']?.end(named)

    const { location } = await named.browser.open(PROFILE)

    assert.doesNotMatch((await named.browser.open(location ?? '')).html, REFUSED)
  })

  it('claims it to nobody whose form may have done it, because an answer was lost [RA-2801]', async (test) => {
    const { world, browser } = await inside(test)
    const [path, fields] = ['/account/password', { password: 'a quiet orchard in the rain' }]
    await browser.open(path)
    await browser.twin().submit(path, fields)

    const { location } = await browser.submit(path, fields)

    const { html } = await browser.open(location ?? '')
    assert.match(html, /What you asked for last may have been done/)
    assert.doesNotMatch(html, REFUSED)
    assert.deepEqual(world.faults, [])
  })

  it('claims it no more after a sign-in, which may have sent the form again [RA-2801]', async (test) => {
    const named = await typing(test)
    const { browser, ada } = named
    await leave(browser)
    // In a tab of its own.
    await browser.open('/login')
    await send(named)
    named.world.clock.advance(30)
    await browser.submit('/login', { email: ada.email, password: PASSWORD })
    assert.equal((await browser.code(await named.world.code(ada))).location, '/account')
    await leave(browser)

    assert.doesNotMatch((await browser.open('/login')).html, REFUSED)
  })
})
