import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { HttpException, RedirectException } from '../../src/http/index.ts'

describe('RedirectException', () => {
  it('MOVED_PERMANENTLY_REDIRECT is 301 [LEGACY-04]', () => {
    assert.equal(RedirectException.MOVED_PERMANENTLY_REDIRECT, 301)
  })

  it('is a 302 to its target by default [ERR-07]', () => {
    const error = new RedirectException('/login?from=shop')

    assert.ok(error instanceof HttpException)
    assert.equal(error.status, 302)
    assert.equal(error.code, 'ERR_HTTP_REDIRECT')
    assert.equal(error.target, '/login?from=shop')
    assert.equal(error.headers['location'], '/login?from=shop')
  })

  for (const status of [301, 302, 303, 307, 308]) {
    it(`accepts the status ${status} [ERR-08]`, () => {
      assert.equal(new RedirectException('/x', status).status, status)
    })
  }

  for (const status of [200, 300, 304, 305, 306, 400, 0, Number.NaN]) {
    it(`refuses the status ${status}, which is not a redirect [ERR-08]`, () => {
      assert.throws(() => new RedirectException('/x', status), RangeError)
    })
  }

  for (const target of ['//evil.test', '\\\\evil.test', 'javascript:alert(1)', 'evil.test', '', 'data:,x']) {
    it(`refuses the target ${JSON.stringify(target)}`, () => {
      assert.throws(() => new RedirectException(target), TypeError)
    })
  }
})
