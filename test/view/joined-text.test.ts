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
