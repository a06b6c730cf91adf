import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MAX_NORMALIZED_LENGTH, normalizedText } from 'sallyport-app/text'

describe('normalizedText()', () => {
  it('normalizes text up to its bound, and nothing longer [MEND-01]', () => {
    assert.equal(normalizedText('u\u0308', 'NFC'), 'ü')
    assert.equal(normalizedText('１', 'NFKC'), '1')
    assert.equal(normalizedText('ü', 'NFKD'), 'u\u0308')
    assert.equal(normalizedText('x'.repeat(MAX_NORMALIZED_LENGTH), 'NFC')?.length, MAX_NORMALIZED_LENGTH)
    assert.equal(normalizedText('x'.repeat(MAX_NORMALIZED_LENGTH + 1), 'NFC'), undefined)
    // The square of more would be felt.
    assert.ok(MAX_NORMALIZED_LENGTH <= 8192)
  })
})
