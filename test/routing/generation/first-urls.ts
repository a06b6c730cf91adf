// A program that asks for URLs before and after the code that finds out beforehand where they lead is loaded, as a process does once.
import { mock } from 'node:test'
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

const writes = [mock.method(PathWriter.prototype, 'write'), mock.method(ActionWriter.prototype, 'write')]
const router = (await App.create().modules(teas).boot()).router()
const before = urlsOf(router)
const written = writes.map(({ mock: { calls } }) => calls.map(({ result }) => result))
while (certainty() === undefined) await setTimeout(1)
const after = [urlsOf(router), urlsOf(router)]
const last = writes.map(({ mock: { calls } }) => calls.at(-1)?.result)
process.stdout.write(JSON.stringify({ before, written, after, last }))
