import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { catalogues } from '../catalogues.ts'
import { IN_OTHER, needsTwo, OTHER, shownInOther } from '../languages.ts'
import { HAS_CHOICE } from '../../core/messages/language.ts'
import { type Page, World } from '../support.ts'
import { ownerOf } from './steps.ts'

/** English messages that no page of the other language has. */
const ENGLISH: readonly string[] = Object.entries(catalogues.en.messages)
  .filter(([id, text]) => text.length > 12 && !text.includes('{') && catalogues[OTHER].messages[id] !== text)
  .map(([, text]) => text)

function assertOther(page: Page, name: string): void {
  assert.match(page.html, new RegExp(`<html lang="${OTHER}">`), name)
  for (const text of ENGLISH) assert.equal(page.html.includes(text), false, `${name}: ${text}`)
}

describe('the language', needsTwo, () => {
  it('is what the browser prefers, on every page and error page [RA-3101]', async (test) => {
    const { world, person: ada, browser } = await ownerOf(test, { permissions: ['admin.access'] })
    await world.database.updateTable('factor').set({ label: 'My key' }).execute()
    const see = async (...paths: readonly string[]): Promise<void> => {
      for (const path of paths) assertOther(await browser.open(path, IN_OTHER), path)
    }

    await see('/', '/login', '/language', '/nothing')
    assertOther(await browser.submit('/login', { email: 'x', password: 'y' }, IN_OTHER), 'refused')
    await browser.password(ada)
    await see('/login/2fa')
    const refused = await browser.submit('/login/2fa', { code: await world.wrongCode(ada) }, IN_OTHER)
    assertOther(refused, 'refused code')
    assert.ok(refused.html.includes(shownInOther('wrong_code', { domain: 'auth', triesLeft: 4 })))
    await browser.code(await world.code(ada))
    await see('/account', '/account/security', '/', '/nothing')
  })

  it('is chosen by the person and kept for a year, with or without a session, and the choice leads to no other site [RA-3101 FLOW-51]', async (test) => {
    const browser = (await World.create(test)).browser()
    const here = '/login?return_url=%2Faccount%2Fsecurity'
    const opened = await browser.open(`/language?language=${OTHER}`)
    assert.equal(opened.headers.get('set-cookie')?.includes('language=') ?? false, false)

    const chosen = await browser.send('/language', { language: OTHER, return_url: here })

    assert.deepEqual([chosen.status, chosen.location], [303, here])
    const kept = new RegExp(`language=${OTHER}; [^,]*Max-Age=31536000`)
    assert.match(chosen.headers.get('set-cookie') ?? '', kept)
    assertOther(await browser.open('/login'), 'chosen')
    assertOther(await browser.open('/nothing', { headers: { 'accept-language': 'en' } }), 'error page')
    for (const target of ['https://evil.test/', '//evil.test', '/\\evil.test'])
      assert.equal((await browser.send('/language', { language: 'en', return_url: target })).location, '/')
    assert.match((await browser.open('/login', IN_OTHER)).html, /<html lang="en">/)
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
