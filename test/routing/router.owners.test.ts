import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { claim, module, PageController, router, table } from './fixture.ts'

const page = table((routes) => routes.get('/{slug}', [PageController, 'show']))
const site = module('Site', { mount: '/', steps: [page] })
const shop = module('Shop', { mount: { fr: 'boutique', en: 'shop' }, localized: true, steps: [page] })
const news = module('News', { steps: [claim('/journal', () => undefined)] })
const feeds = module('Feeds', { steps: [claim('/journal/feeds', () => undefined)] })
// Another module of the same name.
const other = module('Feeds', { segment: 'more', steps: [page] })
const options = { locales: ['fr', 'en'], localePrefixes: true }
const routes = router([site, shop, news, feeds, other], options)

function named(path: string): readonly string[] {
  const all = [site, shop, news, feeds, other]
  const names = ['site', 'shop', 'news', 'feeds', 'other']
  return routes.ownersOf(path).map((owner) => names[all.indexOf(owner)] ?? 'another object')
}

describe('Router.ownersOf()', () => {
  it('gives the modules that a URL is below, innermost first, whatever answers it [PAGE-14]', () => {
    assert.deepEqual(named('/journal/feeds/atom'), ['feeds', 'news', 'site'])
    assert.deepEqual(named('/journal/other'), ['news', 'site'])
    assert.deepEqual(named('/more/none/at/all'), ['other', 'site'])
    assert.deepEqual(named('/'), ['site'])
    assert.deepEqual(named('/fr/boutique/x'), ['shop', 'site'])
  })

  it('finds the module of every spelling, of a redirect and of a malformed URL [PAGE-14]', () => {
    for (const path of [
      '/shop',
      '/EN/Shop/',
      '/en/%73hop',
      '/boutique/x',
      '/shop/%zz',
      '/shop/%00',
      '/shop//x',
      '/shop/../..',
    ])
      assert.deepEqual(named(path), ['shop', 'site'], path)
  })

  it('gives nothing where no module is', () => {
    assert.deepEqual(router([news]).ownersOf('/elsewhere'), [])
    assert.deepEqual(router([news]).ownersOf('*'), [])
  })

  it('takes no longer for a path of slashes than for any other', () => {
    assert.deepEqual(named(`/more/${'/'.repeat(200_000)}`), ['other', 'site'])
  })
})
