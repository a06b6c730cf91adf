import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Browser, Page } from '../../../test/support.ts'
import { makeToken, Program } from './program.ts'
import { CONFIRM, signedIn } from '../../../test/flow/steps.ts'

const LIST = '/account/security/tokens'
const NEW = `${LIST}/new`
const JSON_ONLY = { headers: { accept: 'application/json' } }

async function make(
  browser: Browser,
  fields: Readonly<Record<string, string | readonly string[]>> = {},
): Promise<Page> {
  await browser.open(NEW)
  return browser.submit(NEW, { label: 'ci', days: '30', 'scopes[]': ['', 'activity.read'], ...fields })
}

describe('the page of the tokens', () => {
  it('offers what the account has, keeps what was typed beside a refusal, and shows a token once', async (test) => {
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
    const made = await make(browser, { label: '<b>ci' })
    const [token = ''] = /sallyport_[0-9A-Za-z]{49}/.exec(made.html) ?? []
    const list = await browser.open(LIST)
    assert.equal(list.html.includes(token), false)
    assert.ok(list.html.includes(token.slice(0, 14)))
    assert.match(list.html, /&lt;b&gt;ci[^]*activity\.read/)
    assert.equal((await new Program(world, token).get('/activity')).status, 200)
  })

  it('neither shows, revokes nor confirms a token of another account', async (test) => {
    const { world, browser } = await signedIn(test)
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

  it('suspends a token with a change of credentials, says so by mail and on pages, and lets it count again when its owner has proven both and confirms it [RA-2401 RA-3001]', async (test) => {
    const { world, person: ada, browser } = await signedIn(test)
    const program = new Program(world, await makeToken(world, ada))
    const password = 'another gate of two doors'
    assert.equal((await browser.send('/account/password', { password })).status, 303)
    assert.match(
      world.mailbox.list()[0]?.text ?? '',
      /stopped working[^]*\n- ci\n\nhttps:\/\/app\.test\/account\/security\/tokens\n/,
    )
    for (const told of ['/account', '/account/security'])
      assert.match((await browser.open(told)).html, /An API token has stopped working[^]*?<p>ci\. /)
    world.clock.advance(300)
    const [, path = ''] = /action="([^"]+\/confirm)"/.exec((await browser.open(LIST)).html) ?? []

    const asked = await browser.submit(path)
    await browser.open(asked.location ?? '')
    await browser.submit(CONFIRM, { return_url: path, password, code: await world.code(ada) })
    await browser.open(LIST)
    const before = await program.get('/me')
    const confirmed = await browser.submit(path)

    assert.equal(asked.location, `${CONFIRM}?return_url=${encodeURIComponent(path)}`)
    assert.deepEqual([before.status, confirmed.status, confirmed.location], [401, 303, LIST])
    assert.equal((await program.get('/me')).status, 200)
    assert.doesNotMatch((await browser.open('/account/security')).html, /stopped working/)
  })
})
