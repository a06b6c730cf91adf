import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { ServiceUnavailableException } from 'sallyport/http'
import { TemplateException } from 'sallyport/view'

import { Templates } from './fixture.ts'

const boom = (): never => {
  throw new RangeError('no more tea')
}
const later = async (): Promise<never> => {
  await Promise.resolve()
  throw new RangeError('no more tea')
}

const FAULTS: Readonly<
  Record<string, readonly [text: string, line: number, column: number, message: RegExp]>
> = {
  'a property of undefined': ['<p>\n{{ a.b.c }}</p>', 2, 8, /reading 'c'/],
  'the second expression of a line': ['{{ ok }} {{ a.b }} {{ a.b.c }}', 1, 27, /reading 'c'/],
  'the second of a name': ['{{ a.b }}{{ a.b.b }}', 1, 17, /reading 'b'/],
  'a call': ['\n\n  <b>{{ one(boom()) }}</b>', 3, 13, /no more tea/],
  'a missing function': ['<b>{{ nobody() }}</b>', 1, 7, /^nobody is not a function/],
  'a promise': ['<b>{{ ok }}{{ await later() }}</b>', 1, 15, /no more tea/],
  'a condition': ['\n  @if(a.b.c)\n x\n@end', 2, 11, /reading 'c'/],
  'a list': ['@each(x in a.b.c)\n x\n@end', 1, 16, /reading 'c'/],
  'a loop': ['@each(x in [1])\n  {{ a.b.c }}\n@end', 2, 10, /reading 'c'/],
  'a loop that waits': ['@each(x in [1])\n  {{ await later() }}\n@end', 2, 6, /no more tea/],
  'a loop with an element': ['@each(x in [1])\n@else\nx\n@end\n{{ a.b.c }}', 5, 8, /reading 'c'/],
  'several lines': ['{{ one({\n  two: a.b.c\n}) }}', 2, 12, /reading 'c'/],
  'values of a component': ["\n@!component('empty', { one: 1, two: a.b.c })\n", 2, 41, /reading 'c'/],
  'a slot': ["@component('frame')\n\n <i>{{ a.b.c }}</i>\n@end", 3, 12, /reading 'c'/],
  'a missing part': ["<p>\n@include('nowhere')\n", 2, 10, /"nowhere": there is no such file/],
  'a missing slot': ['{{{ await $slots.main() }}}', 1, 18, /reading 'main'/],
  'a misspelled part': ["@include('emtpy')", 1, 10, /did you mean "empty"\? \(/],
  'a promise that is written': [
    '{{ ok }}\n<b>{{ later() }}</b>',
    2,
    6,
    /^Cannot write a promise .*: await it/,
  ],
  'a promise for a component': [
    "\n@!component('empty', { one: 1, two: later() })",
    2,
    13,
    /^Cannot render a component with "two", which is a promise: await it \(/,
  ],
  'a tag of its own': ["@newError('not here')", 1, 11, /not here/],
  'an unknown word': ['\n{{ 1 + }}', 2, 8, /Unexpected token/],
  'an open tag': ['\n\n@if(true)\n', 3, 5, /Unclosed tag if/],
  'no language': ['<p>\n {{ var x }}</p>', 2, 5, /./],
}

describe('a template fault', () => {
  for (const cache of [true, false]) {
    for (const [what, [text, line, column, message]] of Object.entries(FAULTS)) {
      it(`names file, line and column of ${what}, ${cache ? 'in production' : 'in development'} [PAGE-08]`, async () => {
        const templates = new Templates({
          page: "<p>\n@include('part')\n",
          part: text,
          frame: '{{{ await $slots.main() }}}',
          empty: '',
        })

        const page = templates
          .engine({ cache })
          .render('page', { a: { b: undefined }, one: (value: unknown) => value, ok: 1, boom, later })

        await assert.rejects(page, (error) => {
          assert.ok(error instanceof TemplateException, String(error))
          const { file } = error
          assert.deepEqual(
            { file, at: `${error.line}:${error.column}` },
            {
              file: templates.path('part'),
              at: `${line}:${column}`,
            },
          )
          assert.match(error.message, message)
          assert.ok(error.message.endsWith(` (${file}:${line}:${column})`), error.message)
          assert.equal(error.code, 'ERR_VIEW_TEMPLATE')
          return true
        })
      })
    }
  }

  it('has the error as its cause, whatever was thrown', async () => {
    const templates = new Templates({ page: '{{ fail() }}' })
    const error = new RangeError('x')

    for (const thrownBy of [() => error, () => 'text', () => null, () => Promise.reject(error)]) {
      let thrown: unknown
      const fail = (): never => {
        thrown = thrownBy()
        throw thrown
      }

      await assert.rejects(
        templates.engine().render('page', { fail }),
        (fault) => fault instanceof TemplateException && fault.cause === thrown,
      )
    }
  })

  it('is none where the exception answers the request', async () => {
    const templates = new Templates({ page: "@include('part')\n", part: '{{ fail() }}{{ await wait() }}' })
    const unavailable = new ServiceUnavailableException('The store is away')

    for (const fail of [
      () => {
        throw unavailable
      },
      () => '',
    ]) {
      const page = templates.engine().render('page', { fail, wait: () => Promise.reject(unavailable) })

      await assert.rejects(page, (error) => error === unavailable)
    }
  })
})
