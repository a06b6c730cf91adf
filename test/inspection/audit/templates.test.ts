import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { App, Controller, defineModule, type RouteFinding } from 'sallyport'
import { type Actions, param } from 'sallyport/routing'
import { ViewEngine } from 'sallyport/view'

import { Templates } from '../../view/fixture.ts'

class Pages extends Controller {
  static readonly actions = { index: [], show: [param.string('slug')] } satisfies Actions<Pages>
  index() {
    return this.view('page')
  }
  show(slug: string): string {
    return slug
  }
}

async function findings(engine: ViewEngine): Promise<readonly RouteFinding[]> {
  const shop = defineModule('Shop', (module) =>
    module.routes((routes) => {
      routes.get('/cart', [Pages, 'index']).name('cart')
      routes.get('/products/{slug}', [Pages, 'show']).name('product')
    }),
  )
  const app = App.create()
    .modules(shop)
    .configure((definitions) => definitions.set(ViewEngine, engine))
  await app.boot()
  const inspection = await app.inspection()
  const { findings: found } = inspection.audit()
  assert.deepEqual((await inspection.auditWithResolvers()).findings, found)
  return found
}

describe('Inspection.audit() about templates', () => {
  it('finds names of routes that do not exist, with place and the nearest [PAGE-08]', async () => {
    const templates = new Templates({
      'cart/index': `<a href="{{ $url('shop:cart') }}">\n  <a href="{{ $url("shop:crat") }}">{{ $url('shop:product', {}) }}`,
      layout: "@each(item in [$url('shop:none')])\n@if(one)\n{{ one(\n  $url(`shpo:cart`)) }}\n@end\n@end\n",
      part: "@component('layout', { href: $url( 'imprint' ) })\n{{{ $url('shop:products') }}}\n@end\n",
      quiet:
        "{{-- $url('shop:gone') --}} @{{ $url('shop:gone') }} $url('shop:gone') {{ $url(name) }} {{ $url(`shop:${name}`) }} {{ my$url('shop:gone') }} {{ other.$url('shop:gone') }}",
    })

    const found = await findings(templates.engine())

    const places = found.map(({ message, severity, code }) => {
      const [, name = '', place = ''] = /URL for "([^"]*)".* \((.*)\)$/.exec(message) ?? []
      return `${severity} ${code} ${name} ${place} ${/did you mean "(.*)"/.exec(message)?.[1] ?? '-'}`
    })
    assert.deepEqual(places, [
      `fault unknown-route-name shop:crat ${templates.path('cart/index')}:2:15 shop:cart`,
      `fault unknown-route-name shop:none ${templates.path('layout')}:1:16 -`,
      `fault unknown-route-name shpo:cart ${templates.path('layout')}:4:3 shop:cart`,
      `fault unknown-route-name imprint ${templates.path('part')}:1:30 -`,
      `fault unknown-route-name shop:products ${templates.path('part')}:2:5 shop:product`,
    ])
  })

  it('finds templates that are malformed or include what does not exist', async () => {
    const templates = new Templates({
      open: '\n@if(true)\n',
      malformed: '<p>{{ 1 + }}</p>',
      includes: "<p>\n@if(false)\n  @include('nowhere')\n@end\n@!component('away')\n@include(name)\n",
      whole: "@include('includes')\n",
    })

    const found = await findings(templates.engine())

    assert.deepEqual(
      found.map(({ code, message }) => `${code} ${/\(([^()]*)\)$/.exec(message)?.[1] ?? message}`),
      [
        `broken-template ${templates.path('includes')}:3:12`,
        `broken-template ${templates.path('includes')}:5:13`,
        `broken-template ${templates.path('malformed')}:1:11`,
        `broken-template ${templates.path('open')}:2:5`,
      ],
    )
  })

  it('finds none where the engine has no templates to read', async () => {
    const engine = { render: async () => '' }

    assert.deepEqual(await findings(engine as unknown as ViewEngine), [])
  })
})
