import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { HttpContext } from 'sallyport'
import { isSeen } from 'sallyport/http'
import { browser } from '../app/fixture.ts'

describe('isSeen()', () => {
  it('tells an action whether what it would tell once reaches a person [MEND-08]', async () => {
    let told = 0
    const client = browser({
      'GET /codes': (context: HttpContext) => (isSeen(context) ? `codes ${++told}` : 'nothing'),
    })

    await client.request('HEAD', '/codes')
    const prefetches = [
      { 'sec-purpose': 'prefetch' },
      { 'sec-purpose': 'prefetch;prerender' },
      { purpose: 'prefetch' },
      { 'x-purpose': 'preview' },
      { 'x-moz': 'prefetch' },
    ]
    for (const headers of prefetches)
      assert.equal(await (await client.get('/codes', { headers })).text(), 'nothing', JSON.stringify(headers))
    const shown = await client.get('/codes', { headers: { 'sec-fetch-dest': 'document' } })

    assert.equal(await shown.text(), 'codes 1')
  })
})
