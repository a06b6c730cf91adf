import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { catalogues } from '../catalogues.ts'
import { IN_OTHER, needsTwo, OTHER, shownInOther } from '../languages.ts'
import { HAS_CHOICE } from '../../core/messages/language.ts'
import { type Browser, type Page, World } from '../support.ts'
import { ownerOf } from './steps.ts'

/** English messages that no page of the other language has. */
const ENGLISH: readonly string[] = Object.entries(catalogues.en.messages)
  .filter(([id, text]) => text.length > 12 && !text.includes('{') && catalogues[OTHER].messages[id] !== text)
  .map(([, text]) => text)

function assertOther(page: Page, name: string): void {
  assert.match(page.html, new RegExp(`<html lang="${OTHER}">`), name)
  for (const text of ENGLISH) assert.equal(page.html.includes(text), false, `${name}: ${text}`)
}

async function choose(browser: Browser, language: string, returnUrl = ''): Promise<Page> {
  return browser.send('/language', { language, ...(returnUrl === '' ? {} : { return_url: returnUrl }) })
}

describe('the language', needsTwo, () => {
  it('is what the browser prefers, on every page and error page [RA-3101]', async (test) => {
    const { world, person: ada } = await ownerOf(test, { permissions: ['admin.access'] })
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

  it('leads to no other site, and opening the choice changes nothing [FLOW-51]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()

    for (const target of ['https://evil.test/', '//evil.test', '/\\evil.test'])
      assert.equal((await choose(browser, OTHER, target)).location, '/')
    const opened = await world.browser().open(`/language?language=${OTHER}`)
    assert.equal(opened.headers.get('set-cookie')?.includes('language=') ?? false, false)
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
