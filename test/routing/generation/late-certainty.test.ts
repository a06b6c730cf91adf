import assert from 'node:assert/strict'
import { describe, it, mock } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { App, Controller, defineModule } from 'sallyport'
import { type Actions, param, type Router } from 'sallyport/routing'
import { ActionWriter } from '../../../src/routing/generation/action-writer.ts'
import { certainty } from '../../../src/routing/generation/late-certainty.ts'
import { PathWriter } from '../../../src/routing/generation/path-writer.ts'

class TeaController extends Controller {
  static readonly actions = {
    show: [param.string('name')],
    edit: [param.string('name')],
  } satisfies Actions<TeaController>
  show(name: string): string {
    return name
  }
  edit(name: string): string {
    return name
  }
}
const teas = defineModule('Teas', (module) =>
  module
    .controllers(TeaController)
    .routes((routes) => void routes.get('/of/{name}', [TeaController, 'show']).name('tea')),
)

function urlsOf(router: Router): readonly string[] {
  return [router.url('teas:tea', { name: 'ü' }), router.urlFor([TeaController, 'edit'], ['ü'])]
}

describe('the code that finds out beforehand where URLs lead', () => {
  it('is loaded with the first URL, and changes none', async () => {
    const writes = [mock.method(PathWriter.prototype, 'write'), mock.method(ActionWriter.prototype, 'write')]
    const router = (await App.create().modules(teas).boot()).router()

    const before = urlsOf(router)
    const written = writes.map(({ mock: { calls } }) => calls.map(({ result }) => result))
    while (certainty() === undefined) await setTimeout(1)
    const after = [urlsOf(router), urlsOf(router)]

    assert.deepEqual(before, ['/teas/of/%C3%BC', '/teas/tea/edit/%C3%BC'])
    assert.deepEqual(after, [before, before])
    assert.deepEqual(written, [[null], []])
    for (const {
      mock: { calls },
    } of writes)
      assert.equal(typeof calls.at(-1)?.result, 'string')
  })
})
