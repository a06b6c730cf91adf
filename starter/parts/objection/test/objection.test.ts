import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Browser, type Page, type Person, World } from '../../../test/support.ts'
import { MAX_OBJECTIONS, NotMeLinks, OBJECTION_DAYS } from '../objection-links.ts'

const DAY_SECONDS = 24 * 60 * 60

/** Path of the link in a new mail about the account. */
async function link(world: World, person: Person): Promise<string> {
  await world.identity.tell({ kind: 'password-changed', accountId: person.id })
  const [mail] = world.mailbox.list()
  return /https:\/\/app\.test(\/not-me\/\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
}

async function object(
  world: World,
  path: string,
): Promise<{ readonly browser: Browser; readonly page: Page }> {
  const browser = world.browser()
  await browser.open(path)
  return { browser, page: await browser.submit(path) }
}

describe('the link "this was not me" of a mail', () => {
  it('ends every session and pending login, signs nobody in, and leads to a new password [RA-1702]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const bob = await world.person('bob')
    const [signedIn, pending, other] = [world.browser(), world.browser(), world.browser()]
    await signedIn.signIn(ada)
    await pending.password(ada)
    await other.signIn(bob)
    const path = await link(world, ada)

    const { browser, page } = await object(world, path)

    assert.deepEqual([page.status, page.location], [303, '/forgot'])
    assert.equal('_auth' in (await signedIn.session()), false)
    assert.match((await browser.open('/forgot')).html, /signed (?:you )?out everywhere/)
    assert.equal(await browser.isSignedIn(), false)
    assert.equal('_auth' in (await browser.session()), false)
    assert.deepEqual([await signedIn.isSignedIn(), await other.isSignedIn()], [false, true])
    assert.equal((await pending.open('/login/2fa')).location, '/login')
    assert.ok((await world.events(ada)).includes('objected'))
    assert.equal(world.mailbox.list()[0]?.subject, 'Sessions of your account were signed out')
  })

  it('does nothing when it is only opened, by GET or HEAD, or posted without the token of the page [RA-1702]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada')
    const mine = world.browser()
    await mine.signIn(ada)
    const path = await link(world, ada)

    for (const method of ['GET', 'HEAD']) assert.equal((await mine.client.request(method, path)).status, 200)
    const browser = world.browser()
    await browser.open(path)
    assert.equal((await browser.submit(path, { _csrf: 'x' })).status, 403)
    assert.equal((await world.browser().submit(path)).status, 403)

    assert.equal(await mine.isSignedIn(), true)
    assert.equal((await object(world, path)).page.status, 303)
  })

  it('works once: of 50 uses at once, one ends the sessions [RA-1702]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada')
    const path = await link(world, ada)
    const browsers = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const browser = world.browser()
        await browser.open(path)
        return browser
      }),
    )

    const pages = await Promise.all(browsers.map((browser) => browser.submit(path)))

    assert.equal(pages.filter(({ status }) => status === 303).length, 1)
    assert.equal(pages.filter(({ status }) => status === 410).length, 49)
    assert.equal((await world.events(ada)).filter((kind) => kind === 'objected').length, 1)
    assert.equal((await world.browser().open(path)).status, 410)
  })

  it('works for some days, not longer, and no other token works at all [RA-1702]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada')
    const [early, late] = [await link(world, ada), await link(world, ada)]

    for (const path of [
      `${early}x`,
      '/not-me/x',
      `/not-me/${early.slice('/not-me/'.length).toLowerCase()}`,
      `/not-me/${ada.id}`,
    ])
      assert.equal((await world.browser().open(path)).status, 410, path)
    world.clock.advance(OBJECTION_DAYS * DAY_SECONDS - 1)
    assert.equal((await object(world, early)).page.status, 303)
    const browser = world.browser()
    await browser.open(late)
    world.clock.advance(1)
    assert.equal((await browser.submit(late)).status, 410)
    assert.equal((await world.browser().open(late)).status, 410)
  })

  it('is stored as a digest, and its page is neither cached nor told to other sites [RA-1702]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada')
    const path = await link(world, ada)

    const rows = JSON.stringify(await world.database.selectFrom('objection').selectAll().execute())
    const { headers } = await world.browser().open(path)

    assert.equal(rows.includes(path.slice('/not-me/'.length)), false)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.match(headers.get('referrer-policy') ?? '', /no-referrer|same-origin|strict-origin/)
  })

  it('ends the sessions although the session store fails, and does nothing that cannot be recorded [RA-1702]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada')
    const mine = world.browser()
    await mine.signIn(ada)
    const path = await link(world, ada)
    const record = test.mock.method(world.identity.audit, 'record', () =>
      Promise.reject(new Error('disk full')),
    )
    assert.equal((await object(world, path)).page.status, 500)
    record.mock.restore()
    assert.equal(await mine.isSignedIn(), true)
    const broken = test.mock.method(world.store, 'sessionsOf', () => Promise.reject(new Error('no store')))

    assert.equal((await object(world, path)).page.status, 303)
    broken.mock.restore()

    assert.equal(await mine.isSignedIn(), false)
  })

  it(`is one of ${MAX_OBJECTIONS} at most for an account, the newest ones [RA-1702]`, async (test) => {
    const world = await World.create(test)
    const [ada, bob] = [await world.person('ada'), await world.person('bob')]
    const links = world.app.get(NotMeLinks)
    const make = async ({ id }: Person): Promise<string> =>
      (await world.database.transaction().execute((transaction) => links.make(id, transaction))).path
    const theirs = await make(bob)
    const paths: string[] = []
    for (let count = 0; count < MAX_OBJECTIONS + 5; count += 1) {
      world.clock.advance(1)
      paths.push(await make(ada))
    }

    assert.equal(
      (await world.database.selectFrom('objection').selectAll().execute()).length,
      MAX_OBJECTIONS + 1,
    )
    const opened = async (path = ''): Promise<number> => (await world.browser().open(path)).status
    assert.deepEqual(
      [await opened(paths[4]), await opened(paths[5]), await opened(paths.at(-1)), await opened(theirs)],
      [410, 200, 200, 200],
    )
  })
})
