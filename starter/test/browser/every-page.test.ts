import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { getRoutes, NO_PAGES } from './page-routes.ts'
import { SCENES } from './stages/all.ts'

describe('the scenes', () => {
  it('show every page of the application, and each exception is a route [RA-3103]', async () => {
    const routes = await getRoutes()
    const shown = new Set(SCENES.flatMap(({ shows }) => shows))

    assert.deepEqual(
      routes.filter((route) => !shown.has(route) && !(route in NO_PAGES)),
      [],
      'pages that no scene shows: add one to stages/',
    )
    assert.deepEqual(
      [...shown, ...Object.keys(NO_PAGES)].filter((route) => !routes.includes(route)),
      [],
    )
    assert.deepEqual(
      [...shown].filter((route) => route in NO_PAGES),
      [],
    )
  })
})
