import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LANGUAGES } from '../../../core/messages/language.ts'
import { CHOICE, IN_OTHER, needsTwo, OTHER, shownInOther } from '../../../test/languages.ts'
import { World } from '../../../test/support.ts'

describe('/{locale}/help', () => {
  it('is in the language of its path, whatever the browser prefers or has chosen [LOC-23]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()
    for (const path of CHOICE) {
      await browser.send(path, { language: 'en' })
    }

    const other = await browser.open(`/${OTHER}/help`, { headers: { 'accept-language': 'en' } })
    const english = await world.browser().open('/en/help', IN_OTHER)

    assert.match(other.html, new RegExp(`<html lang="${OTHER}">[^]*<h1>${shownInOther('help.title')}</h1>`))
    assert.match(english.html, /<html lang="en">[\s\S]*<h1>Help<\/h1>/)
    assert.equal(
      other.headers.get('link'),
      LANGUAGES.map((tag) => `</${tag}/help>; rel="alternate"; hreflang="${tag}"`).join(', '),
    )
  })

  it('exists in declared languages only, and leaves other paths without one [LOC-23]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()

    for (const path of [`/${OTHER}`, `/${OTHER}/login`]) assert.equal((await browser.open(path)).status, 404)
    const { html } = await browser.open('/login', IN_OTHER)
    assert.match(html, new RegExp(`<html lang="${OTHER}">`))
    for (const place of ['xx', 'en-US', 'en%2Fhelp', 'constructor', '%F0%9F%98%80', 'x'.repeat(5000)]) {
      const { status } = await browser.open(`/${place}/help`)
      assert.ok([400, 404].includes(status), `${place}: ${status}`)
    }
    assert.deepEqual(world.faults, [])
  })

  it('has each topic in each language, and no other', async (test) => {
    const browser = (await World.create(test)).browser()

    for (const language of LANGUAGES) {
      const list = await browser.open(`/${language}/help`)
      const topics = [...list.html.matchAll(new RegExp(`href="(/${language}/help/[^"]+)"`, 'g'))]
      assert.equal(topics.length, 2)
      for (const [, path = ''] of topics) {
        const { status, html } = await browser.open(path)
        assert.equal(status, 200)
        assert.match(html, new RegExp(`<html lang="${language}">`))
      }
    }
    for (const topic of ['toString', 'signing-in/x', 'help.signing-in'])
      assert.equal((await browser.open(`/en/help/${topic}`)).status, 404)
  })

  it('is found without a language, for each visitor in theirs', needsTwo, async (test) => {
    const world = await World.create(test)

    const page = await world.browser().open('/help', IN_OTHER)

    assert.deepEqual([page.status, page.location], [302, `/${OTHER}/help`])
    assert.match(page.headers.get('vary') ?? '', /accept-language/i)
  })
})
