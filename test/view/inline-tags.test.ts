import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { TemplateException } from 'sallyport/view'

import { inOneLine, Templates } from './fixture.ts'

const REFUSED: readonly (readonly [text: string, tag: string, line: number, column: number])[] = [
  ['<p>\n<b>@if(x) yes @end</b>', '@if(', 2, 4],
  ['{{ x }} item@if(x)s@end', '@if(', 1, 13],
  ['<p>{{ x }} @each (y in list) {{ y }} @end', '@each (', 1, 12],
  ["<td>@!include('part')</td>", '@!include(', 1, 5],
  ['@if(x)\n  yes @end\n@end', '@end', 2, 7],
  ['@if(x)\n  yes\n  @end</p>\n@end', '@end', 3, 3],
  ['@if(x)\nyes\n@endif</p>\n@end', '@endif', 3, 1],
  ['@if(x)\nyes\n@else no\n@end', '@else', 3, 1],
  ['@if(x)\nyes\n@else if(y)\nno\n@end', '@else', 3, 1],
  ['@if(x)\nyes\n@end\n@end', '@end', 4, 1],
]

const UNKNOWN: readonly (readonly [text: string, fault: string, line: number, column: number])[] = [
  ['<ul>\n@foreach(x in list)\n@end', '@foreach: there is no such tag; did you mean @each?', 2, 1],
  ['@if(x)\nyes\n@elsif(y)\nno\n@end', '@elsif: there is no such tag; did you mean @elseif?', 3, 1],
  ['@each(y in list)\nyes\n  @endforeach\n', '@endforeach: there is no such tag; did you mean @end?', 3, 3],
  ['@for (x of list)\n@endfor', '@for: there is no such tag; did you mean @each?', 1, 1],
  ["@extends('layout')", '@extends: there is no such tag; did you mean @component?', 1, 1],
  ["<p>@inclde('part')</p>", '@inclde: there is no such tag; did you mean @include?', 1, 4],
  ['@!crad({ title: 1 })', '@!crad: there is no such tag; did you mean @card?', 1, 1],
  ['@if(x)\nyes\n@esle\nno\n@end', '@esle: there is no such tag; did you mean @else?', 3, 1],
  ['{{ x }}\n@something(x)', '@something: there is no such tag', 2, 1],
  ['<form>\n  @csrf\n</form>', '@csrf: there is no such tag', 2, 3],
  ['@each(x in list)\n@endforeach\n@end', '@endforeach: there is no such tag; did you mean @end?', 2, 1],
]

const TEXT: readonly string[] = [
  'bob@if.example, bob@end.example, @@if(x) and @end users',
  '<style>@media (width > 1px) { a { color: red } } @import url(x.css);</style>',
  '<script type="application/ld+json">{ "@type": "Thing", "@include": "x" }</script>',
  '@if(x)\nDear @end users, ask <b>@end</b> or me@end\n@end',
  '@@if(x)\n yes @end\n@end',
  '{{ "@" }}if(x), bob@stack(work), @unknown(x), @if you like',
  '{{-- <p>@if(x) yes @end</p> --}}',
  '@if(x)~\nyes\n@else~\nno\n@end~',
  '<style>\n@media(width > 1px) { a { color: red } }\n@import url(x.css);\n@font-face { src: url(x) }\n</style>',
  '@@foreach(x in list)\n@@endforeach\n@@csrf',
  'bob@for.example (work), bob@foreach(x), https://social.example/@for(1)',
  '@alice (admin)\n@alice\n@eve\n@sallyport, @end-users',
  '<button\n  @click="count(1)"\n  @keydown.escape.window="close()"\n  @submit.prevent>x</button>',
  '<script>\n/**\n * @param(x)\n * @returns (x)\n */\n</script>',
  '{{-- @foreach(x in list) --}}',
  '@if(x)\nyes\n@endif\n@each(y in list)\n@endeach',
]

describe('a tag beside text', () => {
  for (const [text, tag, line, column] of REFUSED) {
    it(`is refused, not sent: ${JSON.stringify(text)} [PAGE-08]`, async () => {
      const templates = new Templates({ page: text, part: '' })
      const engine = templates.engine()

      await assert.rejects(engine.render('page', { x: true, y: true, list: [] }), (error) => {
        assert.ok(error instanceof TemplateException, String(error))
        assert.deepEqual([error.file, error.line, error.column], [templates.path('page'), line, column])
        assert.ok(error.message.startsWith(`Cannot read ${tag} beside other text: `), error.message)
        return true
      })
      const faults = engine.templates().flatMap((source) => source.faults)
      assert.deepEqual(
        faults.map((fault) => [fault.line, fault.column]),
        [[line, column]],
      )
    })
  }

  for (const [text, fault, line, column] of UNKNOWN) {
    it(`is refused if there is none of that name: ${JSON.stringify(text)} [PAGE-08]`, async () => {
      const templates = new Templates({ page: text, part: '', 'components/card': '' })
      const engine = templates.engine()
      const message = `Cannot read ${fault}; write {{ '@' }} if you mean the character (${templates.path('page')}:${line}:${column})`

      await assert.rejects(engine.render('page', { x: true, y: true, list: [] }), { message })
      assert.deepEqual(
        engine.templates().flatMap((source) => source.faults.map((each) => each.message)),
        [message],
      )
    })
  }

  for (const text of TEXT) {
    it(`is not seen in ${JSON.stringify(text)} [PAGE-08]`, async () => {
      const engine = new Templates({ page: text }).engine()

      assert.equal(typeof inOneLine(await engine.render('page', { x: true })), 'string')
      assert.deepEqual(
        engine.templates().flatMap((source) => source.faults),
        [],
      )
    })
  }
})
