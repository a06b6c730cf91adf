import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { inspect, site } from '../routing/fixture.ts'

describe('Inspection.locales', () => {
  it('is empty where the application declares none, and has the default locale first', () => {
    const inspection = inspect(site(() => undefined, { locales: ['fr', 'en'] }))

    assert.deepEqual(inspect(site(() => undefined)).locales, [])
    assert.deepEqual(inspection.locales, ['fr', 'en'])
  })
})
