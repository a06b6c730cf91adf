import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'

import { EdgeViewEngine } from '../../src/view/edge.ts'

describe('EdgeViewEngine', () => {
  const directory = mkdtempSync(join(tmpdir(), 'sallyport-views-'))
  writeFileSync(join(directory, 'page.edge'), '<p>{{ name }}</p>@if(list.length)<b>{{{ raw }}}</b>@end')
  writeFileSync(join(directory, 'broken.edge'), '<p>{{ missing.deep.field }}</p>')
  after(() => rmSync(directory, { recursive: true }))
  const engine = new EdgeViewEngine({
    directory: pathToFileURL(directory),
    directories: { shop: pathToFileURL(directory) },
  })

  it('escapes what a template prints unless the template says otherwise', async () => {
    const page = await engine.render('page', { name: '<script>', raw: '<i>', list: [1] })

    assert.match(page, /<p>&lt;script&gt;<\/p>/)
    assert.match(page, /<b><i><\/b>/)
  })

  it('looks further folders up by name', async () => {
    assert.match(await engine.render('shop::page', { name: 'x', raw: '', list: [] }), /<p>x<\/p>/)
  })

  it('rejects where a template is missing or fails', async () => {
    await assert.rejects(engine.render('nowhere', {}))
    await assert.rejects(engine.render('broken', {}))
  })

  it('keeps nothing of one page for the next', async () => {
    await engine.render('page', { name: 'first', raw: '', list: [] })

    assert.doesNotMatch(await engine.render('page', { name: 'second', raw: '', list: [] }), /first/)
  })
})
