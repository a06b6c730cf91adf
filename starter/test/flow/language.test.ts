import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { catalogues } from '../catalogues.ts'
import { TestClient } from 'sallyport/testing'
import { Browser, type Page, World } from '../support.ts'
import { newestLink, personOf } from './newcomer.ts'

const GERMAN = { headers: { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' } }

/** English messages that a German page must not have. */
const ENGLISH: readonly string[] = Object.entries(catalogues.en.messages)
  .filter(([id, text]) => text.length > 12 && !text.includes('{') && catalogues.de.messages[id] !== text)
  .map(([, text]) => text)

function assertGerman(page: Page, name: string): void {
  assert.match(page.html, /<html lang="de">/, name)
  for (const text of ENGLISH) assert.equal(page.html.includes(text), false, `${name}: ${text}`)
}

async function choose(browser: Browser, language: string, returnUrl = ''): Promise<Page> {
  await browser.open('/language')
  return browser.submit('/language', { language, ...(returnUrl === '' ? {} : { return_url: returnUrl }) })
}

describe('the language', () => {
  it('is what the browser prefers, on every page and error page [RA-3101]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled', permissions: ['admin.access'] })
    await world.database.updateTable('factor').set({ label: 'Telefon' }).execute()
    const browser = world.browser()
    const see = async (path: string): Promise<void> => assertGerman(await browser.open(path, GERMAN), path)

    for (const path of ['/', '/login', '/language', '/nothing']) await see(path)
    assertGerman(await browser.submit('/login', { email: 'x', password: 'y' }, GERMAN), 'refused')
    await browser.password(ada)
    await see('/login/2fa')
    const refused = await browser.submit('/login/2fa', { code: await world.wrongCode(ada) }, GERMAN)
    assertGerman(refused, 'refused code')
    assert.match(
      refused.html,
      /Dieser Code ist falsch oder wurde schon benutzt\. Sie haben noch 4 Versuche\./,
    )
    await browser.code(await world.code(ada))
    for (const path of ['/account', '/account/security', '/', '/nothing']) await see(path)
  })

  it('is that of every page of signing up, and of its mails [RA-3101]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()
    const submit = async (path: string, fields: Readonly<Record<string, string>>): Promise<Page> => {
      const page = await browser.submit(path, fields, GERMAN)
      if (page.location === null) assertGerman(page, path)
      else assertGerman(await browser.open(page.location, GERMAN), page.location)
      return page
    }
    assertGerman(await browser.open('/sign-up', GERMAN), 'sign-up')
    await submit('/sign-up', { email: 'nobody' })
    await submit('/sign-up', { email: 'eva@example.test' })
    assert.equal(world.mailbox.list()[0]?.subject, 'Bestätigen Sie Ihre Adresse')
    const link = newestLink(world)
    const here = { origin: 'http://localhost', clientAddress: '127.0.0.1' }
    const mailbox = new Browser(world, new TestClient(world.app, here))
    assertGerman(await mailbox.open('/dev/mail', GERMAN), 'mailbox')
    assertGerman(await browser.open('/sign-up/confirm/x', GERMAN), 'outdated')
    assertGerman(await browser.open(link, GERMAN), 'confirm')
    await submit(link, { name: 'Eva', password: 'passwort123' })
    await submit(link, { name: 'Eva', password: 'zwei Türen und ein Tor' })
    const eva = await personOf(world, 'eva', await browser.open('/enroll', GERMAN))
    await submit('/enroll', { code: '000000' })
    await submit('/enroll', { code: await world.code(eva) })
    assertGerman(await browser.open('/enroll', GERMAN), 'codes again')
    await submit('/enroll/codes', {})
    await submit('/enroll/done', {})
    await browser.submit('/logout')
    await browser.open('/login', GERMAN)
    await submit('/login', { email: eva.email, password: 'zwei Türen und ein Tor' })
    assertGerman(await browser.open('/login/2fa/recovery', GERMAN), 'recovery')
    await submit('/login/2fa/recovery', { code: '0000-0000-0000' })
    const subjects = world.mailbox.list().map(({ subject }) => subject)
    assert.deepEqual(subjects, [
      'Ihrem Konto wurde ein zweiter Schritt hinzugefügt',
      'Bestätigen Sie Ihre Adresse',
    ])
  })

  it('is chosen by the person and kept for a year, with or without a session [RA-3101]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()

    const chosen = await choose(browser, 'de', '/login?return_url=%2Faccount%2Fsecurity')

    assert.deepEqual([chosen.status, chosen.location], [303, '/login?return_url=%2Faccount%2Fsecurity'])
    assert.match(chosen.headers.get('set-cookie') ?? '', /language=de; [^,]*Max-Age=31536000/)
    assertGerman(await browser.open('/login'), 'chosen')
    assertGerman(await browser.open('/nothing', { headers: { 'accept-language': 'en' } }), 'error page')
    await choose(browser, 'en')
    assert.match((await browser.open('/login', GERMAN)).html, /<html lang="en">/)
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
      assert.equal((await choose(browser, 'de', target)).location, '/')
    const opened = await world.browser().open('/language?language=de')
    assert.equal(opened.headers.get('set-cookie')?.includes('language=') ?? false, false)
  })

  it('refuses a language that the application does not have [RA-3101]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()

    assert.equal((await choose(browser, 'xx')).status, 422)
    assert.match((await browser.open('/login')).html, /<html lang="en">/)
  })
})
