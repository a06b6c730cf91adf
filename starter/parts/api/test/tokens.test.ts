import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { missing } from '../../../test/facts-of-parts.ts'
import { type Browser, type Page, type Person, World } from '../../../test/support.ts'
import { makeToken, Program } from './program.ts'
import { CONFIRM, confirm } from '../../../test/flow/steps.ts'

const LIST = '/account/security/tokens'
const NEW = `${LIST}/new`
const TOKEN = /sallyport_[0-9A-Za-z]{49}/
const JSON_ONLY = { headers: { accept: 'application/json' } }

interface Signed {
  readonly ada: Person
  readonly browser: Browser
}

async function signedIn(world: World): Promise<Signed> {
  const ada = await world.person('ada', { factor: 'enabled', permissions: ['admin.access'] })
  const browser = world.browser()
  await browser.signIn(ada)
  return { ada, browser }
}

async function make(
  browser: Browser,
  fields: Readonly<Record<string, string | readonly string[]>> = {},
): Promise<Page> {
  const form = idOf(await browser.open(NEW))
  return browser.submit(NEW, { form, label: 'ci', days: '30', 'scopes[]': ['', 'activity.read'], ...fields })
}

/** The identifier that the form of a page carries. */
function idOf(page: Page): string {
  return /name="form" value="([^"]+)"/.exec(page.html)?.[1] ?? ''
}

describe('the page of the tokens', () => {
  it('makes a token only after password and factor were proven within five minutes [FACTOR-31]', async (test) => {
    const world = await World.create(test)
    const { ada, browser } = await signedIn(world)
    world.clock.advance(301)

    const asked = await browser.open(NEW)
    await browser.open(LIST)
    const posted = await browser.submit(NEW, { label: 'ci', days: '30' })
    assert.equal((await world.database.selectFrom('api_token').select('id').execute()).length, 0)
    assert.match((await browser.open(NEW, { follow: true })).html, /aria-current=page>API tokens</)
    await confirm(world, browser, { person: ada, path: NEW })
    const made = await make(browser)

    for (const page of [asked, posted])
      assert.equal(page.location, `${CONFIRM}?return_url=${encodeURIComponent(NEW)}`)
    assert.equal(made.status, 200)
    assert.match(made.html, TOKEN)
    assert.ok((await world.events(ada)).includes('token-created'))
  })

  it('shows a token once, and never again what could be used', async (test) => {
    const world = await World.create(test)
    const { browser } = await signedIn(world)

    const scopes = ['activity.read', ...(missing('administration-api') ? [] : ['admin.access'])]
    const made = await make(browser, { label: '<b>ci', 'scopes[]': ['', ...scopes] })
    const [token = ''] = TOKEN.exec(made.html) ?? []
    const list = await browser.open(LIST)

    assert.equal(made.headers.get('cache-control'), 'no-store')
    assert.equal(list.html.includes(token), false)
    assert.ok(list.html.includes(token.slice(0, 14)))
    assert.match(list.html, /&lt;b&gt;ci/)
    assert.match(list.html, new RegExp(scopes.join('[^]*')))
    const path = missing('administration-api') ? '/me' : '/accounts'
    assert.equal((await new Program(world, token).get(path)).status, 200)
  })

  it('makes one token for each form, of fifty posts at once and of a later one [RA-2702 RA-2502]', async (test) => {
    const world = await World.create(test)
    const { ada, browser } = await signedIn(world)
    const opened = await browser.open(NEW)
    const form = { form: idOf(opened), label: 'ci', days: '30', 'scopes[]': ['', 'activity.read'] }
    const tabs = Array.from({ length: 50 }, () => browser.twin())

    const pages = await Promise.all(tabs.map((tab) => tab.submit(NEW, form)))
    const later = await browser.submit(NEW, form)

    assert.deepEqual(
      pages.filter(({ status }) => status !== 303).map(({ status, html }) => [status, TOKEN.test(html)]),
      [[200, true]],
    )
    assert.deepEqual([...new Set([...pages, later].map(({ location }) => location))].toSorted(), [LIST, null])
    assert.equal((await world.database.selectFrom('api_token').select('id').execute()).length, 1)
    assert.equal(
      world.mailbox.list().filter(({ to, text }) => to === ada.email && text.includes('“ci”')).length,
      1,
    )
    assert.equal((await browser.submit(NEW, form, JSON_ONLY)).status, 409)
    assert.deepEqual(world.faults, [])
  })

  it('offers what the account has, and refuses everything else', async (test) => {
    const world = await World.create(test)
    const bob = await world.person('bob')
    const browser = world.browser()
    await browser.signIn(bob)

    const form = await browser.open(NEW)
    const refused = await make(browser, { 'scopes[]': ['', 'admin.access'] })

    assert.match(form.html, /value="activity\.read"/)
    assert.equal(form.html.includes('admin.access'), false)
    assert.equal(refused.status, 422)
    assert.match(refused.html, /A token cannot do what your account may not do/)
    assert.equal(TOKEN.test(refused.html), false)
  })

  it('makes no token without a permission, and says so', async (test) => {
    const world = await World.create(test)
    const { browser } = await signedIn(world)

    const page = await make(browser, { 'scopes[]': [''] })

    assert.equal(page.status, 422)
    assert.match(page.html, /Choose at least one permission/)
    assert.equal((await world.database.selectFrom('api_token').select('id').execute()).length, 0)
    assert.match((await make(browser)).html, TOKEN)
  })

  it('keeps what was typed when it refuses', async (test) => {
    const world = await World.create(test)
    const { browser } = await signedIn(world)

    const page = await make(browser, { label: ' ', days: '90', 'scopes[]': ['', 'activity.read'] })

    assert.equal(page.status, 422)
    assert.match(page.html, /value="90" selected/)
    assert.match(page.html, /value="activity\.read" checked/)
    assert.match(page.html, /id="label-error"/)
    for (const days of ['0', '-1', '31', '1e9', 'x', ''])
      assert.equal((await make(browser, { days })).status, 422)
  })

  it('revokes a token at once, without a proof', async (test) => {
    const world = await World.create(test)
    const { ada, browser } = await signedIn(world)
    const program = new Program(world, await makeToken(world, ada))
    world.clock.advance(600)
    const list = await browser.open(LIST)
    const [, path = ''] = /action="([^"]+\/revoke)"/.exec(list.html) ?? []

    const page = await browser.submit(path)

    assert.deepEqual([page.status, page.location], [303, LIST])
    assert.equal((await program.get('/me')).status, 401)
    assert.equal((await browser.submit(path, {}, JSON_ONLY)).status, 404)
  })

  it('neither shows, revokes nor confirms a token of another account', async (test) => {
    const world = await World.create(test)
    const { browser } = await signedIn(world)
    const eve = await world.person('eve')
    const token = await makeToken(world, eve, { name: 'secret of eve' })
    const row = await world.database.selectFrom('api_token').select('id').executeTakeFirstOrThrow()
    const list = await browser.open(LIST)

    assert.equal(list.html.includes('secret of eve'), false)
    await browser.open(NEW)
    for (const path of [`${LIST}/${row.id}/revoke`, `${LIST}/${row.id}/confirm`])
      assert.equal((await browser.submit(path, {}, JSON_ONLY)).status, 404)
    assert.equal((await new Program(world, token).get('/me')).status, 200)
    await world.identity.users.endSessions(eve.id)
    assert.equal((await browser.submit(`${LIST}/${row.id}/confirm`, {}, JSON_ONLY)).status, 404)
  })

  it('lets a token count again that the owner confirms after a change of credentials [RA-3001]', async (test) => {
    const world = await World.create(test)
    const { ada, browser } = await signedIn(world)
    const program = new Program(world, await makeToken(world, ada))
    await world.identity.users.endSessions(ada.id)
    world.clock.advance(400)
    const later = world.browser()
    await later.signIn(ada)
    world.clock.advance(400)
    const list = await later.open(LIST)
    const [, path = ''] = /action="([^"]+\/confirm)"/.exec(list.html) ?? []
    assert.match(list.html, /Suspended since/)
    for (const told of ['/account', '/account/security'])
      assert.match((await later.open(told)).html, /An API token has stopped working[^]*?<p>ci\. /)

    const asked = await later.submit(path)
    assert.equal((await program.get('/me')).status, 401)
    await confirm(world, later, { person: ada, path })
    assert.equal((await program.get('/me')).status, 401)
    await later.open(LIST)
    const confirmed = await later.submit(path)

    assert.equal(asked.location, `${CONFIRM}?return_url=${encodeURIComponent(path)}`)
    assert.deepEqual([confirmed.status, confirmed.location], [303, LIST])
    assert.equal((await program.get('/me')).status, 200)
    assert.doesNotMatch((await later.open('/account/security')).html, /stopped working/)
    assert.equal(await browser.isSignedIn(), false)
  })
})
