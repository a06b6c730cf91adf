import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createTranslator } from '../core/messages/catalogue.ts'
import { PARTS } from '../parts.ts'
import { toErrorPage } from '../core/pages/error-page.ts'

const translator = createTranslator(PARTS)

function words(error: unknown): readonly string[] {
  const { title, text } = toErrorPage(error)
  return [title, text].map((id) => translator.translate('en', { id }))
}

describe('toErrorPage()', () => {
  for (const status of [400, 405, 418, 500, 502, 503]) {
    it(`says of a ${status} what to do next, and nothing of the error's own text`, () => {
      const said = words({ status, title: 'A fault', message: 'No method for table x' }).join(' ')

      assert.match(said, /[Tt]ry again in a moment|use the button|try once more/)
      assert.doesNotMatch(said, /fault|method|table|error\./i)
    })
  }

  it('words a refusal as the application does', () => {
    assert.deepEqual(words({ status: 403, title: 'Forbidden', message: 'Not this page' }), [
      'Not allowed',
      'Your account may not open this page: it lacks the required permission.',
    ])
  })
})
