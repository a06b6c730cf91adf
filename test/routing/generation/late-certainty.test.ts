import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const PROGRAM = fileURLToPath(new URL('first-urls.ts', import.meta.url))

describe('the code that finds out beforehand where URLs lead', () => {
  it('is loaded with the first URL, and changes none', async () => {
    const args = ['--conditions=sallyport-source', PROGRAM]
    const { stdout } = await promisify(execFile)(process.execPath, args)

    const urls = ['/teas/of/%C3%BC', '/teas/tea/edit/%C3%BC']
    assert.deepEqual(JSON.parse(stdout), {
      before: urls,
      written: [[null], []],
      after: [urls, urls],
      last: urls,
    })
  })
})
