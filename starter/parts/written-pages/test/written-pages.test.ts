import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type PageText, Pages } from '../pages.ts'
import { World } from '../../../test/support.ts'

const IMPRINT: PageText = {
  slug: 'imprint',
  language: 'en',
  title: 'Imprint',
  body: 'Sallyport Ltd.\n1 Gate Street\n\nRegistered as <b>4711</b> {{ 7 * 7 }}',
  state: 'published',
}

async function writing(world: World, ...texts: readonly Partial<PageText>[]): Promise<void> {
  await world.app.boot()
  for (const text of texts) await world.app.get(Pages).save({ ...IMPRINT, ...text })
}

describe('pages in the database', () => {
  it('are found at their path, and show their text as text', async (test) => {
    const world = await World.create(test)
    await writing(world, { title: 'Who <i>we</i> are' })

    const page = await world.browser().open('/imprint')

    assert.equal(page.status, 200)
    assert.match(page.html, /<h1>Who &lt;i&gt;we&lt;\/i&gt; are<\/h1>/)
    assert.match(page.html, /<title>Who &lt;i&gt;we&lt;\/i&gt; are · /)
    assert.match(page.html, /<p>Sallyport Ltd\.\n1 Gate Street<\/p>/)
    assert.match(page.html, /<p>Registered as &lt;b&gt;4711&lt;\/b&gt; \{\{ 7 \* 7 \}\}<\/p>/)
  })

  it('are in the language of the visitor where they are written in it', async (test) => {
    const world = await World.create(test)
    await writing(world, {}, { language: 'de', title: 'Impressum' }, { slug: 'terms', title: 'Terms' })
    const headers = { 'accept-language': 'de' }

    const german = await world.browser().open('/imprint', { headers })
    const english = await world.browser().open('/terms', { headers })

    assert.match(german.html, /<article lang="de">[\s\S]*<h1>Impressum/)
    assert.match(english.html, /<html lang="de">[\s\S]*<article lang="en">[\s\S]*<h1>Terms/)
  })

  it('of requests at once never mix: the resolver keeps nothing of a request [ROUTE-27]', async (test) => {
    const world = await World.create(test)
    const names = Array.from({ length: 8 }, (_, index) => `page-${index}`)
    await writing(world, ...names.map((slug) => ({ slug, title: `Title of ${slug}` })))
    await writing(
      world,
      ...names.map((slug) => ({ slug, language: 'de' as const, title: `Titel von ${slug}` })),
    )

    const visits = Array.from({ length: 10 }, () => names).flat()
    const shown = await Promise.all(
      visits.map(async (slug, index) => {
        const language = index % 2 === 0 ? 'de' : 'en'
        const page = await world.browser().open(`/${slug}`, { headers: { 'accept-language': language } })
        return { slug, language, html: page.html }
      }),
    )

    for (const { slug, language, html } of shown)
      assert.ok(html.includes(`<h1>${language === 'de' ? 'Titel von' : 'Title of'} ${slug}</h1>`))
  })

  it('that are drafts are found by nobody, also where another language is published', async (test) => {
    const world = await World.create(test)
    await writing(world, { state: 'draft' })
    await writing(
      world,
      { slug: 'terms' },
      { slug: 'terms', language: 'de', title: 'Entwurf', state: 'draft' },
    )
    const root = world.browser()
    await root.signIn(await world.person('root', { permissions: ['admin.access'] }))

    assert.equal((await world.browser().open('/imprint')).status, 404)
    assert.equal((await root.open('/imprint')).status, 404)
    const page = await world.browser().open('/terms', { headers: { 'accept-language': 'de' } })
    assert.equal(page.html.includes('Entwurf'), false)
  })

  it('are gone with the next request once they are a draft again', async (test) => {
    const world = await World.create(test)
    await writing(world, {})
    assert.equal((await world.browser().open('/imprint')).status, 200)

    await writing(world, { state: 'draft' })

    assert.equal((await world.browser().open('/imprint')).status, 404)
  })

  it('take the place of no page of the program', async (test) => {
    const world = await World.create(test)
    await writing(world, ...['login', 'account', 'admin', 'language'].map((slug) => ({ slug })))
    const browser = world.browser()

    for (const path of ['/login', '/account', '/admin', '/language'])
      assert.equal((await browser.open(path)).html.includes('<h1>Imprint</h1>'), false)
  })

  it('are read only, and another method is a 405', async (test) => {
    const world = await World.create(test)
    await writing(world, {})
    const browser = world.browser()

    const posted = await browser.submit('/imprint', {})
    const head = await browser.client.request('HEAD', '/imprint')

    assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD'])
    assert.deepEqual([head.status, await head.text()], [200, ''])
    assert.equal((await browser.submit('/nothing', {})).status, 404)
  })

  it('have no other path: nothing climbs, no other spelling, no question to the database for what is no name', async (test) => {
    const world = await World.create(test)
    await writing(world, {})
    let questions = 0
    const original = world.database.selectFrom.bind(world.database) as (...args: unknown[]) => unknown
    Object.assign(world.database, {
      selectFrom: (...args: unknown[]) => ((questions += args[0] === 'page' ? 1 : 0), original(...args)),
    })
    const browser = world.browser()

    const paths = [
      '/IMPRINT',
      '/imprint%00',
      '/imprint%2F',
      '/%2e%2e%2fimprint',
      '/..%2fimprint',
      '/x/imprint',
      '/imprint/x',
      "/imprint'--",
      '/imprint%25',
      '/-imprint',
      '/imprint.html',
      '/İmprint',
      `/${'a'.repeat(65)}`,
    ]
    for (const path of paths) {
      const { status } = await browser.open(path)
      assert.ok([400, 404].includes(status), `${path}: ${status}`)
    }
    assert.equal(questions, 0)
    assert.equal((await browser.open('/imprint')).status, 200)
    assert.equal(questions, 1)
    assert.deepEqual(world.faults, [])
  })

  const malformed: readonly Partial<PageText>[] = [
    { slug: '' },
    { slug: '../etc' },
    { slug: 'Imprint' },
    { slug: 'a'.repeat(65) },
    { language: 'fr' as 'en' },
    { title: ' ' },
    { title: 'x'.repeat(201) },
    { body: 'x'.repeat(100_001) },
  ]
  for (const text of malformed) {
    it(`are not written with ${JSON.stringify(text).slice(0, 40)}`, async (test) => {
      const world = await World.create(test)

      await assert.rejects(writing(world, text), RangeError)
    })
  }
})
