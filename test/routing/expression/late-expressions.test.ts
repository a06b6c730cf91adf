import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { App, Controller, defineModule } from 'sallyport'
import { type Actions, param, type Router, type Routes } from 'sallyport/routing'

class TeaController extends Controller {
  static readonly actions = { show: [param.string('name')] } satisfies Actions<TeaController>
  show(name: string): string {
    return name
  }
}

async function bootedWith(declare: (routes: Routes) => void): Promise<Router> {
  const teas = defineModule('Teas', (module) => module.mount('/').routes(declare))
  return (await App.create().modules(teas).boot()).router()
}

// That a program without any does not load it is a test of bundles.
describe('the code that runs constraints', () => {
  it('is looked for at boot, where routes without any are declared once', async () => {
    let declared = 0
    const router = await bootedWith((routes) => {
      declared++
      routes.get('/{name}', [TeaController, 'show'])
    })

    assert.equal(router.match('GET', '/green').kind, 'found')
    assert.equal(declared, 1)
  })

  it('is loaded where routes cannot be declared, which fails at their first use', async () => {
    let isFaulty = true
    const router = await bootedWith((routes) => {
      if (isFaulty) throw new TypeError('No teas yet')
      routes.get('/{name}', [TeaController, 'show']).where('name', '[a-z]+')
    })

    assert.throws(() => router.match('GET', '/green'), /No teas yet/)
    isFaulty = false
    assert.equal(router.match('GET', '/green').kind, 'found')
    assert.equal(router.match('GET', '/GREEN').kind, 'notFound')
  })
})
