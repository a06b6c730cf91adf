import assert from 'node:assert/strict'
import { rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { App, Controller, defineModule } from 'sallyport'
import { StaticFiles } from 'sallyport/files'
import { TrailingSlash } from 'sallyport/routing'
import { TestClient } from 'sallyport/testing'
import { serveFolder, temporaryFolder } from './fixture.ts'

const CSS = 'body { color: green }\n'.repeat(100)

class HomeController extends Controller {
  static readonly actions = { index: [] }
  index(): string {
    return 'Home'
  }
}
const site = defineModule('Site', (module) => module.mount('/').controllers(HomeController))

describe('StaticFiles', () => {
  it('serves a file with its type, length and strong validators [PAGE-09]', async () => {
    const { client } = serveFolder(temporaryFolder({ 'app.css': CSS, 'icons/star.svg': '<svg/>', data: 'x' }))

    const response = await client.get('/assets/app.css')

    assert.equal(response.status, 200)
    assert.equal(await response.text(), CSS)
    assert.equal(response.headers.get('content-type'), 'text/css; charset=utf-8')
    assert.equal(response.headers.get('content-length'), String(CSS.length))
    assert.equal(response.headers.get('cache-control'), 'no-cache')
    assert.match(response.headers.get('etag') ?? '', /^"[0-9a-f]{32}"$/)
    assert.ok(Date.parse(response.headers.get('last-modified') ?? '') > 0)
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
    const svg = await client.get('/assets/icons/star.svg')
    assert.equal(svg.headers.get('content-type'), 'image/svg+xml')
    const unknown = await client.get('/assets/data')
    assert.equal(unknown.headers.get('content-type'), 'application/octet-stream')
  })

  it('answers HEAD with the head of GET, and other methods with a 405 [PAGE-09]', async () => {
    const { client } = serveFolder(temporaryFolder({ 'app.css': CSS }))

    const get = await client.get('/assets/app.css')
    const head = await client.request('HEAD', '/assets/app.css')
    const post = await client.post('/assets/app.css')

    assert.equal(head.status, 200)
    assert.equal(await head.text(), '')
    for (const name of ['etag', 'content-length', 'content-type', 'last-modified', 'accept-ranges'])
      assert.equal(head.headers.get(name), get.headers.get(name), name)
    assert.equal(post.status, 405)
    assert.equal(post.headers.get('allow'), 'GET, HEAD')
  })

  it('gives a name made from the content, kept by browsers forever [PAGE-09]', async () => {
    const { assets, client } = serveFolder(temporaryFolder({ 'app.css': CSS, 'a b/x.min.js': 'let x' }))

    const url = assets.url('app.css')
    const response = await client.get(url)

    assert.match(url, /^\/assets\/app\.[0-9a-f]{12}\.css$/)
    assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    assert.equal(await response.text(), CSS)
    assert.match(assets.url('a b/x.min.js'), /^\/assets\/a%20b\/x\.[0-9a-f]{12}\.min\.js$/)
    assert.equal((await client.get(assets.url('a b/x.min.js'))).status, 200)
    assert.equal((await client.get('/assets/app.000000000000.css')).status, 404)
    assert.throws(() => assets.url('app.csss'), RangeError)
  })

  it('never serves other content under a name made from content [PAGE-09]', async () => {
    const folder = temporaryFolder({ 'app.css': CSS })
    const { assets, client } = serveFolder(folder)
    const url = assets.url('app.css')
    assert.equal((await client.get(url)).status, 200)

    folder.write('app.css', 'changed')

    assert.equal((await client.get(url)).status, 404)
    const plain = await client.get('/assets/app.css')
    assert.equal(await plain.text(), 'changed')
    assert.notEqual(assets.url('app.css'), url)
    assert.equal((await client.get(assets.url('app.css'))).status, 200)
    rmSync(join(folder.path, 'app.css'))
    assert.equal((await client.get('/assets/app.css')).status, 404)
  })

  it('keeps the name of a file that was only touched [PAGE-09]', async () => {
    const folder = temporaryFolder({ 'app.css': CSS })
    const { assets, client } = serveFolder(folder)
    const url = assets.url('app.css')

    utimesSync(join(folder.path, 'app.css'), 1, 1)

    assert.equal((await client.get(url)).status, 200)
    assert.equal(assets.url('app.css'), url)
  })

  it('without fingerprints reads each file anew [PAGE-09]', async () => {
    const folder = temporaryFolder({ 'app.css': 'one' })
    const { assets, client } = serveFolder(folder, { fingerprint: false })

    const first = await client.get('/assets/app.css')
    folder.write('app.css', 'two')
    folder.write('new.css', 'three')
    const second = await client.get('/assets/app.css')

    assert.equal(assets.url('app.css'), '/assets/app.css')
    assert.equal(assets.url('new.css'), '/assets/new.css')
    assert.equal(first.headers.get('cache-control'), 'no-cache')
    assert.equal(await second.text(), 'two')
    assert.notEqual(second.headers.get('etag'), first.headers.get('etag'))
    assert.equal(await (await client.get('/assets/new.css')).text(), 'three')
  })

  it('sends the compressed variant that the client likes best [PAGE-09]', async () => {
    const folder = temporaryFolder({
      'app.css': CSS,
      'app.css.br': brotliCompressSync(CSS),
      'app.css.gz': gzipSync(CSS),
      'app.css.zst': zstdCompressSync(CSS),
      'plain.css': CSS,
    })
    const { client } = serveFolder(folder)
    const codings = new Map([
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip', 'gzip'],
      ['zstd, gzip;q=0.5', 'zstd'],
      ['br;q=0, *', 'zstd'],
      ['br;q=0.1, identity', null],
      ['', null],
    ])

    for (const [accepted, coding] of codings) {
      const response = await client.get('/assets/app.css', { headers: { 'accept-encoding': accepted } })
      assert.equal(response.headers.get('content-encoding'), coding, accepted)
      assert.equal(response.headers.get('content-type'), 'text/css; charset=utf-8')
      assert.equal(response.headers.get('vary'), 'Accept-Encoding')
      const ending = coding === null ? '"' : `-${coding}"`
      assert.ok(response.headers.get('etag')?.endsWith(ending))
      const length = Number(response.headers.get('content-length'))
      assert.equal((await response.arrayBuffer()).byteLength, length)
    }
    const none = await client.get('/assets/plain.css', { headers: { 'accept-encoding': 'gzip' } })
    assert.deepEqual([none.headers.get('vary'), none.headers.get('content-encoding')], [null, null])
    const refused = await client.get('/assets/plain.css', { headers: { 'accept-encoding': 'identity;q=0' } })
    assert.equal(refused.status, 406)
  })

  it('does not boot with a compressed file that holds something else [PAGE-09]', async () => {
    const folder = temporaryFolder({ 'app.css': CSS, 'app.css.gz': gzipSync('yesterday') })
    const { app } = serveFolder(folder)

    await assert.rejects(app.boot(), /app\.css\.gz.*does not decompress to the content of/)
  })

  it('keeps file names free of the trailing slash of the application [PAGE-09]', async () => {
    const folder = temporaryFolder({ 'app.css': CSS })
    for (const policy of Object.values(TrailingSlash)) {
      const { assets } = serveFolder(folder)
      const client = new TestClient(App.create().routing(policy).modules(assets, site))

      const response = await client.get(assets.url('app.css'))
      const slashed = await client.get('/assets/app.css/')

      assert.equal(response.status, 200, policy)
      assert.deepEqual([slashed.status, slashed.headers.get('location')], [308, '/assets/app.css'], policy)
      assert.equal((await client.get('/assets/nothing.css')).status, 404, policy)
    }
  })

  it('is a module whose URLs are listed and generated [PAGE-09]', async () => {
    const { app } = serveFolder(temporaryFolder({ 'app.css': CSS }))
    await app.boot()

    const [route, ...more] = (await app.inspection()).routes()

    assert.deepEqual(more, [])
    assert.deepEqual(route?.methods, ['GET', 'HEAD'])
    assert.deepEqual(route?.paths, [{ locale: null, path: '/assets/{path}' }])
    assert.deepEqual([route?.module, route?.name], ['Assets', 'assets:file'])
    const other = new StaticFiles({ directory: temporaryFolder().url, at: '/assets' })
    await assert.rejects(App.create().modules(other, other).boot(), { code: 'mount-conflict' })
  })

  it('serves files at the root of the site, where browsers and robots look for them [PAGE-09]', async () => {
    const folder = temporaryFolder({ 'favicon.ico': 'icon', 'robots.txt': 'User-agent: *', 'app.css': CSS })
    for (const fingerprint of [true, false])
      for (const policy of Object.values(TrailingSlash)) {
        const rootFiles = ['favicon.ico', 'robots.txt']
        const assets = new StaticFiles({ directory: folder.url, at: '/assets', fingerprint, rootFiles })
        const app = App.default({ locales: ['fr', 'en'] })
          .routing(policy)
          .modules(site, assets)
        const client = new TestClient(app)

        const icon = await client.get('/favicon.ico')
        const etag = icon.headers.get('etag') ?? ''
        assert.deepEqual([icon.status, await icon.text()], [200, 'icon'])
        assert.equal(icon.headers.get('content-type'), 'image/x-icon')
        assert.equal(icon.headers.get('cache-control'), 'no-cache')
        const robots = await client.get('/robots.txt', { headers: { range: 'bytes=0-3' } })
        assert.deepEqual([robots.status, await robots.text()], [206, 'User'])
        const again = await client.get('/favicon.ico', { headers: { 'if-none-match': etag } })
        assert.equal(again.status, 304)
        assert.equal((await client.get('/assets/favicon.ico')).status, 200)
        assert.match(assets.url('favicon.ico'), /^\/assets\//)
        const slashed = await client.get('/favicon.ico/')
        assert.deepEqual([slashed.status, slashed.headers.get('location')], [308, '/favicon.ico'], policy)
        for (const path of ['/app.css', '/favicon.ico/x', '/robots.txt.br'])
          assert.equal((await client.get(path)).status, 404, path)
        assert.equal((await client.post('/favicon.ico')).status, 405)
      }
  })

  it('refuses files of the root that do not exist or are no names [PAGE-09]', () => {
    const { url: directory } = temporaryFolder({ 'a/b.txt': 'x', '.env': 'x' })
    for (const name of ['favicon.ico', 'a/b.txt', 'a', '.env', '..', '', '../x'])
      assert.throws(() => new StaticFiles({ directory, at: '/assets', rootFiles: [name] }), RangeError, name)
    for (const rootFiles of ['robots.txt', [5], null, { name: 'robots.txt' }]) {
      const options = { directory, at: '/assets', rootFiles }
      assert.throws(() => Reflect.construct(StaticFiles, [options]), TypeError)
    }
  })

  it('opens no session and sets no cookie, so shared caches may keep it [PAGE-09]', async () => {
    const { assets, client } = serveFolder(temporaryFolder({ 'app.css': CSS }))

    const response = await client.get(assets.url('app.css'), { headers: { cookie: 'session=x' } })

    assert.equal(response.headers.get('set-cookie'), null)
    assert.match(response.headers.get('cache-control') ?? '', /^public/)
  })

  it('refuses at construction a folder that does not exist, and what is not a folder or path [PAGE-09]', () => {
    const folder = temporaryFolder({ file: 'x' })
    const missing = pathToFileURL(join(folder.path, 'missing/'))
    const make = (directory: unknown, at: unknown = '/assets'): StaticFiles =>
      new StaticFiles({ directory, at } as ConstructorParameters<typeof StaticFiles>[0])

    assert.throws(() => make(missing), { name: 'RangeError', message: /there is no such folder/ })
    assert.throws(() => make(pathToFileURL(join(folder.path, 'file'))), RangeError)
    assert.throws(() => make('./assets'), TypeError)
    for (const at of ['assets', '/', '/a/b', '/Assets', '/assets/', 7])
      assert.throws(() => make(folder.url, at), { name: 'RangeError' }, String(at))
  })
})
