import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cookieName } from 'sallyport-app/pages'

describe('cookieName()', () => {
  it('gives each port and base path of a host another name [MEND-09]', () => {
    const places = [
      ['', '', 'seen'],
      [':3101', '', 'seen-3101'],
      ['', '/3101', 'seen_3101'],
      [':3101', '/a', 'seen-3101_a'],
      ['', '/a-3101', 'seen_a-3101'],
      ['', '/a/3101', 'seen_a_3101'],
    ] as const

    for (const [port, basePath, name] of places)
      for (const scheme of ['http', 'https'])
        assert.equal(cookieName({ origin: () => `${scheme}://app.test${port}`, basePath }, 'seen'), name)
  })
})
