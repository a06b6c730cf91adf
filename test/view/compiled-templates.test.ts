import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { inOneLine, Templates } from './fixture.ts'

const FILES = {
  page: "@component('layout', { title })\n@each(row in rows)\n@include('row')\n@!component('card', { row })\n@!tag({ row })\n@end\n@end\n",
  layout: "<title>{{ title }}</title>\n@include('navigation')\n{{{ await $slots.main() }}}",
  navigation: '<nav></nav>',
  row: '<li>{{ row }}</li>',
  card: '<b>{{ row }}</b>',
  'components/tag': '<i>{{ row }}</i>',
}
const PAGE = '<title>T</title><nav></nav> <li>1</li> <b>1</b> <i>1</i> <li>2</li> <b>2</b> <i>2</i>'
const DATA = { title: 'T', rows: [1, 2] }

describe('a compiled template', () => {
  it('is compiled once in production, its parts included [PAGE-08]', async () => {
    const templates = new Templates(FILES)
    const engine = templates.engine({ cache: true })
    assert.equal(inOneLine(await engine.render('page', DATA)), PAGE)

    for (const name of Object.keys(FILES)) {
      templates.write(name, '{{ changed')
      assert.equal(inOneLine(await engine.render('page', DATA)), PAGE, name)
      templates.remove(name)
      assert.equal(inOneLine(await engine.render('page', DATA)), PAGE, name)
    }
  })

  it('is read anew in development, its parts included [PAGE-08]', async () => {
    const templates = new Templates(FILES)
    const engine = templates.engine({ cache: false })
    assert.equal(inOneLine(await engine.render('page', DATA)), PAGE)

    templates.write('row', '<li>no. {{ row }}</li>')
    templates.write('layout', '{{{ await $slots.main() }}}')
    templates.write('components/tag', '{{ await row }}')

    assert.equal(
      inOneLine(await engine.render('page', DATA)),
      '<li>no. 1</li> <b>1</b> 1 <li>no. 2</li> <b>2</b> 2',
    )
  })

  for (const cache of [true, false]) {
    const how = cache ? 'production' : 'development'

    it(`waits for whatever waits, in ${how}`, async () => {
      const later = async (value: string): Promise<string> => value
      const engine = new Templates({
        page: "{{ await later('a') }}\n@include('part')\n@include(name)\n@includeIf(true, 'part')\n@each(x in await list())\n{{ await later(x) }}\n@include('plain')\n@end\n@component('frame')\n@slot('foot')\n{{ await later('f') }}\n@end\n@end\n",
        part: "@include('inner')\n",
        inner: "{{ await later('i') }}",
        plain: '({{ x }})',
        frame: '{{{ await $slots.foot() }}}',
      }).engine({ cache })
      const data = { later, list: async () => ['l', 'm'], name: 'part' }

      for (const _ of [1, 2]) assert.equal(inOneLine(await engine.render('page', data)), 'ai i i l(l) m(m) f')
    })

    it(`may include itself, in ${how}`, async () => {
      const engine = new Templates({
        tree: "{{ node.name }}\n@each(child in node.children)\n@!component('tree', { node: child })\n@end\n",
        list: "{{ items.length }}\n@if(items.pop())\n@include('list')\n@end\n",
      }).engine({ cache })
      const node = { name: 'a', children: [{ name: 'b', children: [{ name: 'c', children: [] }] }] }

      assert.equal(inOneLine(await engine.render('tree', { node })), 'a b c')
      assert.equal(inOneLine(await engine.render('list', { items: [1, 2] })), '2 1 0')
    })

    it(`reports a missing or broken part when the page reaches it, in ${how}`, async () => {
      const engine = new Templates({
        page: "before\n@if(reached)\n@include('broken')\n@end\n@if(missing)\n@include('nowhere')\n@end\n",
        broken: '{{ 1 + }}',
      }).engine({ cache })

      assert.equal((await engine.render('page', { reached: false, missing: false })).trim(), 'before')
      await assert.rejects(engine.render('page', { reached: true }), /Unexpected token/)
      await assert.rejects(engine.render('page', { missing: true }), /"nowhere"/)
    })
  }

  it('keeps two pages apart that are rendered at once', async () => {
    const gate = Promise.withResolvers<void>()
    const engine = new Templates({
      page: "@component('frame')\n{{ await wait() }}{{ name }}\n\n@end\n",
      frame: "{{{ await $slots.main() }}}\n@!component('card')\n",
      card: '{{ auth }}',
    }).engine({ cache: false })

    const slow = engine.render('page', {
      auth: 'slow',
      name: 'a',
      wait: async () => {
        await gate.promise
        return ''
      },
    })
    const fast = await engine.render('page', { auth: 'fast', name: 'b', wait: async () => '' })
    gate.resolve()

    assert.match(inOneLine(fast), /^b.*fast$/)
    assert.match(inOneLine(await slow), /^a.*slow$/)
  })
})
