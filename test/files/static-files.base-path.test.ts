import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { App } from 'sallyport'
import { StaticFiles } from 'sallyport/files'
import { temporaryFolder } from './fixture.ts'

describe('StaticFiles below a base path', () => {
  it('has URLs with it once the application has booted [MEND-12]', async () => {
    const folder = temporaryFolder({ 'a b.css': 'body {}' })
    const assets = new StaticFiles({ directory: folder.url, at: '/assets', fingerprint: false })
    assert.equal(assets.url('a b.css'), '/assets/a%20b.css')

    await App.default({ basePath: '/accounts' }).modules(assets).boot()

    assert.equal(assets.url('a b.css'), '/accounts/assets/a%20b.css')
  })

  it('belongs to applications of one base path [MEND-12]', async () => {
    const folder = temporaryFolder({ 'app.css': 'body {}' })
    const assets = new StaticFiles({ directory: folder.url, at: '/assets', fingerprint: true })
    await App.default({ basePath: '/accounts' }).modules(assets).boot()
    await App.default({ basePath: '/accounts' }).modules(assets).boot()

    await assert.rejects(App.default().modules(assets).boot(), {
      name: 'TypeError',
      message: /"\/assets" below the base paths "\/accounts" and ""/,
    })
  })
})
