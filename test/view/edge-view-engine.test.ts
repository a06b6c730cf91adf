import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'

import { SafeHtml } from 'sallyport'

import { EdgeViewEngine } from '../../src/view/edge.ts'
import { TemplateException } from '../../src/view/index.ts'
import { Templates } from './fixture.ts'

describe('EdgeViewEngine', () => {
  const directory = mkdtempSync(join(tmpdir(), 'sallyport-views-'))
  writeFileSync(join(directory, 'page.edge'), '<p>{{ name }}</p>\n@if(list.length)\n<b>{{{ raw }}}</b>\n@end')
  writeFileSync(join(directory, 'broken.edge'), '<p>{{ missing.deep.field }}</p>')
  after(() => rmSync(directory, { recursive: true }))
  const engine = new EdgeViewEngine({
    directory: pathToFileURL(directory),
    directories: { shop: pathToFileURL(directory) },
  })

  it('escapes what a template prints unless the template says otherwise', async () => {
    const page = await engine.render('page', { name: '<script>', raw: '<i>', list: [1] })

    assert.match(page, /<p>&lt;script&gt;<\/p>/)
    assert.match(page, /<b><i><\/b>/)
  })

  it('looks up further folders by name', async () => {
    assert.match(await engine.render('shop::page', { name: 'x', raw: '', list: [] }), /<p>x<\/p>/)
  })

  it('rejects when a template is missing or fails', async () => {
    await assert.rejects(engine.render('nowhere', {}))
    await assert.rejects(engine.render('broken', {}))
  })

  it('refuses a template that is missing with the name that may have been meant', async () => {
    const templates = new Templates({ 'news/index': '', 'news/archive': '', page: '' })
    const views = templates.engine()

    for (const [name, hint] of [
      ['news/idnex', '; did you mean "news/index"?'],
      ['archive', '; did you mean "news/archive"?'],
      ['nothing-like-it', ''],
    ] as const) {
      await assert.rejects(views.render(name, {}), (error) => {
        assert.ok(error instanceof TemplateException)
        assert.equal(error.code, 'ERR_VIEW_TEMPLATE')
        assert.equal(error.file, templates.path(name))
        assert.ok(error.message.startsWith(`Cannot render the template "${name}": there is no such file in `))
        assert.ok(error.message.endsWith(`${hint} (${templates.path(name)}:1:1)`), error.message)
        return true
      })
    }
  })

  it('refuses a promise among the values of a page', async () => {
    const views = new Templates({ page: '{{ x }}' }).engine()

    await assert.rejects(views.render('page', { x: Promise.reject(new Error('nobody waits')) }), {
      name: 'TypeError',
      message: 'Cannot render "page" with "x", which is a promise: await it',
    })
  })

  it('refuses a folder that does not exist, by its path', () => {
    const missing = join(directory, 'missing')
    const file = join(directory, 'page.edge')

    for (const [path, options] of [
      [missing, { directory: pathToFileURL(missing) }],
      [file, { directory: pathToFileURL(file) }],
      [missing, { directory: pathToFileURL(directory), directories: { shop: pathToFileURL(missing) } }],
    ] as const) {
      assert.throws(
        () => new EdgeViewEngine(options),
        (error) =>
          error instanceof RangeError &&
          error.message.startsWith(
            `Cannot read templates from ${JSON.stringify(path)}: there is no such folder`,
          ),
      )
    }
  })

  it('keeps nothing of one page for the next', async () => {
    await engine.render('page', { name: 'first', raw: '', list: [] })

    assert.doesNotMatch(await engine.render('page', { name: 'second', raw: '', list: [] }), /first/)
  })
})

describe('the name of a template', () => {
  const root = mkdtempSync(join(tmpdir(), 'sallyport-names-'))
  const views = join(root, 'views')
  for (const folder of ['views/cart', 'views/components', 'shop/components', 'other'])
    mkdirSync(join(root, folder), { recursive: true })
  for (const [file, text] of Object.entries({
    'views/page.edge': 'page',
    'views/cart/index.edge': 'cart',
    'views/part.edge': "@include(name)\n@!component('cart/index')\n",
    'views/layout.edge': 'in @!section("main")',
    'views/config.env': 'KEY=secret',
    'views/..odd.edge': 'odd',
    'views/cart\\index.edge': 'odd',
    'views/odd:name.edge': 'odd',
    'views/components/card.edge': 'card of {{ title }}',
    'shop/components/price.edge': 'price',
    'views/changing.edge': 'before',
    'views/tags.edge': "@!card({ title: 'tea' })\n@!shop.price()\n",
    'shop/page.edge': 'shop',
    'other/secret.edge': 'secret',
    'secret.edge': 'secret',
    'secret.txt': 'secret',
  })) {
    writeFileSync(join(root, file), text)
  }
  symlinkSync(join(root, 'secret.edge'), join(views, 'link.edge'))
  symlinkSync(join(root, 'other'), join(views, 'linked'))
  symlinkSync(join(views, 'page.edge'), join(views, 'inside.edge'))
  after(() => rmSync(root, { recursive: true }))
  const folder = pathToFileURL(`${views}/`)
  const engineOf = (cache: boolean): EdgeViewEngine =>
    new EdgeViewEngine({ directory: folder, directories: { shop: pathToFileURL(join(root, 'shop')) }, cache })
  const defaultIn = (environment: string): EdgeViewEngine => {
    const before = process.env['NODE_ENV']
    process.env['NODE_ENV'] = environment
    try {
      return new EdgeViewEngine({ directory: folder })
    } finally {
      if (before === undefined) delete process.env['NODE_ENV']
      else process.env['NODE_ENV'] = before
    }
  }

  const refused = [
    '/etc/passwd',
    join(root, 'secret.edge'),
    join(root, 'secret'),
    join(views, 'page.edge'),
    join(views, 'page'),
    '../secret',
    '../secret.edge',
    '../secret.txt',
    'cart/../../secret',
    'cart/../page',
    './page',
    'cart//index',
    'cart\\index',
    'odd:name',
    '..\\secret',
    'page\u0000',
    '../secret\u0000.edge',
    'page\n',
    '%2e%2e/secret',
    '..%2fsecret',
    'config.env',
    'config.edgeenv',
    'nowhere',
    'cart',
    'cart/',
    '',
    '.',
    '..',
    '.edge',
    'x'.repeat(5000),
    'shop::../secret',
    'shop::../views/page',
    `shop::${join(views, 'page')}`,
    'shop::shop::page',
    'nobody::page',
    '__proto__::page',
    '::page',
    'C:\\page',
    'file:///etc/passwd',
    folder.href,
    'link',
    'linked/secret',
  ]

  for (const cache of [true, false]) {
    const how = cache ? 'kept' : 'read each time'

    it(`finds what is in its folder, ${how}`, async () => {
      const engine = engineOf(cache)

      for (const again of [false, true]) {
        for (const [name, text] of [
          ['page', 'page'],
          ['page.edge', 'page'],
          ['cart/index', 'cart'],
          ['shop::page', 'shop'],
          ['..odd', 'odd'],
          ['inside', 'page'],
        ] as const) {
          assert.equal(await engine.render(name, {}), text, `${name} ${again}`)
        }
        assert.equal((await engine.render('part', { name: 'page' })).replaceAll(/\s/g, ''), 'pagecart')
      }
    })

    for (const name of refused) {
      it(`is refused as ${JSON.stringify(name).slice(0, 40)}, asked for or included, ${how} [HOLD-56]`, async () => {
        const engine = engineOf(cache)
        const names = (error: unknown): boolean =>
          error instanceof Error && error.message.includes(JSON.stringify(name).slice(0, 100))

        for (const again of [false, true]) {
          await engine.render('page', {})
          await assert.rejects(engine.render(name, {}), names, `asked for ${again}`)
          await assert.rejects(engine.render('part', { name }), `included ${again}`)
        }
      })
    }
  }

  it('stands for a tag where it is a component', async () => {
    assert.equal(
      (await engineOf(true).render('tags', {})).replaceAll(/\s+/g, ' ').trim(),
      'card of tea price',
    )
  })

  it('renders the current content of its file, unless it runs in production or compiled templates are kept [PAGE-08]', async () => {
    const engines = [engineOf(true), engineOf(false), defaultIn('production'), defaultIn('development')]
    const renderAll = (): Promise<string[]> =>
      Promise.all(engines.map(async (engine) => engine.render('changing', {})))

    assert.deepEqual(await renderAll(), ['before', 'before', 'before', 'before'])
    writeFileSync(join(views, 'changing.edge'), 'after')
    assert.deepEqual(await renderAll(), ['before', 'after', 'before', 'after'])
    rmSync(join(views, 'changing.edge'))
    await assert.rejects(engineOf(false).render('changing', {}))
    assert.equal(await engines[0]?.render('changing', {}), 'before')
  })

  it('is named with the folder in the error [HOLD-56]', async () => {
    await assert.rejects(engineOf(true).render('cart/nowhere', {}), (error: unknown) => {
      assert.ok(error instanceof Error)
      assert.ok(error.message.includes('"cart/nowhere"') && error.message.includes(views), error.message)
      return true
    })
  })
})

describe('what a template writes', () => {
  const templates = new Templates({
    safe: '{{ markup }} {{ list }} {{ number }} {{ html.safe("<i>") }}',
  })

  it('is safe markup as it is, and everything else escaped [PAGE-02]', async () => {
    const page = await templates
      .engine()
      .render('safe', { markup: new SafeHtml('<b>tea</b>'), list: ['<a>'], number: 1 })

    assert.equal(page, '<b>tea</b> &lt;a&gt; 1 <i>')
  })

  it('is escaped in attributes that helpers write', async () => {
    const attributes = new Templates({
      page: "@!component('button', { title: text, class: ['a', text, { b: true }], value: markup, disabled: true, [text]: 1 })\n",
      button:
        '{{ $props.toAttrs() }}|{{ $props.only(["title"]).toAttrs() }}|{{ html.attrs({ title: $props.title }) }}|{{ $props.title }}',
    })
    const text = '"><script>'
    const engine = attributes.engine()
    // A second engine escapes no second time.
    attributes.engine()

    const page = await engine.render('page', { text, markup: new SafeHtml('&amp;') })

    assert.doesNotMatch(page, /<script>/)
    assert.ok(page.includes('title="&quot;&gt;&lt;script&gt;"|title="&quot;&gt;&lt;script&gt;"|'), page)
    assert.match(page, /value="&amp;" disabled/)
    assert.match(page, /class="a &quot;&gt;&lt;script&gt; b"/)
  })
})
