import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { World } from '../../../test/support.ts'

describe('/{locale}/help', () => {
  it('is in the language of its path, whatever the browser prefers or has chosen [LOC-23]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()
    await browser.open('/language')
    await browser.submit('/language', { language: 'en' })

    const german = await browser.open('/de/help', { headers: { 'accept-language': 'en' } })
    const english = await world.browser().open('/en/help', { headers: { 'accept-language': 'de' } })

    assert.match(german.html, /<html lang="de">[\s\S]*<h1>Hilfe<\/h1>/)
    assert.match(english.html, /<html lang="en">[\s\S]*<h1>Help<\/h1>/)
    assert.equal(
      german.headers.get('link'),
      '</en/help>; rel="alternate"; hreflang="en", </de/help>; rel="alternate"; hreflang="de"',
    )
  })

  it('leaves other paths without a language [LOC-23]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()

    const pages = [
      await browser.open('/de'),
      await browser.open('/de/login'),
      await browser.open('/login', { headers: { 'accept-language': 'de' } }),
    ]

    assert.deepEqual(
      pages.map(({ status }) => status),
      [404, 404, 200],
    )
    assert.match(pages[2]?.html ?? '', /<html lang="de">/)
  })

  it('exists in declared languages only: every other value is a 404 [LOC-23]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()

    const places = ['fr', 'en-US', 'en%2Fhelp', 'de%00', 'constructor', '%F0%9F%98%80', 'x'.repeat(5000)]
    for (const place of places) {
      const { status } = await browser.open(`/${place}/help`)
      assert.ok([400, 404].includes(status), `${place}: ${status}`)
    }
    assert.deepEqual(world.faults, [])
  })

  it('has each topic in each language, and no other', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()

    for (const language of ['en', 'de']) {
      const list = await browser.open(`/${language}/help`)
      const topics = [...list.html.matchAll(new RegExp(`href="(/${language}/help/[^"]+)"`, 'g'))]
      assert.equal(topics.length, 3)
      for (const [, path = ''] of topics) {
        const page = await browser.open(path)
        assert.equal(page.status, 200)
        assert.match(page.html, new RegExp(`<html lang="${language}">`))
        assert.equal(/<h1[^]*<\/main>/.exec(page.html)?.[0].match(/<p>[^<]+<\/p>/g)?.length, 3)
      }
    }
    for (const topic of ['toString', 'signing-in/x', 'help.signing-in'])
      assert.equal((await browser.open(`/en/help/${topic}`)).status, 404)
  })

  it('is found without a language, for each visitor in theirs', async (test) => {
    const world = await World.create(test)

    const page = await world.browser().open('/help', { headers: { 'accept-language': 'de' } })

    assert.deepEqual([page.status, page.location], [302, '/de/help'])
    assert.match(page.headers.get('vary') ?? '', /accept-language/i)
  })
})
