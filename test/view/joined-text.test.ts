import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { Templates } from './fixture.ts'

describe('the text of a template', () => {
  it('is written as it is, whatever stands in it', async () => {
    const text = [
      'first "quoted" \\ \\n \\" \' ` ${x} </script>',
      '',
      'out += "x";',
      'const a = "b" + `c`;',
      '\u2028 é 😀 \t',
      '\\',
      '"";',
      'last',
    ].join('\n')
    const templates = new Templates({
      page: text,
      slots: `@component('frame')\n${text}\n@slot('foot')\n${text}\n@end\n@end\n`,
      frame: '[{{{ await $slots.main() }}}][{{{ await $slots.foot() }}}]',
      branch: `a\n@if(yes)\n${text}\n@else\nb\n@end\nc`,
    })
    const engine = templates.engine()

    assert.equal(await engine.render('page', {}), text)
    assert.equal((await engine.render('slots', {})).split(text).length - 1, 2)
    assert.equal(await engine.render('branch', { yes: true }), `a\n${text}\nc`)
    assert.equal(await engine.render('branch', { yes: false }), 'a\nb\nc')
  })
})

describe('a value of a template', () => {
  it('is written as a string, whatever it is', async () => {
    const values = [1, null, undefined, true, [1, 2], { toString: () => 'a', valueOf: () => 7 }, new Date(0)]
    const safe = { toString: () => '<i>', valueOf: () => 7 }
    const templates = new Templates({
      page: '@each(value in values)\n{{ value }};\n@end\n{{ html.safe(safe) }}{{ `${safe}` }}',
    })

    const page = await templates.engine().render('page', { values, safe })

    assert.equal(
      page.replaceAll(';\n', ';'),
      `${values.map((value) => `${String(value)};`).join('')}<i>&lt;i&gt;`,
    )
  })
})
