import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { describe, it } from 'node:test'

import { ERROR_PAGE_POLICY, ERROR_PAGE_STYLE } from '../../src/app/error-page.ts'

describe('the policy of the built-in error page', () => {
  it('allows the style of the page', () => {
    const allowed = `style-src 'sha256-${hash('sha256', ERROR_PAGE_STYLE, 'base64')}';`

    assert.ok(ERROR_PAGE_POLICY.includes(allowed), allowed)
  })
})
