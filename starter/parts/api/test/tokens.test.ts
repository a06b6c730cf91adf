import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { missing } from '../../../test/facts-of-parts.ts'
import type { Browser, Page } from '../../../test/support.ts'
import { makeToken, Program } from './program.ts'
import { CONFIRM, confirm, type Owner, signedIn } from '../../../test/flow/steps.ts'

const LIST = '/account/security/tokens'
const NEW = `${LIST}/new`
const TOKEN = /sallyport_[0-9A-Za-z]{49}/
const JSON_ONLY = { headers: { accept: 'application/json' } }

function signedInAdmin(test: TestContext): Promise<Owner> {
  return signedIn(test, { factor: 'enabled', permissions: ['admin.access'] })
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
  it('makes a token only after password and factor were proven within five minutes, and shows it once [FACTOR-31]', async (test) => {
    const { world, person: ada, browser } = await signedInAdmin(test)
    world.clock.advance(301)
    const scopes = ['activity.read', ...(missing('administration-api') ? [] : ['admin.access'])]

    const asked = await browser.open(NEW)
    await confirm(world, browser, { person: ada, path: NEW })
    const made = await make(browser, { label: '<b>ci', 'scopes[]': ['', ...scopes] })
    const [token = ''] = TOKEN.exec(made.html) ?? []
    const list = await browser.open(LIST)

    assert.equal(asked.location, `${CONFIRM}?return_url=${encodeURIComponent(NEW)}`)
    assert.equal(list.html.includes(token), false)
    assert.ok(list.html.includes(token.slice(0, 14)))
    assert.match(list.html, /&lt;b&gt;ci/)
    assert.match(list.html, new RegExp(scopes.join('[^]*')))
    const path = missing('administration-api') ? '/me' : '/accounts'
    assert.equal((await new Program(world, token).get(path)).status, 200)
    assert.ok((await world.events(ada)).includes('token-created'))
  })

  it('makes one token for each form, of fifty posts at once and of a later one [RA-2702 RA-2502]', async (test) => {
    const { world, browser } = await signedInAdmin(test)
    const opened = await browser.open(NEW)
    const form = { form: idOf(opened), label: 'ci', days: '30', 'scopes[]': ['', 'activity.read'] }
    const tabs = Array.from({ length: 50 }, () => browser.twin())

    const pages = await Promise.all(tabs.map((tab) => tab.submit(NEW, form)))
    const later = await browser.submit(NEW, form)

    const shown = pages.filter(({ html }) => TOKEN.test(html))
    const led = [...pages, later].filter(({ location }) => location === LIST)
    assert.deepEqual([shown.length, led.length], [1, 50])
    assert.equal((await world.database.selectFrom('api_token').select('id').execute()).length, 1)
    assert.equal(world.mailbox.list().filter(({ text }) => text.includes('“ci”')).length, 1)
    assert.equal((await browser.submit(NEW, form, JSON_ONLY)).status, 409)
    assert.deepEqual(world.faults, [])
  })

  it('offers what the account has, refuses everything else, and keeps what was typed', async (test) => {
    const { world, browser } = await signedIn(test, {})

    const form = await browser.open(NEW)
    const foreign = await make(browser, { 'scopes[]': ['', 'admin.access'] })
    const none = await make(browser, { 'scopes[]': [''] })
    const nameless = await make(browser, { label: ' ', days: '90' })

    assert.match(form.html, /value="activity\.read"/)
    assert.equal(form.html.includes('admin.access'), false)
    for (const page of [foreign, none, nameless]) assert.equal(page.status, 422)
    assert.match(nameless.html, /value="activity\.read" checked/)
    assert.match(nameless.html, /value="90" selected/)
    for (const days of ['0', '-1', '31', '1e9', 'x', ''])
      assert.equal((await make(browser, { days })).status, 422)
    assert.deepEqual(await world.database.selectFrom('api_token').select('id').execute(), [])
  })

  it('revokes a token at once, without a proof', async (test) => {
    const { world, person: ada, browser } = await signedInAdmin(test)
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
    const { world, browser } = await signedInAdmin(test)
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
    const { world, person: ada, browser } = await signedInAdmin(test)
    const program = new Program(world, await makeToken(world, ada))
    await world.identity.users.endSessions(ada.id)
    world.clock.advance(400)
    const later = world.browser()
    await later.signIn(ada)
    world.clock.advance(400)
    const list = await later.open(LIST)
    const [, path = ''] = /action="([^"]+\/confirm)"/.exec(list.html) ?? []
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
