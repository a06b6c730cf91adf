import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { catalogues } from '../catalogues.ts'
import { IN_OTHER, needsTwo, OTHER, saidInOther, shownInOther } from '../languages.ts'
import { TestClient } from 'sallyport/testing'
import { HAS_CHOICE } from '../../core/messages/language.ts'
import { Browser, type Page, World } from '../support.ts'
import { newestLink, personOf } from './newcomer.ts'

/** English messages that no page of the other language has. */
const ENGLISH: readonly string[] = Object.entries(catalogues.en.messages)
  .filter(([id, text]) => text.length > 12 && !text.includes('{') && catalogues[OTHER].messages[id] !== text)
  .map(([, text]) => text)

function assertOther(page: Page, name: string): void {
  assert.match(page.html, new RegExp(`<html lang="${OTHER}">`), name)
  for (const text of ENGLISH) assert.equal(page.html.includes(text), false, `${name}: ${text}`)
}

async function choose(browser: Browser, language: string, returnUrl = ''): Promise<Page> {
  await browser.open('/language')
  return browser.submit('/language', { language, ...(returnUrl === '' ? {} : { return_url: returnUrl }) })
}

describe('the language', needsTwo, () => {
  it('is what the browser prefers, on every page and error page [RA-3101]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled', permissions: ['admin.access'] })
    await world.database.updateTable('factor').set({ label: 'My key' }).execute()
    const browser = world.browser()
    const see = async (path: string): Promise<void> => assertOther(await browser.open(path, IN_OTHER), path)

    for (const path of ['/', '/login', '/language', '/nothing']) await see(path)
    assertOther(await browser.submit('/login', { email: 'x', password: 'y' }, IN_OTHER), 'refused')
    await browser.password(ada)
    await see('/login/2fa')
    const refused = await browser.submit('/login/2fa', { code: await world.wrongCode(ada) }, IN_OTHER)
    assertOther(refused, 'refused code')
    assert.ok(refused.html.includes(shownInOther('wrong_code', { domain: 'auth', triesLeft: 4 })))
    await browser.code(await world.code(ada))
    for (const path of ['/account', '/account/security', '/', '/nothing']) await see(path)
  })

  it('is that of every page of signing up, and of its mails [RA-3101]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()
    const submit = async (path: string, fields: Readonly<Record<string, string>>): Promise<Page> => {
      const page = await browser.submit(path, fields, IN_OTHER)
      if (page.location === null) assertOther(page, path)
      else assertOther(await browser.open(page.location, IN_OTHER), page.location)
      return page
    }
    assertOther(await browser.open('/sign-up', IN_OTHER), 'sign-up')
    await submit('/sign-up', { email: 'nobody' })
    await submit('/sign-up', { email: 'eva@example.test' })
    assert.equal(world.mailbox.list()[0]?.subject, saidInOther('mail.confirm.subject'))
    const link = newestLink(world)
    const here = { origin: 'http://localhost', clientAddress: '127.0.0.1' }
    const mailbox = new Browser(world, new TestClient(world.app, here))
    assertOther(await mailbox.open('/dev/mail', IN_OTHER), 'mailbox')
    assertOther(await browser.open('/sign-up/confirm/x', IN_OTHER), 'outdated')
    assertOther(await browser.open(link, IN_OTHER), 'confirm')
    await submit(link, { name: 'Eva', password: 'passwort123' })
    await submit(link, { name: 'Eva', password: 'zwei Türen und ein Tor' })
    const eva = await personOf(world, 'eva', await browser.open('/enroll', IN_OTHER))
    await submit('/enroll', { code: '000000' })
    await submit('/enroll', { code: await world.code(eva) })
    assertOther(await browser.open('/enroll', IN_OTHER), 'codes again')
    await submit('/enroll/codes', {})
    await submit('/enroll/done', {})
    await browser.submit('/logout')
    await browser.open('/login', IN_OTHER)
    await submit('/login', { email: eva.email, password: 'zwei Türen und ein Tor' })
    assertOther(await browser.open('/login/2fa/recovery', IN_OTHER), 'recovery')
    await submit('/login/2fa/recovery', { code: '0000-0000-0000' })
    const subjects = world.mailbox.list().map(({ subject }) => subject)
    assert.deepEqual(
      subjects,
      ['notice.recovery-codes-renewed.subject', 'notice.factor-added.subject', 'mail.confirm.subject'].map(
        (id) => saidInOther(id),
      ),
    )
  })

  it('is chosen by the person and kept for a year, with or without a session [RA-3101]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()

    const chosen = await choose(browser, OTHER, '/login?return_url=%2Faccount%2Fsecurity')

    assert.deepEqual([chosen.status, chosen.location], [303, '/login?return_url=%2Faccount%2Fsecurity'])
    assert.match(
      chosen.headers.get('set-cookie') ?? '',
      new RegExp(`language=${OTHER}; [^,]*Max-Age=31536000`),
    )
    assertOther(await browser.open('/login'), 'chosen')
    assertOther(await browser.open('/nothing', { headers: { 'accept-language': 'en' } }), 'error page')
    await choose(browser, 'en')
    assert.match((await browser.open('/login', IN_OTHER)).html, /<html lang="en">/)
  })

  it('is offered on every page, and returns to it [RA-3101]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()

    const page = await browser.open('/login?return_url=%2Faccount%2Fsecurity')

    const [, href = ''] = /href="(\/language[^"]*)"/.exec(page.html) ?? []
    assert.match(
      (await browser.open(href)).html,
      /name="return_url" value="\/login\?return_url=%2Faccount%2Fsecurity"/,
    )
    assert.match((await browser.open('/')).html, /href="\/language\?return_url=%2F"/)
  })

  it('leads to no other site, and opening the choice changes nothing [FLOW-51]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()

    for (const target of ['https://evil.test/', '//evil.test', '/\\evil.test'])
      assert.equal((await choose(browser, OTHER, target)).location, '/')
    const opened = await world.browser().open(`/language?language=${OTHER}`)
    assert.equal(opened.headers.get('set-cookie')?.includes('language=') ?? false, false)
  })

  it('refuses a language that the application does not have [RA-3101]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()

    assert.equal((await choose(browser, 'xx')).status, 422)
    assert.match((await browser.open('/login')).html, /<html lang="en">/)
  })
})

if (!HAS_CHOICE)
  describe('the only language', () => {
    it('is that of every page, and nothing offers a choice [RA-3101]', async (test) => {
      const browser = (await World.create(test)).browser()

      const page = await browser.open('/', { headers: { 'accept-language': 'xx' } })

      assert.match(page.html, /<html lang="en">/)
      assert.doesNotMatch(page.html, /\/language/)
      assert.equal((await browser.open('/language')).status, 404)
    })
  })
