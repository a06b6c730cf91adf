import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { codesOf } from '../../../test/flow/steps.ts'
import { type Browser, type Page, PASSWORD, World } from '../../../test/support.ts'
import { type ResponseOptions, SoftwareAuthenticator } from 'sallyport-app/testing/authenticators'
import { passkeySignIn } from '../../passkeys/test/steps.ts'
import { askForLink, create, EMAIL, passwordless } from './steps.ts'

/** What there is of it: accounts, passkeys, recovery codes, links. */
async function counts({ database }: World): Promise<readonly number[]> {
  const tables = ['account', 'passkey', 'factor', 'recovery_code', 'confirmation'] as const
  const found = tables.map((table) => database.selectFrom(table).selectAll().execute())
  return (await Promise.all(found)).map(({ length }) => length)
}

describe('signing up with a passkey', () => {
  it('makes an account without a password, and signs nobody in before the recovery codes were seen [RA-2903 RA-0901]', async (test) => {
    const world = await World.create(test)
    const [browser, key] = [world.browser(), new SoftwareAuthenticator()]
    const path = await askForLink(world)

    const shown = await create(browser, path, key)

    assert.deepEqual([shown.status, codesOf(shown).length, await browser.isSignedIn()], [200, 10, false])
    assert.deepEqual(await counts(world), [1, 1, 1, 10, 0])
    const account = await world.identity.users.findByEmail(EMAIL)
    assert.deepEqual([account?.passwordHash, account?.id], [null, key.accountId])
    const person = { id: key.accountId, email: EMAIL, secret: undefined }
    assert.deepEqual(await world.events(person), ['account-created', 'passkey-added'])
    assert.match(world.mailbox.list()[0]?.text ?? '', /Passkey/)
    assert.equal((await browser.submit('/enroll/done')).location, '/account')
    assert.equal(await browser.isSignedIn(), true)
    const elsewhere = world.browser()
    assert.equal((await passkeySignIn(elsewhere, key)).location, '/account')
    assert.equal((await passkeySignIn(world.browser(), key, { verified: false })).location, '/login')
  })

  it('uses its link once: of several that come at once, one has an account and a passkey [RA-2903 RA-0103]', async (test) => {
    const world = await World.create(test)
    const path = await askForLink(world)
    const ready: (() => Promise<Page>)[] = []
    for (let index = 0; index < 5; index += 1) {
      const browser = world.browser()
      const response = new SoftwareAuthenticator().register((await browser.open(path)).html)
      ready.push(() => browser.submit(path, { name: 'Grace', response }))
    }
    const withPassword = world.browser()
    const other = path.replace('passkey-sign-up', 'sign-up/confirm')
    await withPassword.open(other)

    const pages = await Promise.all([
      ...ready.map((send) => send()),
      withPassword.submit(other, { name: 'Grace', password: PASSWORD }),
    ])

    assert.equal(pages.filter(({ status }) => status === 410).length, 5)
    const [accounts, passkeys, , codes] = await counts(world)
    const isPassword = pages.at(-1)?.status === 303
    assert.deepEqual([accounts, passkeys, codes], isPassword ? [1, 0, 0] : [1, 1, 10])
    for (const used of [path, other]) assert.equal((await world.browser().open(used)).status, 410)
    assert.deepEqual(world.faults, [])
  })

  it('makes nothing of a response that is too weak, or was asked for in another session or behind another link, and the link still works [RA-2903 RA-0501]', async (test) => {
    const world = await World.create(test)
    const [path, other] = [await askForLink(world), await askForLink(world, 'eve@example.test')]
    const [browser, elsewhere] = [world.browser(), world.browser()]
    const refused: readonly (readonly [from: Browser, asked: string, ResponseOptions])[] = [
      // Of a device that did not check its user, or could not sign in by itself.
      [browser, path, { verified: false }],
      [browser, path, { resident: false }],
      [elsewhere, path, {}],
      [browser, other, {}],
    ]

    for (const [from, asked, options] of refused) {
      await browser.open(path)
      const { html } = await from.open(asked)
      await browser.open(path)
      const response = new SoftwareAuthenticator().register(html, options)
      const page = await browser.submit(path, { name: 'Grace', response })

      assert.equal(page.status, 422, JSON.stringify(options))
      assert.match(page.html, /value="Grace"/)
      assert.deepEqual(await counts(world), [0, 0, 0, 0, 2])
    }

    assert.equal(await browser.isSignedIn(), false)
    assert.equal((await create(browser, path)).status, 200)
  })

  it('makes no account with a passkey of another one, keeps the link, and costs no more hashes than a link may [RA-2903 RA-1201]', async (test) => {
    const { world, key } = await passwordless(test)
    const path = await askForLink(world, 'eve@example.test')

    const statuses: number[] = []
    // Each in a session of its own: what counts is the link.
    for (let times = 0; times < 21; times += 1)
      statuses.push((await create(world.browser(), path, key)).status)

    assert.deepEqual([statuses[0], statuses.at(-1)], [422, 429])
    assert.deepEqual(await counts(world), [1, 1, 1, 10, 1])
  })

  it('is not offered where browsers offer no passkeys, and leaves the password [RA-2903 RA-2902]', async (test) => {
    const world = await World.create(test, { origin: () => 'https://192.0.2.1' })
    const browser = world.browser()
    await browser.send('/sign-up', { email: EMAIL })
    const link = /https:\/\/192\.0\.2\.1(\/\S+)/.exec(world.mailbox.list()[0]?.text ?? '')?.[1] ?? ''

    const page = await browser.open(link)

    assert.equal(page.status, 200)
    assert.doesNotMatch(page.html, /passkey/i)
    assert.equal((await browser.submit(link, { name: 'Grace', password: PASSWORD })).location, '/enroll')
  })
})
