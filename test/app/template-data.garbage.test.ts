import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, it } from 'node:test'

import { Templates } from '../view/fixture.ts'

const SOURCE = new URL('../../src/', import.meta.url).href
const PAGES = 4000
// Of these it is seen whether they are kept for good. A weak reference keeps its object until the next major collection.
const WATCHED = 500
// Each page uses what the context of its request gives: principal, token, nonce, messages, addresses.
const PROGRAM = `
  import { App, Controller, defineModule } from '${SOURCE}index.ts'
  import { ViewEngine } from '${SOURCE}view/index.ts'
  import { EdgeViewEngine } from '${SOURCE}view/edge.ts'

  const contexts = []
  class PageController extends Controller {
    static actions = { page: [] }
    page() {
      this.context.auth().authenticate({ name: 'Ada' }, [])
      if (contexts.length < ${WATCHED}) contexts.push(new WeakRef(this.context))
      return this.view('page', { rows: [{ id: 1 }, { id: 2 }] })
    }
  }
  const module = defineModule('Site', (site) => site.routes((routes) => {
    routes.get('/page', [PageController, 'page']).name('page')
  }).mount('/'))
  const engine = new EdgeViewEngine({ directory: new URL(process.env.VIEWS), cache: true })
  const app = App.default({ debug: false }).modules(module).configure((set) => set.set(ViewEngine, engine))
  for (let i = 0; i < ${PAGES}; i++) {
    if (i === ${PAGES / 2}) console.log('HALF')
    const response = await app.fetch(new Request('http://localhost/page'))
    if (!(await response.text()).includes('Ada 2 /page')) throw new Error('the page is wrong')
  }
  console.log('DONE')
  await new Promise(setImmediate)
  gc()
  console.log('KEPT', contexts.filter((context) => context.deref() !== undefined).length)
`

describe('the data of a template, once its page is made', () => {
  const views = new Templates({
    layout: '<title>{{ title }}</title>\n{{{ await $slots.main() }}}\n{{ csp.nonce }} {{ $i18n.locale }}',
    row: `{{ auth.principal.name }} {{ row.id }} {{ $url('page') }}`,
    page: [
      `@component('layout', { title: auth.principal.name })`,
      '@each(row in rows)',
      `@include('row')`,
      '@end',
      '{{ csrf.token }} {{ (await flash.take()).length }}',
      '@end',
    ].join('\n'),
  })

  it('keeps no request in memory, neither for good nor until a major collection [PAGE-08]', (t) => {
    const flags = [
      '--conditions=sallyport-source',
      '--expose-gc',
      '--trace-gc-nvp',
      '--max-semi-space-size=1',
    ]
    const { stdout, stderr } = spawnSync(process.execPath, [...flags, '--input-type=module', '-e', PROGRAM], {
      encoding: 'utf8',
      env: { ...process.env, VIEWS: views.directory.href },
    })
    const [, during = ''] = /HALF([^]*)DONE/.exec(stdout) ?? []
    const kept = Number(/KEPT (\d+)/.exec(stdout)?.[1])
    const promoted = [...during.matchAll(/ gc=s .* promoted=(\d+)/g)].map(([, bytes]) => Number(bytes))
    const bytes = promoted.reduce((sum, one) => sum + one, 0) / (PAGES / 2)

    assert.ok(kept <= 1, `${kept} requests of ${WATCHED} are kept: ${stderr}`)
    assert.ok(promoted.length > 10, `there were ${promoted.length} collections: ${stderr}`)
    // A request that outlives its page has some 2300 bytes.
    assert.ok(bytes < 1600, `${bytes} bytes of each page grew old`)
    t.diagnostic(`bytes of a page that grow old: ${bytes.toFixed(0)} (goal: below 1600)`)
  })
})
