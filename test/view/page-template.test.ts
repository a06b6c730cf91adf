import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { inOneLine, Templates } from './fixture.ts'

describe('the tags of edge.js in a page', () => {
  const templates = new Templates({
    stacks:
      '<head>\n@stack("css")\n</head>\n@pushTo("css")\n{{ name }}.css\n@end\n@include("part")\n@include("part")',
    part: '@pushOnceTo("css")\npart.css\n@end\n[{{ name }}]',
    again: '@stack("css")\n@stack("css")\n',
    loops: '@each((value, key) in list)\n{{ key }}={{ value }}\n@else\nempty\n@end',
    waiting: '@each((value, key) in list)\n{{ key }}={{ await value() }}\n@end',
    thrown: '\n@newError("out of order", $filename, $lineNumber, 0)\n',
    component: '@component("button", { class: "big", label })\n@end',
    button: '<button {{ $props.only(["class"]).toAttrs() }}>{{ label }}</button>',
  })
  const engine = templates.engine()

  async function linesOf(template: string, data: Readonly<Record<string, unknown>>): Promise<string[]> {
    return (await engine.render(template, data)).split(/\s*\n\s*/).filter((line) => line !== '')
  }

  it('gather what parts push to a stack, for each page anew', async () => {
    for (const name of ['a', '<b>']) {
      const shown = name === 'a' ? 'a' : '&lt;b&gt;'

      const page = inOneLine(await engine.render('stacks', { name }))

      assert.equal(page, `<head>${shown}.css part.css </head> [${shown}] [${shown}]`)
    }
  })

  it('refuse a stack that the page has already', async () => {
    await assert.rejects(engine.render('again', {}), { name: 'TemplateException' })
  })

  it('loop over lists, objects and nothing', async () => {
    assert.deepEqual(await linesOf('loops', { list: ['a', 'b'] }), ['0=a', '1=b'])
    assert.deepEqual(await linesOf('loops', { list: { one: 1 } }), ['one=1'])
    assert.deepEqual(await linesOf('loops', { list: [] }), ['empty'])
  })

  it('wait in a loop for what its template waits', async () => {
    const list = [async () => 'a', async () => 'b']

    assert.deepEqual(await linesOf('waiting', { list }), ['0=a', '1=b'])
  })

  it('throw with the place that a template names', async () => {
    await assert.rejects(engine.render('thrown', {}), (error: Error) => {
      assert.match(error.message, /out of order/)
      return 'file' in error && error.file === templates.path('thrown')
    })
  })

  it('write the values of a component as attributes', async () => {
    assert.deepEqual(await linesOf('component', { label: '"' }), ['<button class="big">&quot;</button>'])
  })
})
