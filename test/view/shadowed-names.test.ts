import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { App, Controller, defineModule } from 'sallyport'
import type { Actions } from 'sallyport/routing'
import { TestClient } from 'sallyport/testing'
import { TemplateException, ViewEngine } from 'sallyport/view'

import { Faults } from '../app/fixture.ts'
import { Templates } from './fixture.ts'

// Words that some template may write as a name: of the language, of its grammar, of the runtime, of edge.js.
const WORDS = [
  'async await of get set eval arguments yield let static implements interface package private protected public',
  'this null true false undefined NaN Infinity template state $context out $lineNumber $filename $slots $caller $props',
  'constructor prototype hasOwnProperty toString valueOf error raise html inspect truncate slots props stacks loop item',
  'key value index escape page seen locals require module exports compiled name status location event top self',
]
  .flatMap((line) => line.split(' '))
  .concat(Object.getOwnPropertyNames(globalThis))
const DECLARED = {
  each: '@each(NAME in list)\n{{ title }}\n@end',
  'each with a key': '@each((item, NAME) in list)\n{{ title }}\n@end',
  let: '@let(NAME = 5)\n{{ title }}',
  slot: "@component('frame')\n@slot('main', NAME)\n{{ title }}\n@end\n@end",
  'an arrow': "{{ list.map((NAME) => title).join('') }}",
  'an arrow without parentheses': "{{ list.map(NAME => title).join('') }}",
  'an arrow that takes apart': "{{ list.map(({ NAME }) => title).join('') }}",
  'an arrow in a tag': '@if(list.every((NAME) => title))\n{{ title }}\n@end',
  assign: '@assign(NAME = 5)\n{{ title }}',
}

describe('names of which templates never see the data', () => {
  it('a value of any name is seen, or refused by a message that names it [PAGE-07]', async () => {
    const templates = new Templates({})
    for (const [index, word] of WORDS.entries()) templates.write(`t${index}`, `{{ ${word} }}`)
    const engine = templates.engine({ cache: true })
    const refused: string[] = []

    for (const [index, word] of WORDS.entries()) {
      try {
        assert.equal(await engine.render(`t${index}`, { [word]: 'GIVEN' }), 'GIVEN', word)
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error
        // A word of the grammar is refused with its place when the template is compiled.
        const isNamed = error instanceof TypeError && error.message.includes(`"${word}"`)
        assert.ok(isNamed || error instanceof TemplateException, `${word}: ${String(error)}`)
        if (isNamed) refused.push(word)
      }
    }

    for (const word of ['state', '$context', '$slots', 'this', 'undefined', 'Map', 'Date', 'JSON'])
      assert.ok(refused.includes(word), word)
    for (const word of ['name', 'template', 'process', 'status', 'error', 'page'])
      assert.ok(!refused.includes(word), word)
  })

  it('the same holds for the values of a component, at its line [PAGE-07]', async () => {
    const templates = new Templates({
      page: "<p>\n@!component('card', { state: 'open' })\n",
      card: '{{ state }}',
    })

    await assert.rejects(
      templates.engine().render('page', {}),
      (error) =>
        error instanceof TemplateException &&
        error.line === 2 &&
        error.message.includes('component with "state"'),
    )
  })

  it('a controller is refused where it calls view() [PAGE-07]', async () => {
    const templates = new Templates({ list: '{{ state }}', fine: '{{ states }}' })
    const stacks: string[] = []
    class OrderController extends Controller {
      static readonly actions = { index: [], fine: [] } satisfies Actions<OrderController>
      index() {
        try {
          return this.view('list', { state: 'open' })
        } catch (error) {
          stacks.push((error as Error).stack ?? '')
          throw error
        }
      }
      fine() {
        return this.view('fine', { states: 'open' })
      }
    }
    const faults = new Faults()
    const app = App.default({ debug: false })
      .modules(defineModule('Shop', (module) => module.controllers(OrderController)))
      .configure((definitions) => definitions.set(ViewEngine, templates.engine()))
    faults.listen(app)
    const client = new TestClient(app)

    assert.equal((await client.get('/shop/order')).status, 500)

    assert.match(faults.messages[0] ?? '', /^Cannot render "list" with "state": .* rename the value$/)
    assert.match(stacks[0] ?? '', /shadowed-names\.test\.ts/)
    assert.equal(await (await client.get('/shop/order/fine')).text(), 'open')
  })

  it('an engine of another kind sees every name', async () => {
    class Words extends ViewEngine {
      async render(_template: string, data: Readonly<Record<string, unknown>>): Promise<string> {
        return String(data['state'])
      }
    }
    class OrderController extends Controller {
      static readonly actions = { index: [] } satisfies Actions<OrderController>
      index() {
        return this.view('list', { state: 'open' })
      }
    }
    for (const engine of [new Words(), { render: new Words().render } as unknown as ViewEngine]) {
      const app = App.default({ debug: false })
        .modules(defineModule('Shop', (module) => module.controllers(OrderController)))
        .configure((definitions) => definitions.set(ViewEngine, engine))

      assert.equal(await (await new TestClient(app).get('/shop/order')).text(), 'open')
    }
  })
})

describe('variables that a template declares', () => {
  for (const [title, text] of Object.entries(DECLARED)) {
    for (const name of [
      'state',
      'template',
      'out',
      '$context',
      '$lineNumber',
      '$filename',
      'item',
      'states',
    ]) {
      it(`${title}: the other values stay what they are, or "${name}" is refused at its line [PAGE-07]`, async () => {
        const templates = new Templates({
          page: `<p>\n${text.replaceAll('NAME', name)}`,
          frame: "{{{ await $slots.main({ title: 'wrong' }) }}}",
        })

        try {
          const page = await templates.engine().render('page', { title: 'T', list: [{ title: 'wrong' }] })
          assert.equal(page.replaceAll(/\s/g, ''), '<p>T')
          assert.notEqual(name, 'state')
        } catch (error) {
          if (error instanceof assert.AssertionError) throw error
          assert.ok(error instanceof TemplateException, String(error))
          assert.equal(error.line, title === 'slot' ? 3 : 2)
          assert.ok(name !== 'item' && name !== 'states', error.message)
          assert.ok(error.message.includes(`variable "${name}"`), error.message)
        }
      })
    }
  }

  it('shows in a text, a comment and an escaped tag what it likes', async () => {
    const templates = new Templates({ page: '{{-- @let(state = 1) --}}state => out @{{ state => 1 }}' })

    assert.equal(await templates.engine().render('page', {}), 'state => out {{ state => 1 }}')
  })
})

describe('`this` in a template', () => {
  it('is not the global object [PAGE-07]', async () => {
    const templates = new Templates({
      page: '{{ typeof this.process }} {{ [1].map(() => typeof this.fetch)[0] }}',
    })

    for (const cache of [true, false])
      assert.equal(await templates.engine({ cache }).render('page', {}), 'undefined undefined')
  })
})
