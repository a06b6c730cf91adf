import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { inspect, PageController, site } from '../routing/fixture.ts'
import { LonePath } from '../../src/inspection/lone-path.ts'

describe('LonePath.match()', () => {
  it('takes decoded segments as they are, and knows no other path of the table', () => {
    const app = site((routes) => {
      routes.get('/{a}/{b}', [PageController, 'pair'])
      routes.post('/{slug}', [PageController, 'edit'])
    })
    const [variant] = app.model().modules[0]?.table?.routes[0]?.variants ?? []
    assert.ok(variant !== undefined && inspect(app).routes().length === 2)
    const path = new LonePath(variant)

    assert.deepEqual(path.match('GET', ['a/b', '%41 é'])?.args, ['a/b', '%41 é'])
    assert.equal(path.match('POST', ['a']), null)
    assert.equal(path.match('GET', []), null)
  })
})
