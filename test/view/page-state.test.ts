import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { App, Controller, defineModule, type HttpContext } from 'sallyport'
import { type Middleware, type Next } from 'sallyport/http'
import { Translator } from 'sallyport/i18n'
import { type Actions } from 'sallyport/routing'
import { MemorySessionStore, SessionStore } from 'sallyport/session'
import { TestClient } from 'sallyport/testing'
import { ViewEngine } from 'sallyport/view'

import { inOneLine, Templates } from './fixture.ts'

const ALL =
  "{{ auth.principal.name }} {{ csrf.fieldName }} {{ typeof csp.nonce }} {{ (await flash.take()).length }} {{ $url('home') }} {{ $i18n.t('hello', {}, 'Hello') }}"
const REACHED = 'Ada _csrf string 0 /home Hello'

class Names extends Controller {
  static readonly actions = { index: [], home: [] } satisfies Actions<Names>

  index() {
    return this.view(this.context.query())
  }

  home(): string {
    return 'home'
  }
}

class Ada implements Middleware {
  process(context: HttpContext, next: Next): Promise<Response> {
    context.auth().authenticate({ name: 'Ada' }, [])
    return next()
  }
}

describe('the reserved names of templates', () => {
  const templates = new Templates({
    page: ALL,
    layout: `${ALL} [{{{ await $slots.main() }}}] [{{{ await $slots.foot() }}}]`,
    part: ALL,
    card: ALL,
    nested: `@!component('card')\n@include('part')\n`,
    'in-part': "@include('part')\n",
    'in-part-of-a-loop': "@each(number in [1])\n@include('part')\n@end\n",
    'in-component': "@!component('card', { some: 1 })\n",
    'in-layout': `@component('layout')\n${ALL}\n@slot('foot')\n${ALL}\n@end\n@end\n`,
    'in-nested': "@component('layout')\n@!component('nested')\n@slot('foot')\n@include('part')\n@end\n@end\n",
  })
  const module = defineModule('Names', (declared) =>
    declared
      .mount('/')
      .middleware(Ada)
      .routes((routes) => {
        routes.get('/', [Names, 'index'])
        routes.get('/home', [Names, 'home']).name('home')
      }),
  )
  const app = App.create()
    .modules(module)
    .configure((definitions) =>
      definitions
        .set(ViewEngine, templates.engine())
        .set(Translator, new Translator({}))
        .set(SessionStore, new MemorySessionStore()),
    )

  for (const [page, times] of [
    ['page', 1],
    ['in-part', 1],
    ['in-part-of-a-loop', 1],
    ['in-component', 1],
    ['in-layout', 3],
    ['in-nested', 4],
  ] as const) {
    it(`are there ${page} [PAGE-07]`, async () => {
      const response = await new TestClient(app).get(`/?${page}`)
      const text = await response.text()

      assert.equal(response.status, 200, text)
      assert.equal(text.split(REACHED).length - 1, times, text)
      assert.doesNotMatch(text, /undefined|object/)
    })
  }

  it('$asset is one of them, where somebody gives it [PAGE-07]', async () => {
    const own = new Templates({
      page: "@component('frame')\n@end\n",
      frame: "{{ $asset('style.css') }} {{{ await $slots.main() }}}",
    })

    const page = await own.engine().render('page', { $asset: (name: string) => `/assets/${name}` })

    assert.equal(page.trim(), '/assets/style.css')
  })

  it('win over values of the same name that a component is given [PAGE-07]', async () => {
    const own = new Templates({
      page: "@!component('card', { auth: 'mine', title: 'ok' })\n",
      card: '{{ auth }} {{ title }}',
    })

    assert.equal(inOneLine(await own.engine().render('page', { auth: 'theirs' })), 'theirs ok')
  })

  it('leaves out other values of the page in a component', async () => {
    const own = new Templates({ page: "{{ title }}\n@!component('card')\n", card: '{{ typeof title }}' })

    assert.equal(inOneLine(await own.engine().render('page', { title: 'Teas' })), 'Teasundefined')
  })
})

describe('globals of the runtime', () => {
  const names = ['process', 'performance', 'fetch', 'globalThis', 'global', 'Buffer', 'Function', 'console']
  const templates = new Templates({
    absent: names.map((name) => `{{ typeof ${name} }}`).join(' '),
    given: '{{ process }} {{ name }} {{ performance }}',
    'in-part': "@each(process in [1])\n@include('given')\n@end\n",
    'in-component': "@!component('given', { process: 'a', name: 'b', performance: 'c' })\n",
    local: '@let(performance = 2)\n{{ performance }} {{ [3].map((process) => process + 1)[0] }}',
    words: 'Our process and its performance',
    language:
      "{{ Math.max(1, 2) }} {{ JSON.stringify([1]) }} {{ encodeURIComponent('é') }} {{ typeof undefined }}",
  })
  const data = { process: 1, name: 2, performance: 3 }

  it('are not there [PAGE-07]', async () => {
    assert.equal(await templates.engine().render('absent', {}), names.map(() => 'undefined').join(' '))
  })

  it('do not hide values of the same name [PAGE-07]', async () => {
    // As on Deno, where a global variable has this name.
    Reflect.set(globalThis, 'name', 'runtime')
    try {
      const engine = templates.engine()

      assert.equal(await engine.render('given', data), '1 2 3')
      assert.equal(inOneLine(await engine.render('in-part', { ...data, process: 9 })), '1 2 3')
      assert.equal(inOneLine(await engine.render('in-component', {})), 'a b c')
      assert.equal(inOneLine(await engine.render('local', data)), '2 4')
    } finally {
      Reflect.deleteProperty(globalThis, 'name')
    }
  })

  it('leaves words of the text and the language itself alone', async () => {
    assert.equal(await templates.engine().render('words', {}), 'Our process and its performance')
    assert.equal(await templates.engine().render('language', {}), '2 [1] %C3%A9 undefined')
  })
})
