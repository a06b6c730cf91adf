import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { Database } from '../../../core/database/database.ts'
import { desk } from '../../../test/commands/desk.ts'
import { CHOICE, IN_OTHER, needsTwo, OTHER } from '../../../test/languages.ts'
import { temporary, World } from '../../../test/support.ts'
import { type PageText, Pages } from '../pages.ts'

const IMPRINT: PageText = {
  slug: 'imprint',
  language: 'en',
  title: 'Imprint',
  body: 'Sallyport Ltd.\n1 Gate Street\n\nRegistered as <b>4711</b> {{ 7 * 7 }}',
  state: 'published',
}

async function write(world: World, ...texts: readonly Partial<PageText>[]): Promise<void> {
  for (const text of texts) await world.app.get(Pages).save({ ...IMPRINT, ...text })
}

async function written(test: TestContext, ...texts: readonly Partial<PageText>[]): Promise<World> {
  const world = await World.create(test)
  await write(world, ...texts)
  return world
}

describe('pages in the database', () => {
  it('are found at their path, show their text as text, and are read only', async (test) => {
    const browser = (await written(test, { title: 'Who <i>we</i> are' })).browser()

    const { status, html } = await browser.open('/imprint')
    const posted = await browser.submit('/imprint', {})

    assert.equal(status, 200)
    assert.match(html, /<h1>Who &lt;i&gt;we&lt;\/i&gt; are<\/h1>/)
    assert.match(html, /<p>Sallyport Ltd\.\n1 Gate Street<\/p>/)
    assert.match(html, /<p>Registered as &lt;b&gt;4711&lt;\/b&gt; \{\{ 7 \* 7 \}\}<\/p>/)
    assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD'])
    assert.equal((await browser.submit('/nothing', {})).status, 404)
  })

  it(
    'are in the language of each of many visitors where they are written in it [ROUTE-27]',
    needsTwo,
    async (test) => {
      const terms = { slug: 'terms', title: 'Terms' }
      const world = await written(test, {}, { language: OTHER, title: 'Impressum' }, terms)
      const shown = async (path: string, language: string): Promise<string> =>
        (await world.browser().open(path, { headers: { 'accept-language': language } })).html

      const pages = await Promise.all(
        Array.from({ length: 40 }, (_, index) => shown('/imprint', index % 3 === 0 ? OTHER : 'en')),
      )

      for (const [index, html] of pages.entries()) {
        const [language, title] = index % 3 === 0 ? [OTHER, 'Impressum'] : ['en', 'Imprint']
        assert.match(html, new RegExp(`<article lang="${language}">[^]*<h1>${title}</h1>`))
      }
      const html = await shown('/terms', OTHER)
      assert.match(html, new RegExp(`<html lang="${OTHER}">[^]*<article lang="en">[^]*<h1>Terms`))
    },
  )

  it(
    'that are drafts are found by nobody, from the next request on, also where another language is published',
    needsTwo,
    async (test) => {
      const draft = { slug: 'terms', language: OTHER, title: 'Entwurf', state: 'draft' } as const
      const world = await written(test, {}, { slug: 'terms' }, draft)
      const root = world.browser()
      await root.signIn(await world.person('root', { permissions: ['admin.access'] }))
      assert.equal((await world.browser().open('/imprint')).status, 200)

      await write(world, { state: 'draft' })

      for (const browser of [world.browser(), root])
        assert.equal((await browser.open('/imprint')).status, 404)
      const page = await root.open('/terms', IN_OTHER)
      assert.equal(page.html.includes('Entwurf'), false)
    },
  )

  it('have no other path: nothing climbs, no other spelling, no question to the database for what is no name', async (test) => {
    const world = await written(test, {})
    let questions = 0
    const original = world.database.selectFrom.bind(world.database) as (...args: unknown[]) => unknown
    Object.assign(world.database, {
      selectFrom: (...args: unknown[]) => ((questions += args[0] === 'page' ? 1 : 0), original(...args)),
    })
    const browser = world.browser()

    const malformed =
      "IMPRINT imprint%00 imprint%2F %2e%2e%2fimprint ..%2fimprint x/imprint imprint/x imprint'--"
    for (const path of [...malformed.split(' '), 'imprint%25', '-imprint', 'İmprint', 'a'.repeat(65)]) {
      const { status } = await browser.open(`/${path}`)
      assert.ok([400, 404].includes(status), `${path}: ${status}`)
    }
    assert.equal(questions, 0)
    assert.equal((await browser.open('/imprint')).status, 200)
    assert.equal(questions, 1)
    assert.deepEqual(world.faults, [])
  })

  it('are not written when they are malformed or too long', async (test) => {
    const world = await World.create(test)
    const slugs = ['', '../etc', 'Imprint', 'a'.repeat(65)].map((slug) => ({ slug }))
    const titles = [' ', 'x'.repeat(201)].map((title) => ({ title }))
    const others = [{ language: 'xx' as 'en' }, { body: 'x'.repeat(100_001) }]
    for (const text of [...slugs, ...titles, ...others]) await assert.rejects(write(world, text), RangeError)
  })
})

describe('page', () => {
  it('publishes a page, or makes it a draft', async (test) => {
    const { run, open } = desk(test)
    const file = join(temporary(test), 'imprint.txt')
    writeFileSync(file, 'Imprint\n\nSallyport Ltd.\n\n1 Gate Street\n')

    const published = await run('page', 'imprint', 'en', file)
    const draft = await run('page', 'terms', 'en', file, '--draft')

    assert.deepEqual([published.exitCode, draft.exitCode], [0, 0])
    const { app } = await open()
    const rows = await app.get(Database).selectFrom('page').selectAll().orderBy('slug').execute()
    const text = { title: 'Imprint', body: 'Sallyport Ltd.\n\n1 Gate Street' }
    for (const [index, state] of ['published', 'draft'].entries())
      assert.deepEqual({ ...rows[index], ...text, state }, rows[index])
  })

  it('refuses another language, a file that is not there, and a name that is no path or one of the program [ROUTE-27]', async (test) => {
    const { run } = desk(test)
    const file = join(temporary(test), 'page.txt')
    writeFileSync(file, 'Title\n')
    for (const line of [
      ['imprint', 'xx', file],
      ['imprint', 'en', `${file}x`],
      ['../imprint', 'en', file],
      ['imprint', 'en'],
      ['--unknown'],
    ])
      assert.equal((await run('page', ...line)).exitCode, 2)
    for (const name of ['login', ...CHOICE.map((path) => path.slice(1)), 'assets', 'account']) {
      const { exitCode, text } = await run('page', name, 'en', file)
      assert.equal(exitCode, 2)
      assert.ok(text.includes(`/${name} is a path of the application itself`), text)
    }
  })
})
