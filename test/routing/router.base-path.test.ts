import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Actions, param, TrailingSlash } from 'sallyport/routing'
import { PathPrefix } from '../../src/routing/internal.ts'
import {
  ask,
  claim,
  conventional,
  fails,
  inspect,
  module,
  PageController,
  resolver,
  router,
  site,
  table,
} from './fixture.ts'

class AccountsController {
  static readonly actions: Actions<AccountsController> = { index: [] }
  index(): void {}
}
class NoteController {
  static readonly actions: Actions<NoteController> = { index: [], show: [param.int('id')] }
  index(): void {}
  show(_id: number): void {}
}

const BELOW = { basePath: '/apps/accounts', trailingSlash: TrailingSlash.Remove } as const
const LOCALIZED = { ...BELOW, locales: ['fr', 'en'], localePrefixes: true } as const

const notes = conventional('Notes', [NoteController], {
  steps: [
    table((routes) => void routes.get('/page/{slug}', [PageController, 'show']).name('page')),
    claim('/news', (routes) => void routes.get('/{slug}', [PageController, 'show']).name('item')),
  ],
})

describe('Router with a base path', () => {
  it('answers below it, and nothing outside of it [MEND-12]', () => {
    const app = router([notes], BELOW)

    assert.equal(ask(app, '/apps/accounts/notes/page/tea'), 'Notes PageController.show("tea")')
    assert.equal(ask(app, '/apps/accounts/news/tea'), 'Notes PageController.show("tea")')
    assert.equal(ask(app, '/apps/accounts/notes/note/show/7'), 'Notes NoteController.show(7)')
    assert.equal(ask(app, 'POST /apps/accounts/notes/page/tea'), '405 GET, HEAD')
    for (const path of [
      '/',
      '/notes/page/tea',
      '/news/tea',
      '/apps',
      '/apps/notes/page/tea',
      '/x/accounts/news/tea',
    ])
      assert.equal(ask(app, path), '404', path)
    assert.equal(ask(app, '/apps/accountsnotes/page/tea'), '404')
    assert.equal(app.basePath, '/apps/accounts')
  })

  it('generates URLs that match their route without a redirect [MEND-12 R-35]', () => {
    const app = router([notes], BELOW)

    assert.equal(app.url('notes:page', { slug: 'green tea' }), '/apps/accounts/notes/page/green%20tea')
    assert.equal(app.url('notes:item', { slug: 'x', q: '1' }), '/apps/accounts/news/x?q=1')
    assert.equal(app.urlFor([NoteController, 'show'], [7]), '/apps/accounts/notes/note/show/7')
    assert.equal(app.urlFor([NoteController, 'index']), '/apps/accounts/notes/note')
  })

  it('redirects to the canonical spelling behind it [MEND-12]', () => {
    const app = router([notes], BELOW)

    assert.equal(ask(app, '/apps/accounts/Notes/page/tea/'), '-> /apps/accounts/notes/page/tea')
    assert.equal(ask(app, '/apps/accounts/notes/Note/Index'), '-> /apps/accounts/notes/note')
    assert.equal(ask(app, '/%61pps/accounts/news/tea'), '-> /apps/accounts/news/tea')
    assert.equal(ask(app, '/Apps/accounts/news/tea'), '404')
  })

  for (const trailingSlash of [TrailingSlash.Remove, TrailingSlash.Add]) {
    it(`keeps the slash of the home page with "${trailingSlash}", as at the root of a host [MEND-12]`, () => {
      const app = site((routes) => void routes.get('/', [PageController, 'index']).name('home'), {
        ...BELOW,
        trailingSlash,
      })

      assert.equal(app.url('home'), '/apps/accounts/')
      assert.equal(ask(app, '/apps/accounts/'), 'Site PageController.index()')
      assert.equal(ask(app, '/apps/accounts'), '-> /apps/accounts/')
    })
  }

  it('answers both spellings of the home page where slashes are preserved [MEND-12]', () => {
    const app = site((routes) => void routes.get('/', [PageController, 'index']).name('home'), {
      ...BELOW,
      trailingSlash: TrailingSlash.Preserve,
    })

    assert.equal(app.url('home'), '/apps/accounts/')
    assert.equal(ask(app, '/apps/accounts/'), 'Site PageController.index()')
    assert.equal(ask(app, '/apps/accounts'), 'Site PageController.index()')
  })

  it('leaves the slash of the home page to the home page where slashes are preserved [MEND-12]', () => {
    const paths = { fr: '/deux', en: '/' }
    const home = table((routes) => void routes.post(paths, [PageController, 'save']))
    const options = { ...LOCALIZED, trailingSlash: TrailingSlash.Preserve }
    const app = router(
      [module('Site', { mount: '/', localized: true, convention: false, steps: [home] })],
      options,
    )

    assert.equal(ask(app, 'POST /apps/accounts/'), '-> /apps/accounts/en')
    assert.equal(ask(app, 'POST /apps/accounts'), '-> /apps/accounts/en')
  })

  it('has the home pages of locales behind it [MEND-12]', () => {
    const home = table((routes) => void routes.get('/', [PageController, 'index']).name('home'))
    const app = router(
      [module('Site', { mount: '/', localized: true, convention: false, steps: [home] })],
      LOCALIZED,
    )

    assert.equal(app.url('home', {}, 'fr'), '/apps/accounts/')
    assert.equal(app.url('home', {}, 'en'), '/apps/accounts/en')
    assert.equal(ask(app, '/apps/accounts/'), 'Site PageController.index() [fr]')
    assert.equal(ask(app, '/apps/accounts/en'), 'Site PageController.index() [en]')
    assert.equal(ask(app, '/apps/accounts/fr'), '-> /apps/accounts/')
    assert.equal(ask(app, '/apps/accounts'), '-> /apps/accounts/')
    assert.equal(app.localeOf('/apps/accounts/EN/nothing'), 'en')
  })

  it('shows the whole prefix to resolvers and in patterns [MEND-12]', () => {
    const prefixes: string[] = []
    const pages = resolver({
      resolve(request) {
        prefixes.push(`${request.prefix} ${request.segments.join(',')}`)
        return request.segments[0] === 'tea' ? request.route(PageController, 'index') : null
      },
    })
    const app = router([notes, module('Pages', { mount: '/', convention: false, steps: [pages] })], BELOW)

    const match = app.match('GET', '/apps/accounts/tea')

    assert.equal(match.kind === 'found' && match.route.pattern, '/apps/accounts/*')
    assert.deepEqual(prefixes, ['/apps/accounts tea'])
    assert.equal(app.patternAt('GET', '/apps/accounts/notes/page/x'), '/apps/accounts/notes/page/{slug}')
    assert.equal(app.patternAt('GET', '/notes/page/x'), null)
  })

  it('finds the owners of a path behind it [MEND-12]', () => {
    const app = router([notes], BELOW)

    assert.deepEqual(app.ownersOf('/apps/accounts/notes/nothing'), [notes])
    assert.deepEqual(app.ownersOf('/notes/nothing'), [])
  })

  it('takes prefixes of paths as modules declare them, without it [MEND-12]', () => {
    const app = router([notes], BELOW)
    const prefix = new PathPrefix('/notes')

    for (const path of ['/apps/accounts/notes', '/apps/accounts/Notes/x', '/apps/accounts/%6Eotes/'])
      assert.equal(app.isUnder(path, prefix), true, path)
    assert.equal(app.isUnder('/apps/accounts/news/x', prefix), false)
    assert.equal(app.isUnder('/apps/accounts', prefix), false)
  })

  it('is listed and explained with it [MEND-12]', async () => {
    const app = router([notes], BELOW)
    const inspection = inspect(app)

    const explained = await inspection.explain('GET', '/notes/page/tea')

    for (const { paths } of inspection.routes())
      for (const { path } of paths) assert.match(path, /^\/apps\/accounts\//)
    assert.deepEqual(inspection.audit(), inspect(router([notes], { ...BELOW, basePath: '' })).audit())
    assert.match(explained.toText(), /outside of the base path "\/apps\/accounts"/)
  })
})

describe('Router with a base path: ambiguity', () => {
  const REASON = 'begins like the base path "/apps/accounts"'

  it('refuses mounts, claims and locales that begin like it, at boot [MEND-12]', () => {
    const claiming = module('Shop', { steps: [claim('/apps/list', () => undefined)] })
    const localized = module('Shop', { localized: true })

    assert.throws(() => router([module('Apps')], BELOW), fails('base-path-conflict', 'module "Apps"', REASON))
    assert.throws(() => router([claiming], BELOW), fails('base-path-conflict', '"/apps/list"', REASON))
    assert.throws(
      () => router([localized], { ...LOCALIZED, basePath: '/fr/shop' }),
      fails('base-path-conflict', 'module "Shop"', 'begins like the base path "/fr/shop"'),
    )
    router([module('Accounts')], BELOW)
  })

  it('refuses a controller or a route of the root that begins like it [MEND-12]', () => {
    const root = conventional('Site', [AccountsController], { mount: '/' })
    const options = { ...BELOW, basePath: '/accounts' }
    const routed = site((routes) => void routes.get('/accounts/{slug}', [PageController, 'show']), options)

    assert.throws(() => router([root], options), fails('base-path-conflict', 'module "Site"', '"/accounts"'))
    assert.throws(() => routed.match('GET', '/accounts/x'), fails('base-path-conflict', '/accounts/{slug}'))
  })

  it('answers nothing, and generates nothing, where a value would begin like it [MEND-12]', () => {
    const app = site((routes) => void routes.get('/{slug}', [PageController, 'show']).name('page'), BELOW)
    const fromFiles = site(
      (routes) => void routes.get('/{path}', [PageController, 'files']).where('path', '.*').name('file'),
      BELOW,
    )

    assert.equal(ask(app, '/apps/accounts/app'), 'Site PageController.show("app")')
    assert.equal(ask(app, '/apps/accounts/apps'), '404')
    assert.equal(ask(app, '/apps/accounts/%61pps'), '404')
    assert.equal(ask(fromFiles, '/apps/accounts/apps/x'), '404')
    assert.throws(() => app.url('page', { slug: 'apps' }), fails('invalid-parameter'))
    assert.throws(() => fromFiles.url('file', { path: 'apps/x' }), fails('invalid-parameter'))
    assert.equal(app.url('page', { slug: 'Apps' }), '/apps/accounts/Apps')
  })
})
