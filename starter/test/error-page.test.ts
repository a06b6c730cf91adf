import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { toErrorPage } from '../modules/error-page.ts'

describe('toErrorPage()', () => {
  for (const status of [405, 500, 503]) {
    it(`says of a ${status} what to do next, and nothing of methods or databases`, () => {
      const { title, text } = toErrorPage({
        status,
        title: 'A fault',
        message: 'No method for table x',
      })

      assert.match(text, /Try again in a moment|Use the button/)
      assert.doesNotMatch(title + text, /method|table/i)
    })
  }

  it('words a refusal as the application does', () => {
    const { title, text } = toErrorPage({ status: 403, title: 'Forbidden', message: 'Not this page' })

    assert.deepEqual([title, text], ['Not allowed', 'Not this page.'])
  })
})
