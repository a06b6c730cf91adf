import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { sallyport } from './fixture/run.ts'

const UNSETTLED = {
  'unsettled.ts': 'the promise that .*unsettled.ts exports, or its function returns, does not settle',
  'unsettled-open.ts':
    'the promise that .*unsettled-open.ts exports, or its function returns, does not settle',
  'unsettled-import.ts': 'its file does not load',
  'unsettled-boot.ts': String.raw`its boot\(\) does not end`,
}

describe('sallyport --timeout', () => {
  for (const [file, reason] of Object.entries(UNSETTLED)) {
    it(`${file} times out with a message and exit code 1 [HOLD-35]`, async () => {
      const args = ['--app', file, '--timeout', '1']
      const [routes, check] = await Promise.all([
        sallyport(['routes', ...args]),
        sallyport(['check', ...args]),
      ])

      assert.deepEqual([routes.code, routes.out, check.code], [1, '', 1])
      const sentence = new RegExp(`the application is not ready within 1 s: ${reason}`)
      assert.match(routes.error, sentence)
      assert.match(check.out, sentence)
      assert.doesNotMatch(routes.error, /unsettled top-level await/i)
    })
  }

  it('accepts seconds, and does nothing when the application is ready in time [HOLD-35]', async () => {
    for (const given of ['0', '-1', 'soon', '1e9', '', '99999999']) {
      const { code, error } = await sallyport(['routes', '--app', 'application.ts', `--timeout=${given}`])

      assert.equal(code, 2, given)
      assert.match(error, /--timeout takes seconds/)
    }
    assert.equal((await sallyport(['routes', '--app', 'application.ts', '--timeout', '60'])).code, 0)
  })
})
