import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { App, type AssetSource, Controller, defineModule } from 'sallyport'
import { ViewEngine } from 'sallyport/view'
import { TestClient } from 'sallyport/testing'

/** A template is the name of an asset. */
class AssetEngine extends ViewEngine {
  override async render(template: string, data: Readonly<Record<string, unknown>>): Promise<string> {
    const { $asset } = data as { readonly $asset: (name: string) => string }
    return $asset(template)
  }
}

class PageController extends Controller {
  static readonly actions = { shadowed: [], misspelled: [], foreign: [] }
  shadowed(): unknown {
    return this.view('logo.svg', { $asset: () => 'https://evil.test/' })
  }
  misspelled(): unknown {
    return this.view('ap.css')
  }
  foreign(): unknown {
    return this.view('zzzzzzzzzzzz')
  }
}

function list(urls: Readonly<Record<string, string>>): AssetSource {
  return { assetNames: Object.keys(urls), assetUrl: (name) => urls[name] }
}

function client(...sources: AssetSource[]): { readonly client: TestClient; readonly errors: unknown[] } {
  const errors: unknown[] = []
  const modules = sources.map((source, index) =>
    defineModule(`List${index}`, (module) => module.withoutConventionRouting().assets(source)),
  )
  const pages = defineModule('Pages', (module) =>
    module.withoutConventionRouting().routes((routes) => {
      routes.get('/shadowed', [PageController, 'shadowed'])
      routes.get('/misspelled', [PageController, 'misspelled'])
      routes.get('/foreign', [PageController, 'foreign'])
    }),
  )
  const app = App.create()
    .modules(...modules, pages)
    .configure((definitions) => definitions.set(ViewEngine, new AssetEngine()))
    .onError((error) => errors.push(error))
  return { client: new TestClient(app), errors }
}

describe('$asset', () => {
  it('gives the URL that the first module knows, whatever the page calls so [PAGE-09]', async () => {
    const { client: visitor } = client(list({ 'app.css': '/a' }), list({ 'logo.svg': '/b', 'app.css': '/c' }))

    assert.equal(await (await visitor.get('/pages/shadowed')).text(), '/b')
  })

  it('names the nearest asset for one that does not exist [PAGE-09]', async () => {
    const { client: visitor, errors } = client(list({ 'app.css': '/a' }))

    assert.equal((await visitor.get('/pages/misspelled')).status, 500)
    assert.equal((await visitor.get('/pages/foreign')).status, 500)
    assert.match(String(errors[0]), /asset "ap\.css": there is no such file; did you mean "app\.css"\?/)
    assert.match(String(errors[1]), /there is no such file$/)
  })

  it('says that no module serves files [PAGE-09]', async () => {
    const { client: visitor, errors } = client()

    assert.equal((await visitor.get('/pages/misspelled')).status, 500)
    assert.match(String(errors[0]), /no module serves files/)
  })

  it('refuses a source without names', async () => {
    const broken = { assetUrl: () => '/a' }
    const app = App.create().modules(
      defineModule('Broken', (module) => module.assets(broken as unknown as AssetSource)),
    )

    await assert.rejects(app.boot(), /Cannot take assets from an object/)
  })
})
